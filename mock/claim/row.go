package claim

import (
	"math"
	"net/textproto"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// row is one request and what came of it, or one gap of its stream. It is filled anew for each.
type row struct {
	seen     seen
	decision *run.Decision // nil when it was made elsewhere
	sent     sent
	rate     float64 // the rate at that time, per second
	clients  int
	elapsed  time.Duration // from the first request of the run to this one
	ended    time.Duration // from arrival to the last byte, or to the client's leaving
	status   int           // 0: nothing came
	answered bool
	left     bool
	released time.Duration // from leaving to the slot's release
	try      int
	// connection is the number of its connection, requests how many had come on it.
	connection uint64
	requests   int
	chain      time.Duration // of a chain that has ended
	calls      int
	has        scenario.Needs

	gap       time.Duration
	gapTokens int
	gapIndex  int
	write     writeRow
}

// sent is what was asked: by a workload, or by whoever the journal has it from.
type sent interface {
	// value is the column sent.NAME; nil when it isn't known.
	value(name string) any
	// headerOf is a header of the request by its canonical name, "" when it has none.
	headerOf(name string) string
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// numberOf reads a column as a number: true is 1, a float that the row hasn't got is NaN, a whole
// number 0.
func numberOf(column string) func(*row) float64 {
	switch column {
	case "duration_ms":
		return func(r *row) float64 {
			if !r.answered {
				return math.NaN()
			}
			return milliseconds(r.ended)
		}
	case "ttft_ms":
		return func(r *row) float64 {
			if !r.answered {
				return math.NaN()
			}
			return milliseconds(r.seen.ttft())
		}
	case "ended_ms":
		return func(r *row) float64 { return milliseconds(r.ended) }
	case "status":
		return func(r *row) float64 { return float64(r.status) }
	case "answered":
		return func(r *row) float64 { return truth(r.answered) }
	case "refused":
		return func(r *row) float64 { return truth(r.status >= 400) }
	case "left":
		return func(r *row) float64 { return truth(r.left) }
	case "released_ms":
		return func(r *row) float64 {
			if !r.left {
				return math.NaN()
			}
			return milliseconds(r.released)
		}
	case "tokens":
		return outputTokens
	case "input_tokens":
		return func(r *row) float64 { return number(r.sent.value("input_tokens")) }
	case "bytes":
		return func(r *row) float64 { return float64(r.seen.bytes(r.ended)) }
	case "ordinal":
		return func(r *row) float64 { return float64(r.seen.ordinal()) }
	case "elapsed_ms":
		return func(r *row) float64 { return milliseconds(r.elapsed) }
	case "concurrency":
		return func(r *row) float64 { return float64(r.decision.Snapshot().Concurrency) }
	case "qps":
		return func(r *row) float64 { return float64(r.decision.Snapshot().QPS) }
	case "connection":
		return func(r *row) float64 { return float64(r.connection) }
	case "connection_requests":
		return func(r *row) float64 { return float64(r.requests) }
	case "try":
		return func(r *row) float64 { return float64(r.try) }
	case "warned":
		return func(r *row) float64 { return truth(len(r.decision.Warnings) > 0) }
	case "chain_ms":
		return func(r *row) float64 {
			if r.has&scenario.ChainEnded == 0 {
				return math.NaN()
			}
			return milliseconds(r.chain)
		}
	case "chain_calls":
		return func(r *row) float64 { return float64(r.calls) }
	case "gap_ms":
		return func(r *row) float64 { return milliseconds(r.gap) }
	case "gap_index":
		return func(r *row) float64 { return float64(r.gapIndex) }
	case "write_ms":
		return func(r *row) float64 { return milliseconds(r.write.at) }
	case "write_bytes":
		return func(r *row) float64 { return float64(r.write.size) }
	case "write_index":
		return func(r *row) float64 { return float64(r.write.index) }
	case "write_last":
		return func(r *row) float64 { return truth(r.write.last) }
	case "splits_character":
		return func(r *row) float64 { return truth(r.write.splits) }
	case "split_characters":
		return func(r *row) float64 { return float64(r.splitCharacters()) }
	case "valid_utf8":
		return func(r *row) float64 {
			body, ok := r.body()
			return truth(ok && utf8.Valid(body))
		}
	case "calls":
		return func(r *row) float64 {
			if !r.answered {
				return 0
			}
			return float64(r.seen.calls())
		}
	case "sent.rate":
		return func(r *row) float64 { return r.rate }
	case "sent.clients":
		return func(r *row) float64 { return float64(r.clients) }
	}
	return numberNamed(column)
}

// numberNamed reads a column with a name of the scenario's own.
func numberNamed(column string) func(*row) float64 {
	group, name, _ := strings.Cut(column, ".")
	switch group {
	case "sent":
		return func(r *row) float64 { return number(r.sent.value(name)) }
	case "marks":
		return func(r *row) float64 { return truth(r.decision.Marked(name)) }
	case "usage":
		return func(r *row) float64 { return usage(r, name) }
	case "figures":
		return func(r *row) float64 {
			v, ok := r.decision.Figure(name)
			if !ok {
				return math.NaN()
			}
			return v
		}
	case "part":
		return func(r *row) float64 {
			v, ok := r.decision.Part(name)
			if !ok {
				return math.NaN()
			}
			return milliseconds(v)
		}
	}
	return func(*row) float64 { return math.NaN() }
}

func number(v any) float64 {
	switch v := v.(type) {
	case int:
		return float64(v)
	case float64:
		return v
	case bool:
		return truth(v)
	}
	return math.NaN()
}

func outputTokens(r *row) float64 {
	if r.has&scenario.OfAGap != 0 {
		return float64(r.gapTokens)
	}
	return usage(r, "output_tokens")
}

func usage(r *row, field string) float64 {
	u, ok := r.seen.usage()
	if !ok || !r.answered {
		return 0
	}
	switch field {
	case "input_tokens":
		return float64(u.Input)
	case "output_tokens":
		return float64(u.Output)
	case "cache_read_input_tokens":
		return float64(u.CacheRead)
	}
	return float64(u.CacheCreation)
}

// wordsOf reads a column that is text.
func wordsOf(column string) func(*row) string {
	switch column {
	case "route":
		return func(r *row) string { return r.decision.Route() }
	case "phase":
		return func(r *row) string { return r.decision.Phase() }
	case "request_id":
		return func(r *row) string { return r.seen.header("request-id") }
	case "warning":
		return func(r *row) string { return strings.Join(r.decision.Warnings, "; ") }
	case "error_type":
		return func(r *row) string {
			if r.status == 0 {
				return ""
			}
			return r.seen.errorType()
		}
	case "body":
		return func(r *row) string {
			body, ok := r.body()
			if !ok {
				return ""
			}
			return string(body)
		}
	case "ends_inside":
		return func(r *row) string { return r.write.inside }
	case "answer":
		return func(r *row) string { return ifAnswered(r, r.seen.text) }
	case "model":
		return func(r *row) string { return ifAnswered(r, r.seen.model) }
	case "stop_reason":
		return func(r *row) string { return ifAnswered(r, r.seen.stopReason) }
	}
	if name, ok := strings.CutPrefix(column, "header:"); ok {
		return func(r *row) string {
			if r.status == 0 {
				return ""
			}
			return r.seen.header(name)
		}
	}
	if name, ok := strings.CutPrefix(column, "sent.header:"); ok {
		name = textproto.CanonicalMIMEHeaderKey(name)
		return func(r *row) string { return r.sent.headerOf(name) }
	}
	name := strings.TrimPrefix(column, "sent.")
	return func(r *row) string { s, _ := r.sent.value(name).(string); return s }
}

func ifAnswered(r *row, of func() string) string {
	if !r.answered {
		return ""
	}
	return of()
}

// gaps calls each with the row as it is for every gap of the stream, up to the end.
func (r *row) gaps(each func(*row)) {
	whole := r.has
	r.has |= scenario.OfAGap
	r.gapIndex = 0
	r.seen.gaps(r.ended, func(gap time.Duration, tokens int) {
		r.gap, r.gapTokens = gap, tokens
		r.gapIndex++
		each(r)
	})
	r.has = whole
}
