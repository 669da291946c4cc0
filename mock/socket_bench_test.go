package mock_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
)

// tenMillisecondGaps streams so many tokens, one every 10 ms.
func tenMillisecondGaps(tokens int) string {
	return fmt.Sprintf(`
orrery: 1
name: ten-millisecond-gaps
profiles: {even: {first-token: 10ms, token-gap: 10ms}}
routes: [{name: all, profile: even, reply: {tokens: %d}}]
`, tokens)
}

// BenchmarkStreamAlone is by how much a stream of 1,000 tokens misses its planned end, on a real
// socket with nothing else going on: the median of three.
func BenchmarkStreamAlone(b *testing.B) {
	srv := mock.Start(b, mock.ScenarioText(tenMillisecondGaps(1000)))
	for b.Loop() {
		var atClient, inJournal []time.Duration
		for range 3 {
			l := late(b, srv, 1, 1000)
			atClient, inJournal = append(atClient, l.atClient...), append(inJournal, l.inJournal...)
		}
		report(b, "client", percentile(50, atClient), 2*ms)
		report(b, "journal", percentile(50, inJournal), 2*ms)
	}
}

// Benchmark500StreamsAtOnce is by how much the median of 500 streams at once misses its end.
func Benchmark500StreamsAtOnce(b *testing.B) {
	const tokens = 300
	srv := mock.Start(b, mock.ScenarioText(tenMillisecondGaps(tokens)))
	late(b, srv, 500, tokens) // so that the connections are there
	for b.Loop() {
		l := late(b, srv, 500, tokens)
		report(b, "client", percentile(50, l.atClient), 10*ms)
		report(b, "journal", percentile(50, l.inJournal), 10*ms)
		b.ReportMetric(percentile(99, l.atClient).Seconds()*1000, "client-p99-ms-late")
	}
}

// report tells a lateness, and says when it is beyond what a quiet machine shows. It fails nothing: a time on a real
// clock says as much of what else the machine does.
func report(b *testing.B, where string, late, quiet time.Duration) {
	b.ReportMetric(late.Seconds()*1000, where+"-ms-late")
	if late > quiet {
		b.Logf("%s is %v late, more than %v: run it again on a quiet machine", where, late, quiet)
	}
}

// lateness is by how much each stream's end was late.
type lateness struct{ atClient, inJournal []time.Duration }

// late plays streams at once. A plan counts from the request's arrival, so the client's end is held
// against that too: how long the request took to get there is no part of it.
func late(b *testing.B, srv *mock.Server, streams, tokens int) (l lateness) {
	b.Helper()
	srv.Journal().Reset()
	ask := body(fields{"stream": true, "max_tokens": tokens})
	ended := map[string]time.Time{} // at the client, by request-id
	var mu sync.Mutex
	repeat(b, streams, streams, func() error {
		id, at, err := end(b, calling(srv), ask)
		mu.Lock()
		defer mu.Unlock()
		ended[id] = at
		return err
	})
	for _, e := range srv.Journal().All() {
		require.Equal(b, time.Duration(tokens)*10*ms, e.PlannedDuration())
		l.atClient = append(l.atClient, ended[e.RequestID].Sub(e.Arrived.Add(e.PlannedDuration())))
		l.inJournal = append(l.inJournal, e.ActualDuration()-e.PlannedDuration())
	}
	require.Len(b, l.inJournal, streams)
	return l
}

// end is when a stream's last event is there. Reading costs the machine as little as it can.
func end(b *testing.B, c caller, ask []byte) (id string, at time.Time, err error) {
	response, err := c.send(b.Context(), "/v1/messages", ask)
	if err != nil {
		return "", at, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", at, fmt.Errorf("status %d", response.StatusCode)
	}
	var tail []byte
	buffer := make([]byte, 4096)
	for {
		n, err := response.Body.Read(buffer)
		if n > 0 {
			at = time.Now()
			tail = append(tail, buffer[:n]...)
			tail = tail[max(len(tail)-64, 0):]
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return "", at, err
		}
	}
	if !bytes.Contains(tail, []byte(`"type":"message_stop"`)) {
		err = fmt.Errorf("the stream ended with %q", tail)
	}
	return response.Header.Get("Request-Id"), at, err
}
