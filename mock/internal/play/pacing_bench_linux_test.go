package play_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/internal/play"
)

// BenchmarkPreciseBesidePlainTimers plays one schedule over HTTP with both clocks, turn and turn
// about, and reports by how much each event was late, the ratios of precise to plain, and the CPU
// that the server took, in percent of one. The client is a process of its own. What the machine
// does besides shows in both, and in the 99th percentile of many streams most of all: no bound
// here is on it, and none on absolute figures.
func BenchmarkPreciseBesidePlainTimers(b *testing.B) {
	b.Run("alone", func(b *testing.B) { beside(b, load{streams: 1, gap: 20 * ms, events: 100}, 1.0/5) })
	b.Run("100 streams", func(b *testing.B) { beside(b, load{streams: 100, gap: 20 * ms, events: 75}, 1.0/5) })
	b.Run("500 streams", func(b *testing.B) { beside(b, load{streams: 500, gap: 10 * ms, events: 150}, 1.0/4) })
	b.Run("2000 streams", func(b *testing.B) { beside(b, load{streams: 2000, gap: 20 * ms, events: 75}, 0) })
}

// load is streams at once, each of so many events a gap apart, begun at instants spread over a gap.
type load struct {
	streams int
	gap     time.Duration
	events  int
}

func beside(b *testing.B, l load, bound float64) {
	if os.Getenv(readerURL) != "" {
		b.Skip("this is the reader")
	}
	precise := clock.Precise()
	defer precise.Close()
	clocks := map[string]clock.Clock{"plain": clock.Real(), "precise": precise}
	late, written := map[string][]time.Duration{}, map[string][]time.Duration{}
	cpu, spent := map[string]time.Duration{}, map[string]time.Duration{}
	order := []string{"plain", "precise"}
	const rounds = 2
	for b.Loop() {
		for range rounds {
			for _, name := range order {
				m := l.play(b, clocks[name])
				late[name], written[name] = append(late[name], m.late...), append(written[name], m.written...)
				cpu[name] += m.cpu
				spent[name] += m.spent
			}
			slices.Reverse(order)
		}
	}
	at := func(of map[string][]time.Duration, name string, share float64) float64 {
		slices.Sort(of[name])
		return float64(of[name][int(share*float64(len(of[name])-1))]) / 1000
	}
	seen := map[string]float64{
		"p50-ratio": at(late, "precise", 0.5) / at(late, "plain", 0.5),
		"p99-ratio": at(late, "precise", 0.99) / at(late, "plain", 0.99),
		"cpu-ratio": cpu["precise"].Seconds() / cpu["plain"].Seconds(),
	}
	for _, name := range order {
		seen[name+"-p50-µs"], seen[name+"-p99-µs"] = at(late, name, 0.5), at(late, name, 0.99)
		seen[name+"-written-p50-µs"] = at(written, name, 0.5)
		seen[name+"-cpu-%"] = 100 * cpu[name].Seconds() / spent[name].Seconds()
	}
	for unit, value := range seen {
		b.ReportMetric(value, unit)
	}
	if bound == 0 || seen["p50-ratio"] <= bound {
		return
	}
	said := fmt.Sprintf("the precise clock's median is above %.2f of the plain timers': %v", bound, seen)
	if seen["plain-p99-µs"] > quietP99 {
		b.Log(said + "; the machine was busy with other things: run it again on a quiet one")
		return
	}
	b.Error(said)
}

// settled is when the first event is due: by then all streams are there, and their beginning is no load any more.
const settled = time.Second

// quietP99 is how late plain timers are at most on a machine that has the time, in µs.
const quietP99 = 3000

type paced struct {
	late, written []time.Duration
	cpu, spent    time.Duration
}

func (l load) play(b *testing.B, c clock.Clock) (m paced) {
	b.Helper()
	var player play.Player
	var mu sync.Mutex
	var begun int
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		n := begun
		begun++
		mu.Unlock()
		var steps []step
		for i := range l.events {
			steps = append(steps, step{due: settled + l.gap*time.Duration(i) + l.gap*time.Duration(n)/time.Duration(l.streams), text: event})
		}
		events := &lag{program: stream(0, steps...), clock: c, arrived: c.Now()}
		_, err := player.Play(r.Context(), session(w, c, events.arrived, events, events))
		mu.Lock()
		defer mu.Unlock()
		m.late, m.written = append(m.late, events.late...), append(m.written, events.written...)
		if err != nil {
			b.Error(err)
		}
	}))
	defer server.Close()
	reader := exec.Command(os.Args[0], "-test.run", "^TestReadAlong$")
	reader.Env = append(os.Environ(), readerURL+"="+server.URL, readerStreams+"="+fmt.Sprint(l.streams))
	before, start := cpuTime(b), time.Now()
	if out, err := reader.CombinedOutput(); err != nil {
		b.Fatalf("the reader: %v\n%s", err, out)
	}
	m.cpu, m.spent = cpuTime(b)-before, time.Since(start)
	mu.Lock()
	defer mu.Unlock()
	if len(m.late) != l.streams*l.events {
		b.Fatalf("%d of %d events", len(m.late), l.streams*l.events)
	}
	return m
}

// lag is by how much each event was late: when its wait had ended, and when it had been written.
type lag struct {
	program
	clock         clock.Clock
	arrived       time.Time
	late, written []time.Duration
}

func (l *lag) Append(dst []byte, i int) []byte {
	l.late = append(l.late, l.clock.Now().Sub(l.arrived)-l.Step(i).Due)
	return l.program.Append(dst, i)
}

func (l *lag) Wrote(i int, at time.Duration, _ int) {
	if step := l.Step(i); step.Kind == play.Write {
		l.written = append(l.written, at-step.Due)
	}
}

func (*lag) Held(int, time.Duration) {}

const (
	readerURL     = "ORRERY_READ_ALONG"
	readerStreams = "ORRERY_READ_STREAMS"
)

// TestReadAlong is the client's process: it reads streams until they end.
func TestReadAlong(t *testing.T) {
	url := os.Getenv(readerURL)
	if url == "" {
		t.Skip("only as the client of BenchmarkPreciseBesidePlainTimers")
	}
	var streams int
	fmt.Sscan(os.Getenv(readerStreams), &streams)
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: (&net.Dialer{Control: seldomWoken}).DialContext}}
	var done sync.WaitGroup
	for range streams {
		done.Go(func() {
			response, err := client.Get(url)
			if err != nil {
				t.Error(err)
				return
			}
			defer response.Body.Close()
			if _, err := io.Copy(io.Discard, response.Body); err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
}

// seldomWoken has a reader woken for some kilobytes or the connection's end and not for each event, so that the
// processors are the server's.
func seldomWoken(_, _ string, c syscall.RawConn) error {
	var err error
	if failed := c.Control(func(fd uintptr) {
		err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVLOWAT, 8<<10)
	}); failed != nil {
		return failed
	}
	return err
}

// BenchmarkPreciseIdle is the CPU that a clock takes that has been waited on and isn't any more, in
// percent of one.
func BenchmarkPreciseIdle(b *testing.B) {
	c := clock.Precise()
	defer c.Close()
	if err := c.WaitUntil(b.Context(), c.Now().Add(ms)); err != nil {
		b.Fatal(err)
	}
	var used, spent time.Duration
	for b.Loop() {
		before, start := cpuTime(b), time.Now()
		<-time.After(time.Second)
		used, spent = used+cpuTime(b)-before, spent+time.Since(start)
	}
	b.ReportMetric(100*used.Seconds()/spent.Seconds(), "idle-cpu-%")
}

func cpuTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
