package main

import (
	"bytes"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/probe"
)

func TestRates(t *testing.T) {
	for word, want := range map[string]string{
		"50": "50/s", "50/s": "50/s", "0.5": "0.5/s", "30/m": "0.5/s", "36/h": "0.01/s", " 7 ": "7/s", "100000": "100000/s",
	} {
		var r rate
		require.NoError(t, r.Set(word), word)
		require.Equal(t, want, r.String())
	}
	for _, word := range []string{"", "0", "-1", "fast", "5/d", "5/", "100001", "inf", "NaN", "1e9/m"} {
		r := rate(3)
		require.ErrorContains(t, r.Set(word), "is no rate above 0", word)
		require.Equal(t, rate(3), r)
	}
}

// asked parses a command line of probe as far as the request.
func asked(t *testing.T, args ...string) (*probeQuestion, error) {
	t.Helper()
	t.Chdir(t.TempDir())
	c := &console{stdin: strings.NewReader("{}"), settings: newSettings()}
	require.NoError(t, c.settings.load())
	q, f := newProbeQuestion(), pflag.NewFlagSet("probe", pflag.ContinueOnError)
	q.on(f)
	require.NoError(t, f.Parse(args))
	err := c.prepare(q, f.Changed, "http://127.0.0.1:4010")
	return q, err
}

func TestTheNumberOfRequestsFollowsFromWhatIsGiven(t *testing.T) {
	for name, test := range map[string]struct {
		args string
		want int
		last time.Duration
	}{
		"by default":               {"", 100, 9900 * time.Millisecond},
		"a number":                 {"--requests 3 --rate 2", 3, time.Second},
		"a time":                   {"--for 1s --rate 50", 50, 980 * time.Millisecond},
		"a time that ends it":      {"--for 1s --rate 2 --requests 5", 2, 500 * time.Millisecond},
		"a number that ends it":    {"--for 1h --rate 2 --requests 5", 5, 2 * time.Second},
		"so rare that one fits in": {"--for 1s --rate 1/h", 1, 0},
		"the most there are":       {"--requests 1000000 --rate 100000", 1_000_000, 9_999_990 * time.Microsecond},
	} {
		t.Run(name, func(t *testing.T) {
			q, err := asked(t, strings.Fields(test.args)...)
			require.NoError(t, err)
			n, last := count(q.shots())
			require.Equal(t, test.want, n)
			require.Equal(t, test.last, last)
		})
	}
}

func count(shots iter.Seq[probe.Shot]) (n int, last time.Duration) {
	for shot := range shots {
		n, last = n+1, shot.At
	}
	return n, last
}

func TestWhatIsTooMuchOrContradictsItselfIsRefused(t *testing.T) {
	for args, want := range map[string]string{
		"--requests 0":                     "--requests 0: their number is from 1 to 1000000",
		"--requests 1000001":               "from 1 to 1000000",
		"--for 0s":                         "--for 0s: it is above 0s and at most 1h0m0s",
		"--for 61m":                        "at most 1h0m0s",
		"--timeout 0s":                     "--timeout 0s: it is above 0s",
		"--timeout 2h":                     "at most 1h0m0s",
		"--rate 1/m":                       "100 requests at 0.0166667/s take longer than 1h0m0s",
		"--rate 1000/s --for 1h":           "1000/s for 1h0m0s are more than 1000000 requests",
		"--clients 0":                      "from 1 to 10000",
		"--clients 10001":                  "from 1 to 10000",
		"--clients 2 --rate 3":             "--rate is of the open loop, --clients of the closed one",
		"--clients 2 --poisson":            "--poisson is of the open loop",
		"--think 1s":                       "--think wants --clients",
		"--seed 3":                         "--seed wants --poisson",
		"--request x --prompt y":           "--prompt and --request both",
		"--header x":                       "is no header",
		"--poisson=false --seed 3":         "--seed wants --poisson",
		"--clients 2 --requests 100000000": "from 1 to 1000000",
	} {
		t.Run(args, func(t *testing.T) {
			_, err := asked(t, strings.Fields(args)...)
			require.ErrorIs(t, err, errMisuse)
			require.ErrorContains(t, err, want)
		})
	}
}

func TestTheRequestIsMadeOfTheFlags(t *testing.T) {
	t.Setenv("ORRERY_PROBE_KEY", "sesame")
	q, err := asked(t, "--model", "m", "--max-tokens", "7", "--prompt", "Who?", "--stream=false", "--header", "A: b", "--header", "content-type: text/x", "--header", "user-agent: mine")
	require.NoError(t, err)
	require.JSONEq(t, `{"model":"m","max_tokens":7,"stream":false,"messages":[{"role":"user","content":"Who?"}]}`, string(q.shot.Body))
	require.Equal(t, "sesame", q.shot.Header.Get("x-api-key"))
	require.Equal(t, "b", q.shot.Header.Get("a"))
	require.Equal(t, []string{"text/x"}, q.shot.Header.Values("content-type"))
	require.Equal(t, []string{"mine"}, q.shot.Header.Values("user-agent"))
	require.NotContains(t, q.String(), "sesame")
}

func TestColumnsStayNarrow(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0.000", 1234567: "1.235", 99 * time.Millisecond: "99.000", 172345678: "172.35", 7566543210: "7566.5",
		time.Hour: "3600000",
	} {
		require.Equal(t, want, milliseconds(d))
	}
}

func TestPlotsKeepToTheirWidthAndSayWhichPercentile(t *testing.T) {
	var report probe.Report
	for i := range 5000 {
		report.Duration.Add(time.Duration(i%100) * time.Millisecond)
	}
	for range 9 {
		report.Gap.Add(time.Millisecond)
	}
	var printed bytes.Buffer
	c := &console{stdout: &output{w: &printed}}
	c.printPlots(&report)
	for line := range strings.Lines(printed.String()) {
		require.LessOrEqual(t, len(strings.TrimSuffix(line, "\n")), plainWidth)
	}
	require.Regexp(t, `\nduration in ms by percentile\n.* 99\.\d \|`, printed.String())
	require.Regexp(t, ` p0 +p90 +p99 +p99\.9`, printed.String())
	require.NotContains(t, printed.String(), "gap", "too few for a curve")
}
