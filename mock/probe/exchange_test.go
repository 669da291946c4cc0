package probe_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/probe"
)

// one sends one shot and returns what became of it.
func one(t *testing.T, client *http.Client, shot probe.Shot) *probe.Result {
	t.Helper()
	all := open(t, slices.Values([]probe.Shot{shot}), probe.Options{Client: client, KeepText: true, KeepReads: true})
	require.Len(t, all, 1)
	return all[0]
}

// sse is an event as the API writes it.
func sse(data string) string {
	_, kind, _ := strings.Cut(data, `"type":"`)
	kind, _, _ = strings.Cut(kind, `"`)
	return "event: " + kind + "\ndata: " + data + "\n\n"
}

const (
	started = `{"type":"message_start","message":{"usage":{"input_tokens":7,"output_tokens":1,"cache_read_input_tokens":5}}}`
	spoken  = `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Good "}}`
	closing = `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":4}}`
	stopped = `{"type":"message_stop"}`
)

// streaming answers with steps: texts are written, durations waited for.
func streaming(steps ...any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		for _, step := range steps {
			switch step := step.(type) {
			case string:
				fmt.Fprint(w, step)
				_ = http.NewResponseController(w).Flush()
			case time.Duration:
				wait(r, step)
			}
		}
	}
}

func TestAStreamIsMeasuredFromThePlannedInstant(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := serve(t, streaming(10*ms, sse(started), 20*ms, sse(spoken), 30*ms, sse(spoken)+sse(spoken), 5*ms,
			sse(closing), ms, sse(stopped), 2*ms))
		r := one(t, client, probe.Shot{At: 3 * s})

		require.Equal(t, probe.Answered, r.Outcome)
		require.NoError(t, r.Err)
		require.Equal(t, 3*s, r.Planned)
		require.Equal(t, 10*ms, r.HeadersAt)
		require.Equal(t, 30*ms, r.FirstToken)
		require.Equal(t, 68*ms, r.Duration)
		require.Equal(t, []probe.Delta{{30 * ms, 5, "Good "}, {60 * ms, 5, "Good "}, {60 * ms, 5, "Good "}}, r.Deltas)
		require.Equal(t, []time.Duration{30 * ms, 0}, slices.Collect(r.Gaps()))
		require.Equal(t, "Good Good Good ", r.Text)
		require.Equal(t, probe.Usage{Input: 7, Output: 4, CacheRead: 5}, r.Usage)
		require.Equal(t, "end_turn", r.StopReason)
		require.Equal(t, 6, r.Events)
		sizes := []int{len(sse(started)), len(sse(spoken)), 2 * len(sse(spoken)), len(sse(closing)), len(sse(stopped))}
		require.Equal(t, sizes, r.Reads)
		require.EqualValues(t, sizes[0]+sizes[1]+sizes[2]+sizes[3]+sizes[4], r.Bytes)
		require.Equal(t, http.StatusOK, r.Status)
		require.Equal(t, "HTTP/1.1", r.Protocol)
	})
}

func TestOutcomes(t *testing.T) {
	whole := sse(started) + sse(spoken) + sse(closing) + sse(stopped)
	status := func(code int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			wait(r, 5*ms)
			w.WriteHeader(code)
			fmt.Fprint(w, body)
		}
	}
	hijacked := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			c, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				time.Sleep(5 * ms)
				_, _ = io.WriteString(c, text)
				_ = c.Close()
			}
		}
	}
	for name, test := range map[string]struct {
		server    http.HandlerFunc
		shot      probe.Shot
		outcome   probe.Outcome
		duration  time.Duration
		err, kind string
		status    int
	}{
		"whole":                {server: streaming(9*ms, whole), outcome: probe.Answered, duration: 9 * ms, status: 200},
		"empty":                {server: status(204, ""), outcome: probe.Answered, duration: 5 * ms, status: 204},
		"refused":              {server: status(429, `{"type":"error","error":{"type":"rate_limit_error","message":"no"}}`), outcome: probe.Refused, duration: 5 * ms, err: "status 429, rate_limit_error", kind: "rate_limit_error", status: 429},
		"refused in odd words": {server: status(418, `{"error":{"type":"\u001b[31mred\u0000`+strings.Repeat("x", 999)+`"}}`), outcome: probe.Refused, duration: 5 * ms, err: "status 418, ?[31mred?", kind: "?[31mred?" + strings.Repeat("x", 55), status: 418},
		"refused by a proxy":   {server: status(502, "<html>"), outcome: probe.Refused, duration: 5 * ms, err: "status 502", status: 502},
		"sent elsewhere": {server: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/other", http.StatusTemporaryRedirect)
		}, outcome: probe.Refused, err: "status 307", status: 307},
		"no message_stop":        {server: streaming(sse(started), 9*ms, sse(spoken)), outcome: probe.Cut, duration: 9 * ms, err: "the stream has no message_stop: unexpected EOF", status: 200},
		"no blank line":          {server: streaming(strings.TrimSuffix(whole, "\n")), outcome: probe.Cut, err: "no message_stop", status: 200},
		"an error event":         {server: streaming(sse(started), 9*ms, sse(`{"type":"error","error":{"type":"overloaded_error"}}`), s), outcome: probe.Cut, duration: 9 * ms, err: "an error event ended the stream: overloaded_error", kind: "overloaded_error", status: 200},
		"garbled":                {server: streaming(sse(started), ms, "event: message_delta\ndata: {\n\n"), outcome: probe.Cut, duration: ms, err: "event 2 has data that can't be read", status: 200},
		"not JSON":               {server: status(200, "{"), outcome: probe.Cut, duration: 5 * ms, err: "no whole JSON", status: 200},
		"a short body":           {server: hijacked("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}"), outcome: probe.Cut, duration: 5 * ms, err: "unexpected EOF", status: 200},
		"broken after its end":   {server: hijacked("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 9999\r\n\r\n" + whole), outcome: probe.Answered, duration: 5 * ms, err: "after the end of the message: unexpected EOF", status: 200},
		"broken before any":      {server: hijacked(""), outcome: probe.Failed, duration: 5 * ms, err: "EOF"},
		"no HTTP":                {server: hijacked("hello\n\n"), outcome: probe.Failed, duration: 5 * ms, err: "malformed HTTP"},
		"too slow":               {server: streaming(s, whole), shot: probe.Shot{GiveUp: 70 * ms}, outcome: probe.TimedOut, duration: 70 * ms, err: "no whole answer in time"},
		"too slow by default":    {server: streaming(sse(started), time.Hour), outcome: probe.TimedOut, duration: 10 * time.Minute, err: "no whole answer in time", status: 200},
		"never closed":           {server: streaming(whole, s), shot: probe.Shot{GiveUp: 70 * ms}, outcome: probe.TimedOut, duration: 70 * ms, err: "in time", status: 200},
		"left mid-stream":        {server: streaming(sse(started), s), shot: probe.Shot{CancelAfter: 50 * ms, GiveUp: 70 * ms}, outcome: probe.Left, duration: 50 * ms, err: "left, as planned", status: 200},
		"left before":            {server: streaming(s), shot: probe.Shot{CancelAfter: 50 * ms}, outcome: probe.Left, duration: 50 * ms, err: "left, as planned"},
		"answered before":        {server: streaming(40*ms, whole), shot: probe.Shot{CancelAfter: 50 * ms}, outcome: probe.Answered, duration: 40 * ms, status: 200},
		"gave up before":         {server: streaming(s), shot: probe.Shot{CancelAfter: 80 * ms, GiveUp: 70 * ms}, outcome: probe.TimedOut, duration: 70 * ms, err: "in time"},
		"an impossible protocol": {server: status(200, ""), shot: probe.Shot{Protocol: "HTTP/4"}, outcome: probe.Failed, err: `protocol "HTTP/4"`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				test.shot.At = s
				r := one(t, serve(t, test.server), test.shot)
				require.Equal(t, test.outcome.String(), r.Outcome.String(), r.Err)
				require.Equal(t, test.duration, r.Duration)
				require.Equal(t, test.status, r.Status)
				require.Equal(t, test.kind, r.ErrorType)
				require.Equal(t, test.status == 0, r.HeadersAt == probe.Never)
				if test.err == "" {
					require.NoError(t, r.Err)
				} else {
					require.ErrorContains(t, r.Err, test.err)
				}
			})
		})
	}
}

func TestAConnectionThatCannotBeMadeFailsWithoutNamingTheTarget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := dialing(func(context.Context) (net.Conn, error) {
			time.Sleep(8 * ms)
			return nil, errors.New("nobody is there")
		})
		r := one(t, client, probe.Shot{})
		require.Equal(t, probe.Failed, r.Outcome)
		require.EqualError(t, r.Err, "nobody is there")
		require.Equal(t, 8*ms, r.Duration)
		require.Zero(t, r.Sent)
		require.Zero(t, r.Status)
		require.Equal(t, probe.Never, r.FirstToken)
		require.True(t, r.Unanswered())
	})
}

func TestWhatIsSentIsWhatTheShotSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []string
		client := serve(t, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			seen = append(seen, r.Method+" "+r.URL.String()+" "+r.Header.Get("X-Api-Key")+" "+r.Header.Get("Accept-Encoding")+" "+string(body))
		})
		one(t, client, probe.Shot{Header: http.Header{"X-Api-Key": {"any"}}, Body: []byte("{}")})
		one(t, client, probe.Shot{Method: http.MethodGet, Path: "/v1/models?limit=1"})
		require.Equal(t, []string{"POST /v1/messages any  {}", "GET /v1/models?limit=1   "}, seen)
	})
}

func TestWholeAnswers(t *testing.T) {
	for name, test := range map[string]struct {
		body, text, stop string
		usage            probe.Usage
	}{
		"a message": {
			body: `{"type":"message","content":[{"type":"thinking","thinking":"x"},{"type":"text","text":"Good "},{"type":"text","text":"day"}],` +
				`"stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":2,"cache_creation_input_tokens":1}}`,
			text: "Good day", stop: "end_turn", usage: probe.Usage{Input: 3, Output: 2, CacheCreation: 1},
		},
		"a completion":   {body: `{"type":"completion","completion":" Hello","stop_reason":"stop_sequence"}`, text: " Hello", stop: "stop_sequence"},
		"some other one": {body: `[{"type":1}]`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := one(t, serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, test.body) }), probe.Shot{})
				require.Equal(t, probe.Answered, r.Outcome)
				require.Equal(t, test.text, r.Text)
				require.Equal(t, test.stop, r.StopReason)
				require.Equal(t, test.usage, r.Usage)
				require.Equal(t, probe.Never, r.FirstToken)
				require.EqualValues(t, len(test.body), r.Bytes)
			})
		})
	}
}

func TestACompressedStreamIsReadAsItComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sent := 0
		client := serve(t, func(w http.ResponseWriter, r *http.Request) {
			require.Equal(t, "gzip", r.Header.Get("Accept-Encoding"))
			w.Header().Set("Content-Type", "text/event-stream")
			w.Header().Set("Content-Encoding", "gzip")
			var buffer bytes.Buffer
			z := gzip.NewWriter(&buffer)
			for _, part := range []string{sse(started), sse(spoken), sse(spoken), sse(stopped)} {
				wait(r, 10*ms)
				_, _ = io.WriteString(z, part)
				if part == sse(stopped) {
					_ = z.Close()
				}
				_ = z.Flush()
				sent += buffer.Len()
				_, _ = buffer.WriteTo(w)
				_ = http.NewResponseController(w).Flush()
			}
		})
		r := one(t, client, probe.Shot{Header: http.Header{"Accept-Encoding": {"gzip"}}})
		require.Equal(t, probe.Answered, r.Outcome, r.Err)
		require.Equal(t, 20*ms, r.FirstToken)
		require.Equal(t, []time.Duration{10 * ms}, slices.Collect(r.Gaps()))
		require.EqualValues(t, sent, r.Bytes)
		require.Len(t, r.Reads, 4)
	})
}

func TestAStreamOfBareTextIsReadAsItComes(t *testing.T) {
	for name, test := range map[string]struct {
		cut     bool
		outcome probe.Outcome
	}{"whole": {false, probe.Answered}, "cut": {true, probe.Cut}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := one(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Content-Type", "text/plain; charset=utf-8")
					for _, part := range []string{"Tea: \xe8", "\x8c\xb6", " or caf\u00e9"} {
						wait(r, 10*ms)
						_, _ = io.WriteString(w, part)
						_ = http.NewResponseController(w).Flush()
					}
					if test.cut {
						panic(http.ErrAbortHandler)
					}
				}), probe.Shot{})
				require.Equal(t, test.outcome, r.Outcome, r.Err)
				require.Equal(t, "Tea: 茶 or café", r.Text)
				require.Equal(t, 10*ms, r.FirstToken)
				require.Equal(t, []time.Duration{10 * ms, 10 * ms}, slices.Collect(r.Gaps()))
			})
		})
	}
}

func TestAnAnswerWithoutEndIsCut(t *testing.T) {
	for name, text := range map[string]string{"of events": sse(spoken), "of a line": "data: x", "of data": "data: xxxxx\n"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "text/event-stream")
					for {
						if _, err := io.WriteString(w, text); err != nil {
							return
						}
					}
				})
				var all results
				err := probe.Open(t.Context(), target, every(s, 1, probe.Shot{}), probe.Options{Client: client, MaxBody: 10_000}, all.add)
				require.NoError(t, err)
				require.Equal(t, probe.Cut, all[0].Outcome)
				require.ErrorContains(t, all[0].Err, "longer than the prober takes")
			})
		})
	}
}

func TestTheMockIsMeasuredToTheNanosecond(t *testing.T) {
	for name, encoding := range map[string]string{"zio": "identity", "zio-gzip": "gzip"} {
		t.Run(name, func(t *testing.T) { measureToTheNanosecond(t, name, encoding) })
	}
}

func measureToTheNanosecond(t *testing.T, scenario, encoding string) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.Scenario(scenario))
		shot := probe.Shot{
			Header: http.Header{"Accept-Encoding": {encoding}, "X-Api-Key": {"any"}, "Anthropic-Version": {"2023-06-01"}, "Content-Type": {"application/json"}},
			Body:   []byte(`{"model":"claude-sonnet-5","max_tokens":50,"stream":true,"messages":[{"role":"user","content":"Hello"}]}`),
		}
		var all results
		require.NoError(t, probe.Open(t.Context(), srv.URL, every(37*ms, 40, shot), probe.Options{Client: srv.Client()}, all.add))
		entries := srv.Journal().All()
		require.Len(t, entries, 40)
		for k, r := range all {
			require.Equal(t, probe.Answered, r.Outcome)
			require.Equal(t, encoding == "gzip", r.Header.Get("Content-Encoding") == "gzip")
			require.Equal(t, entries[k].PlannedDuration(), r.Duration)
			var planned, seen []time.Duration
			for _, step := range entries[k].Steps {
				if step.Event == "content_block_delta" {
					planned = append(planned, step.Planned)
				}
			}
			for _, d := range r.Deltas {
				seen = append(seen, d.At)
			}
			require.Equal(t, planned, seen)
			require.Equal(t, planned[0], r.FirstToken)
		}
	})
}

func TestARealConnectionIsRefusedOrAnswered(t *testing.T) {
	srv := httptest.NewServer(streaming(sse(started), sse(spoken), sse(stopped)))
	var report probe.Report
	require.NoError(t, probe.Open(t.Context(), srv.URL+"/", every(ms, 20, probe.Shot{}), probe.Options{}, report.Add))
	require.Equal(t, 20, report.Count(probe.Answered), report.First(probe.Failed))
	srv.Close()
	require.NoError(t, probe.Open(t.Context(), srv.URL, every(ms, 2, probe.Shot{}), probe.Options{}, report.Add))
	require.Equal(t, 2, report.Count(probe.Failed))
	require.NotContains(t, report.First(probe.Failed).Error(), "http://")
}
