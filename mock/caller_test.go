package mock_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// secret is the API key that every caller sends.
const secret = "sk-ant-nobody-may-ever-read-this"

// fields are members of a request's body.
type fields map[string]any

// body is a plain question with members added, replaced or, where nil, left out.
func body(members fields) []byte {
	all := fields{"model": "claude-3-5-sonnet-20241022", "max_tokens": 200, "messages": said("What do the tides do?")}
	maps.Copy(all, members)
	maps.DeleteFunc(all, func(_ string, v any) bool { return v == nil })
	b, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return b
}

// said is a conversation of these turns; the first is the user's.
func said(turns ...string) []fields {
	messages := make([]fields, len(turns))
	for i, text := range turns {
		messages[i] = fields{"role": []string{"user", "assistant"}[i%2], "content": text}
	}
	return messages
}

// caller asks a server, without retries of its own.
type caller struct {
	srv    *mock.Server
	header http.Header
}

// nowhere is a base URL for requests that go to a handler.
func nowhere() *mock.Server { return &mock.Server{URL: "http://nowhere"} }

// calling makes a caller that sends these headers, given as names and values in turn.
func calling(srv *mock.Server, header ...string) caller {
	c := caller{srv, http.Header{"X-Api-Key": {secret}, "Anthropic-Version": {"2023-06-01"}}}
	for i := 0; i < len(header); i += 2 {
		c.header.Set(header[i], header[i+1])
	}
	return c
}

// answer is what came back, and how long it took until the last byte.
type answer struct {
	status int
	header http.Header
	body   []byte
	took   time.Duration
}

func (c caller) request(ctx context.Context, path string, body []byte) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.srv.URL+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header = c.header.Clone()
	return r, nil
}

func (c caller) send(ctx context.Context, path string, body []byte) (*http.Response, error) {
	r, err := c.request(ctx, path, body)
	if err != nil {
		return nil, err
	}
	return c.srv.Client().Do(r)
}

func (c caller) postTo(path string, body []byte) (answer, error) {
	start := time.Now()
	response, err := c.send(context.Background(), path, body)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	b, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, b, time.Since(start)}, err
}

func (c caller) post(t testing.TB, body []byte) answer {
	t.Helper()
	a, err := c.postTo("/v1/messages", body)
	require.NoError(t, err)
	return a
}

// postAll asks n times, so many at once, each as soon as one before it has its answer.
func (c caller) postAll(t testing.TB, n, atOnce int, body func(i int) []byte) []answer {
	t.Helper()
	answers := make([]answer, n)
	errs := make([]error, n)
	var next sync.Mutex
	var group sync.WaitGroup
	i := 0
	for range atOnce {
		group.Go(func() {
			for {
				next.Lock()
				mine := i
				i++
				next.Unlock()
				if mine >= n {
					return
				}
				answers[mine], errs[mine] = c.postTo("/v1/messages", body(mine))
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	return answers
}

// event is a server-sent event and its instant from the request's start.
type event struct {
	name string
	data map[string]any
	at   time.Duration
}

// listening is an answer whose events are read one by one.
type listening struct {
	*http.Response
	lines *bufio.Reader
	start time.Time
}

func (c caller) listen(ctx context.Context, body []byte) (*listening, error) {
	start := time.Now()
	response, err := c.send(ctx, "/v1/messages", body)
	if err != nil {
		return nil, err
	}
	return &listening{response, bufio.NewReader(response.Body), start}, nil
}

// next reads an event; io.EOF says that there are no more.
func (l *listening) next() (event, error) {
	var e event
	for {
		line, err := l.lines.ReadString('\n')
		if err != nil {
			return e, err
		}
		line = strings.TrimSuffix(line, "\n")
		name, isName := strings.CutPrefix(line, "event: ")
		data, isData := strings.CutPrefix(line, "data: ")
		switch {
		case line == "":
			e.at = time.Since(l.start)
			return e, nil
		case isName:
			e.name = name
		case isData:
			if err := json.Unmarshal([]byte(data), &e.data); err != nil {
				return e, err
			}
		default:
			return e, fmt.Errorf("unexpected line %q", line)
		}
	}
}

// rest reads the events that are still to come.
func (l *listening) rest() ([]event, error) {
	defer l.Body.Close()
	var events []event
	for {
		e, err := l.next()
		if err == io.EOF {
			return events, nil
		}
		if err != nil {
			return events, err
		}
		events = append(events, e)
	}
}

func (c caller) stream(t testing.TB, body []byte) (http.Header, []event) {
	t.Helper()
	l, err := c.listen(t.Context(), body)
	require.NoError(t, err)
	events, err := l.rest()
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, l.StatusCode)
	return l.Header, events
}

// deltas are the instants of the events that carry content.
func deltas(events []event) []time.Duration {
	var at []time.Duration
	for _, e := range events {
		if e.name == "content_block_delta" {
			at = append(at, e.at)
		}
	}
	return at
}

// open is the context of a wait that must not last: in a bubble it costs no real time.
func open(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// percentile is the nearest rank (R44).
func percentile(p float64, durations []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(durations))
	return sorted[max(int(math.Ceil(p*float64(len(sorted))/100))-1, 0)]
}

func median(values []float64) float64 {
	return slices.Sorted(slices.Values(values))[len(values)/2]
}

// share is the part of the values, from 0 to 1, for which holds is true.
func share[T any](values []T, holds func(T) bool) float64 {
	n := 0
	for _, v := range values {
		if holds(v) {
			n++
		}
	}
	return float64(n) / float64(len(values))
}

func between(low, high time.Duration) func(time.Duration) bool {
	return func(d time.Duration) bool { return d >= low && d <= high }
}

// each is what get makes of every value.
func each[T, R any](values []T, get func(T) R) []R {
	all := make([]R, len(values))
	for i, v := range values {
		all[i] = get(v)
	}
	return all
}

func took(a answer) time.Duration { return a.took }

func planned(e journal.Entry) time.Duration { return e.PlannedDuration() }

func requireWithin(t testing.TB, low, high, got time.Duration, what string) {
	t.Helper()
	require.True(t, between(low, high)(got), "%s is %v, not within %v and %v", what, got, low, high)
}

const ms = time.Millisecond
