package metrics_test

import (
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/journal"
	"github.com/seed-954e9acd/orrery/mock/metrics"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// plan is a stream of so many deltas, 20 ms apart.
type plan struct {
	route, mark string
	deltas      int
}

func (p plan) Status() int                     { return 200 }
func (p plan) Route() string                   { return p.route }
func (p plan) Facts() map[string]any           { return nil }
func (p plan) Marks() map[string]bool          { return map[string]bool{p.mark: p.mark != ""} }
func (p plan) Draws() []journal.Draw           { return nil }
func (p plan) Parts() map[string]time.Duration { return nil }
func (p plan) Warnings() []string              { return nil }
func (p plan) Charge() *journal.Charge         { return nil }
func (p plan) Len() int                        { return p.deltas }
func (p plan) Step(i int) journal.Step {
	return journal.Step{Kind: "event", Event: "content_block_delta", Planned: time.Duration(i) * 20 * time.Millisecond}
}

func counted(limit int64) (*journal.Journal, *metrics.Metrics) {
	j := journal.New(limit)
	return j, metrics.New(metrics.Config{
		Journal: j, Scenario: func(string) *scenario.Scenario { return nil },
		Times:    func() func(string, string) time.Time { return func(string, string) time.Time { return time.Time{} } },
		Holdings: func() metrics.Holdings { return metrics.Holdings{} },
	})
}

func play(j *journal.Journal, p plan) {
	r := j.Open(journal.Arrival{Scenario: "own"})
	r.Decided(1, "req_1", p)
	for i := range p.deltas {
		r.Wrote(i, time.Duration(i)*20*time.Millisecond, 100)
	}
	r.Close(journal.Complete, journal.Done, time.Second)
}

func TestSeriesAreBoundedWhateverFilesComeAndGo(t *testing.T) {
	j, m := counted(0)
	for i := range 3000 {
		play(j, plan{route: fmt.Sprint("route ", i), mark: fmt.Sprint("mark ", i), deltas: 2})
	}
	w := httptest.NewRecorder()
	m.ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	require.Contains(t, w.Body.String(), `orrery_requests_total{outcome="complete",route="(other)",scenario="(other)",status="200"} 2000`)
	require.Contains(t, w.Body.String(), `orrery_token_gap_seconds_count{route="(other)",scenario="(other)"} 2000`)
	require.Contains(t, w.Body.String(), `orrery_marks_total{mark="(other)",scenario="(other)"} 2000`)
	require.NotContains(t, w.Body.String(), `route="route 1000"`)
}

// BenchmarkRequest is what the journal costs for a request, and what it costs with the series.
func BenchmarkRequest(b *testing.B) {
	for _, deltas := range []int{1, 200} {
		p := plan{route: "answer", mark: "hit", deltas: deltas}
		b.Run(fmt.Sprintf("journal alone, %d deltas", deltas), func(b *testing.B) {
			j := journal.New(16 << 20)
			b.ReportAllocs()
			for b.Loop() {
				play(j, p)
			}
		})
		b.Run(fmt.Sprintf("with series, %d deltas", deltas), func(b *testing.B) {
			j, _ := counted(16 << 20)
			b.ReportAllocs()
			for b.Loop() {
				play(j, p)
			}
		})
	}
}
