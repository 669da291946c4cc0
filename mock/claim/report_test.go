package claim_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/claim"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

func verdicts() []claim.Verdict {
	return []claim.Verdict{
		{Scenario: "zio", Claim: "O02", Says: "σ | spread", Measure: "sigma(w.duration_ms)", Measured: "28ms", Within: "at most 45ms", Verdict: claim.Pass},
		{Scenario: "zio", Claim: "O03", Says: "two", Check: "the first", Measured: "1%", Within: "at least 2%", Verdict: claim.Fail},
		{Scenario: "zero", Claim: "P02", Says: "fast", Measured: "0%", Within: "at least 99%", Verdict: claim.Contradicts, Contradicts: "C1", ShownBy: "headline"},
		{Scenario: "zero", Claim: "P15", Says: "alert", Verdict: claim.NotMeasured, Reason: "shown by TestAlerts", ShownBy: "TestAlerts"},
	}
}

func written(t *testing.T, format string) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, claim.Write(&b, format, verdicts()))
	return b.String()
}

func TestTheTableHasALineForEachVerdictAndTheSums(t *testing.T) {
	require.Equal(t, `SCENARIO  CLAIM  VERDICT       MEASURED  WITHIN        SAYS
zio       O02    pass          28ms      at most 45ms  σ | spread
zio       O03    fail          1%        at least 2%   two: the first
zero      P02    contradicts   0%        at least 99%  fast (C1; shown by headline)
zero      P15    not-measured  -         -             alert (shown by TestAlerts)
1 pass, 1 fail, 1 contradicts, 1 not-measured
`, written(t, "table"))
}

func TestJSONHasTheFieldsThatProgramsRead(t *testing.T) {
	var all []map[string]any
	require.NoError(t, json.Unmarshal([]byte(written(t, "json")), &all))
	require.Len(t, all, 4)
	for _, v := range all {
		for _, field := range []string{"scenario", "claim", "says", "measured", "within", "verdict"} {
			require.Contains(t, v, field)
		}
	}
	require.Equal(t, "contradicts", all[2]["verdict"])
	require.Equal(t, "C1", all[2]["contradicts"])
	var none bytes.Buffer
	require.NoError(t, claim.Write(&none, "json", nil))
	require.Equal(t, "[]\n", none.String())
}

func TestMarkdownKeepsEachTextInItsCell(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(written(t, "markdown")), "\n")
	require.Len(t, lines, 6)
	require.Equal(t, `| zio | O02 | σ \| spread | 28ms | at most 45ms | pass |`, lines[2])
	require.Equal(t, `| zero | P02 | fast | 0% | at least 99% | contradicts (C1; shown by headline) |`, lines[4])
}

func TestJUnitCountsFailuresAndWhatWasNotMeasured(t *testing.T) {
	var all struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Skipped  int `xml:"skipped,attr"`
		Suites   []struct {
			Name  string `xml:"name,attr"`
			Cases []struct {
				Name    string `xml:"name,attr"`
				Failure *struct {
					Message string `xml:"message,attr"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	require.NoError(t, xml.Unmarshal([]byte(written(t, "junit")), &all))
	require.Equal(t, []int{4, 1, 1}, []int{all.Tests, all.Failures, all.Skipped})
	require.Len(t, all.Suites, 2)
	require.Equal(t, "measured 1%, which should be at least 2%", all.Suites[0].Cases[1].Failure.Message)
	require.Nil(t, all.Suites[0].Cases[0].Failure)
}

func TestAnUnknownFormatIsAnError(t *testing.T) {
	require.ErrorContains(t, claim.Write(&bytes.Buffer{}, "yaml", nil), `there is no format "yaml"; use one of table`)
}

func TestThePageHasEveryClaimByItsIDAndEveryContradiction(t *testing.T) {
	s := load(t, proving)
	again := load(t, strings.Replace(proving, "name: tested", "name: another", 1))
	var b bytes.Buffer
	require.NoError(t, claim.WritePage(&b, []*scenario.Scenario{s, again}, verify(t, claim.Options{Requests: 100}, s, again)))
	page := b.String()
	require.Contains(t, page, "| tail | P99 is 199 ms | `tested`: `p99(steady.duration_ms)` |")
	require.Contains(t, page, "| later | not yet | `tested` | - | - | not-measured (needs more) |")
	require.Contains(t, page, "| C1 | All can't be fast and slow. | `tested`, `another` |")
	require.Less(t, strings.Index(page, "| fast |"), strings.Index(page, "| tail |"))
}
