package journal_test

import (
	"net/http"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

func arrival() journal.Arrival {
	return journal.Arrival{
		Scenario: "zio", Run: "default", Method: "POST", Path: "/v1/messages", Protocol: "HTTP/1.1",
		Client: "c0ffee", Key: "c0ffee", Connection: 1, ConnectionRequests: 1,
		Header: http.Header{
			"Accept": {"application/json"}, "Accept-Encoding": {"gzip"}, "Anthropic-Version": {"2023-06-01"},
			"Content-Length": {"120"}, "Content-Type": {"application/json"}, "User-Agent": {"Anthropic/Go 1.84.0"},
			"X-Api-Key": {"k"}, "X-Stainless-Lang": {"go"}, "X-Stainless-Os": {"Linux"}, "X-Stainless-Retry-Count": {"0"},
		},
	}
}

func BenchmarkOneRequest(b *testing.B) {
	j := journal.New(16 << 20)
	a, body := arrival(), make([]byte, 120)
	var d journal.Decision = &plan{status: 200, steps: make([]journal.Step, 3)}
	b.ReportAllocs()
	for b.Loop() {
		r := j.Open(a)
		r.Read(body)
		r.Decided(1, "req_011CSHoEeqs5C35K2UUqR7Fy", d)
		r.Close(journal.Complete, journal.Done, time.Millisecond)
	}
}

func BenchmarkWrote(b *testing.B) {
	r := journal.New(0).Open(journal.Arrival{})
	r.Decided(1, "req_1", &plan{steps: make([]journal.Step, 200)})
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		r.Wrote(i%200, time.Millisecond, 100)
		i++
	}
}

func BenchmarkFindAmong100000(b *testing.B) {
	j := journal.New(0)
	body := []byte(`{"model":"claude-x","max_tokens":100,"messages":[{"role":"user","content":"Hello, how are you?"}]}`)
	d := &plan{status: 200, route: "answer"}
	for i := range 100_000 {
		a := journal.Arrival{Run: "a"}
		if i%100 == 0 {
			a.Run = "b"
		}
		r := j.Open(a)
		r.Read(body)
		r.Decided(1, "req_1", d)
		r.Close(journal.Complete, journal.Done, 0)
	}
	for name, q := range map[string]journal.Query{
		"run": {Run: "b"}, "status": {Run: "b", Status: 200}, "absent model": {Model: "other"},
		"model": {Run: "b", Model: "claude-x"}, "attempt": {Attempt: 2}, "mark": {Mark: "hit"},
	} {
		b.Run(name, func(b *testing.B) { within(b, func() { j.Find(q) }) })
	}
	// All match; a count makes no copies.
	for name, q := range map[string]journal.Query{"every status": {Status: 200}, "every model": {Model: "claude-x"}, "every text": {Text: "how are"}} {
		b.Run(name, func(b *testing.B) { within(b, func() { j.Count(q) }) })
	}
}

// within holds the quickest of a few looks at 100,000 entries against 50 ms: what else the machine
// does makes none quicker.
func within(b *testing.B, look func()) {
	const most = 50 * time.Millisecond
	best := time.Hour
	for b.Loop() {
		for range 5 {
			start := time.Now()
			look()
			best = min(best, time.Since(start))
		}
	}
	b.ReportMetric(float64(best)/1e6, "best-ms")
	switch {
	case best > most*3/2: // a busy machine is no defect
		b.Errorf("100,000 entries are filtered in %v at best, far more than %v", best, most)
	case best > most:
		b.Logf("100,000 entries are filtered in %v at best, more than %v", best, most)
	}
}

// BenchmarkLineOfTheFile is what a request costs more when its entry goes to a file.
func BenchmarkLineOfTheFile(b *testing.B) {
	steps := make([]time.Duration, 200)
	for i := range steps {
		steps[i] = time.Duration(i) * time.Millisecond
	}
	j := journal.New(16 << 20)
	f, err := journal.OpenFile(filepath.Join(b.TempDir(), "journal.jsonl"), false, nil)
	require.NoError(b, err)
	defer f.Close()
	j.KeepIn(f)
	for name, d := range map[string]*plan{"3 steps": {status: 200, steps: make([]journal.Step, 3)}, "200 steps": streamed(steps...)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				whole(j, arrival(), "", d)
			}
		})
	}
}

// The journal's own part of a record, its plan, headers and body aside: 3 KB at most.
func TestARecordOf200StepsIsSmall(t *testing.T) {
	const n = 2000
	j := journal.New(0)
	d, a := &plan{steps: make([]journal.Step, 200)}, arrival()
	a.Header = nil
	before := heap()
	for range n {
		r := j.Open(a)
		r.Decided(1, "req_1", d)
		for i := range 200 {
			r.Wrote(i, 1, 1)
		}
		r.Close(journal.Complete, journal.Done, 1)
	}
	each := (heap() - before) / n
	require.Less(t, each, int64(3<<10+64)) // 64: the journal's list and what else is about
	require.Greater(t, each, int64(1<<10), "it measures nothing")
	require.Equal(t, n, j.Len())
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
