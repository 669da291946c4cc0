package api_test

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/api"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// What two seconds of 10,000 requests a second cost whoever looks at the load, all of them new to him, with
// 500 streams under way.
func BenchmarkLookingAtTheLoad(b *testing.B) {
	clock := &by{time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
	s := serving(b, func(c *api.Config) { c.Clock = clock })
	l := loading{controls{s}, clock}
	for range 500 {
		l.begins(0, streamed{route: "streams", wait: -1})
	}
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		for i := range 20_000 {
			r := l.begins(time.Duration(i)*100*time.Microsecond, streamed{route: "all", wait: -1})
			r.Wrote(0, time.Duration(i)*time.Microsecond, 1)
			r.Close(journal.Complete, journal.Done, time.Duration(i)*3*time.Microsecond)
		}
		clock.now = clock.now.Add(2 * time.Second)
		b.StartTimer()
		r := httptest.NewRequest("GET", "http://localhost/_orrery/load?last=3", nil)
		r.RemoteAddr = "127.0.0.1:1"
		if w := s.do(r); w.Code != 200 {
			b.Fatal(w.Body)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/20_000, "ns/request")
}

// What the page asks for when it is opened.
func BenchmarkListingTheJournalInShort(b *testing.B) {
	clock := &by{time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
	s := serving(b, func(c *api.Config) { c.Clock = clock })
	l := loading{controls{s}, clock}
	for range 10_000 {
		r := l.begins(time.Second, streamed{route: "all", wait: -1})
		r.Read([]byte(hello))
		r.Close(journal.Complete, journal.Done, time.Second)
	}
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequest("GET", "http://localhost/_orrery/journal?fields=summary&limit=10000", nil)
		r.RemoteAddr = "127.0.0.1:1"
		if w := s.do(r); w.Code != 200 {
			b.Fatal(w.Body)
		}
	}
}
