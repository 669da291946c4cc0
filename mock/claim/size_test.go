package claim_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/claim"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// sent verifies the scenario against a server in memory, with what was foretold.
func sent(t *testing.T, s *scenario.Scenario, o claim.Options) (verdicts []claim.Verdict, ahead claim.Outlook) {
	t.Helper()
	file := filepath.Join(t.TempDir(), s.Name+".yaml")
	require.NoError(t, os.WriteFile(file, s.Source, 0o600))
	o.Outlook = func(a claim.Outlook) { ahead = a }
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioFile(file))
		o.Target, o.Client = srv.URL, srv.Client()
		verdicts = verify(t, o, s)
	})
	return verdicts, ahead
}

func counted(verdicts []claim.Verdict) (all []float64) {
	for _, v := range verdicts {
		all = append(all, v.Figure)
	}
	return all
}

func TestNoWorkloadTakesLongerAgainstATargetThanItMay(t *testing.T) {
	s := claiming(t, ten, `steady: {requests: 1000, rate: 10/s}`, "count(steady)")
	got, ahead := sent(t, s, claim.Options{Time: 10 * time.Second})
	// All of them take 99.91 s; 97 % of what fits is 97 of them.
	require.Equal(t, []float64{97}, counted(got))
	require.Equal(t, claim.Outlook{Takes: 9610 * time.Millisecond, Requests: 97, Workloads: 1, Shortened: 1}, ahead)
}

func TestAllVariantsOfAWorkloadShareItsTime(t *testing.T) {
	s := claiming(t, ten, `steady: {requests: 100, rates: [10/s, 20/s], request: {max_tokens: [5, 6]}}`, "count(steady)", "count(steady, sent.rate == 20 and sent.max_tokens == 6)")
	got, ahead := sent(t, s, claim.Options{Time: 15 * time.Second})
	require.Equal(t, []float64{194, 48}, []float64{got[0].Figure + 2, got[1].Figure})
	require.LessOrEqual(t, ahead.Takes, 15*time.Second)
}

func TestSteppedRatesAreShortenedStepByStepAgainstATarget(t *testing.T) {
	s := claiming(t, ten, `rise: {rate: {from: 10/s, to: 40/s, for: 4s, steps: 4}}`,
		"count(rise)", "count(rise, sent.rate == 10)", "count(rise, sent.rate == 40)")
	got, ahead := sent(t, s, claim.Options{Requests: 50})
	require.Equal(t, []float64{50, 5, 20}, counted(got))
	require.Equal(t, 1, ahead.Shortened)
	require.Equal(t, []float64{100, 10, 40}, counted(verify(t, claim.Options{Requests: 50}, s)), "a simulation plays them whole")
}

func TestASequenceIsCutToWholeRounds(t *testing.T) {
	s := claiming(t, ten, `turns: {requests: 100, clients: 1, sequence: [a, b, c]}`, "count(turns)", `count(turns, sent.name == "c")`)
	got, _ := sent(t, s, claim.Options{Requests: 11})
	require.Equal(t, []float64{9, 3}, counted(got))
}

func TestWhatTooFewRequestsCantAnswerIsNotMeasured(t *testing.T) {
	s := load(t, head+`
routes:
  - {name: rare, share: 1%, error: {status: 503, message: "no"}}
  - {name: all, profile: ten}
workloads:
  steady: {requests: 2000, rate: 500/s}
  crowd: {requests: 200, clients: 50}
  wrong: {requests: 2000, rate: 500/s}
claims:
  rare: {says: "-", measure: "share(steady, status == 503)", within: [0.95%, 1.05%]}
  tail: {says: "-", measure: "p999(steady.duration_ms)", at_most: 11ms}
  most: {says: "-", measure: "p90(steady.duration_ms)", at_most: 11ms}
  busy: {says: "-", measure: "max(crowd.duration_ms)", at_most: 11ms}
  wrong: {says: "-", measure: "share(wrong, status == 503)", at_most: 0%}
  more: {says: "-", measure: "count(wrong)", at_least: 100}
`)
	got, ahead := sent(t, s, claim.Options{Requests: 110})
	var verdicts, reasons []string
	for _, v := range got {
		verdicts, reasons = append(verdicts, v.Verdict), append(reasons, v.Reason)
	}
	require.Equal(t, []string{claim.NotMeasured, claim.NotMeasured, claim.Pass, claim.Pass, claim.Fail, claim.Pass}, verdicts, reasons)
	require.Equal(t, "110 requests of steady are too few for it: simulated, so many come to 0.9091%, all of the file's to 1%", reasons[0])
	require.Equal(t, "such a percentile needs 1000 requests, not 109", reasons[1])
	require.Equal(t, got[2].Measured, got[2].Simulated)
	require.Equal(t, claim.Outlook{Takes: ahead.Takes, Requests: 330, Workloads: 3, Shortened: 3}, ahead)

	got, ahead = sent(t, s, claim.Options{Requests: 40})
	require.Equal(t, "40 requests don't keep 50 clients busy", got[3].Reason)
	require.Equal(t, 1, ahead.Skipped)
}

func TestLightWorkloadsArePlayedSideBySideAndHeavyOnesAlone(t *testing.T) {
	light := claiming(t, ten, "a: {requests: 101, rate: 10/s}\nb: {requests: 101, rate: 10/s}", "count(a)", "count(b)")
	got, ahead := sent(t, light, claim.Options{})
	require.Equal(t, []float64{101, 101}, counted(got))
	require.Equal(t, 10_010*time.Millisecond, ahead.Takes)
	heavy := claiming(t, ten, "a: {requests: 4001, rate: 400/s}\nb: {requests: 4001, rate: 400/s}", "count(a)", "count(b)")
	_, ahead = sent(t, heavy, claim.Options{})
	require.Equal(t, 20_020*time.Millisecond, ahead.Takes)
}

func TestAnAnswerLongerThanTheTimeThereIsIsNotWaitedFor(t *testing.T) {
	s := claiming(t, ten, `steady: {requests: 10, rate: 10/s}`, "count(steady)")
	got, ahead := sent(t, s, claim.Options{Time: 9 * time.Millisecond})
	require.Equal(t, "one request of each kind takes 10ms, longer than the 9ms there are", got[0].Reason)
	require.Equal(t, claim.Outlook{Skipped: 1}, ahead)
}

func TestATargetWhereNobodyAnswersIsAnError(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	s := claiming(t, ten, `steady: {requests: 2, rate: 100/s}`, "count(steady)")
	_, err = claim.Verify(context.Background(), []*scenario.Scenario{s}, claim.Options{Target: "http://" + l.Addr().String()})
	require.ErrorContains(t, err, "scenario tested, workload steady: nobody answers at the target: ")
}
