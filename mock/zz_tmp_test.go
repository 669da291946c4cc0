package mock_test

import (
	"fmt"
	"net/http/httptest"
	"syscall"
	"testing"
	"time"
	"os"
	"runtime/pprof"

	"github.com/seed-954e9acd/orrery/mock"
)

func cpu() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(0, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

func BenchmarkTmp(b *testing.B) {
	srv := mock.Start(b, mock.ScenarioText(atOnce), mock.JournalLimit(16<<20))
	c := calling(srv)
	ask := body(nil)
	bare := httptest.NewServer(copyOf(c.post(b, ask)))
	defer bare.Close()
	timed := httptest.NewUnstartedServer(copyOf(c.post(b, ask)))
	timed.Config.ReadHeaderTimeout = 30*time.Second
	timed.Config.IdleTimeout = 300*time.Second
	timed.Start()
	defer timed.Close()
	for b.Loop() {
		if f := os.Getenv("P"); f != "" {
			answered(b, srv.Client(), srv.URL, ask, 8000, 8)
			w, _ := os.Create(f)
			pprof.StartCPUProfile(w)
			answered(b, srv.Client(), srv.URL, ask, 80000, 8)
			pprof.StopCPUProfile()
			return
		}
		for range 5 {
		for _, clients := range []int{1, 8, 32} {
			for _, u := range []string{srv.URL, bare.URL, timed.URL} {
				c0 := cpu()
				w := answered(b, srv.Client(), u, ask, 8000, clients)
				fmt.Println(u == srv.URL,u==timed.URL, w/8000, (cpu()-c0)/8000, clients)
			}}
		}
	}
}
