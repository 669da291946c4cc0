package api

import (
	"net/http"
	"strconv"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
)

// told is the roundness of the tokens that the API tells of.
const told = 1000

// rateHeaders tells what is left of a request's limits, as the API does on every success and 429.
// The values are pieces of one text, and their slices pieces of one array: this lies on the way of
// every request.
func rateHeaders(h http.Header, r *run.Rates) {
	var room [256]byte
	w := rateWriter{text: room[:0]}
	w.rate(r.Requests, 1, "Anthropic-Ratelimit-Requests-Limit", "Anthropic-Ratelimit-Requests-Remaining", "Anthropic-Ratelimit-Requests-Reset")
	w.rate(r.Input, told, "Anthropic-Ratelimit-Input-Tokens-Limit", "Anthropic-Ratelimit-Input-Tokens-Remaining", "Anthropic-Ratelimit-Input-Tokens-Reset")
	w.rate(r.Output, told, "Anthropic-Ratelimit-Output-Tokens-Limit", "Anthropic-Ratelimit-Output-Tokens-Remaining", "Anthropic-Ratelimit-Output-Tokens-Reset")
	w.rate(both(r.Input, r.Output), told, "Anthropic-Ratelimit-Tokens-Limit", "Anthropic-Ratelimit-Tokens-Remaining", "Anthropic-Ratelimit-Tokens-Reset")
	text, values, from := string(w.text), make([]string, w.n), 0
	for i := range w.n {
		values[i] = text[from:w.ends[i]]
		from = w.ends[i]
		h[w.names[i]] = values[i : i+1 : i+1]
	}
}

// both is the limit on input and output together; none unless there are both.
func both(input, output run.Rate) run.Rate {
	if input.Limit == 0 || output.Limit == 0 {
		return run.Rate{}
	}
	sum := run.Rate{
		Limit: input.Limit + output.Limit, Reset: input.Reset,
		Remaining: rounded(input.Remaining, told) + rounded(output.Remaining, told),
	}
	if output.Reset.After(sum.Reset) {
		sum.Reset = output.Reset
	}
	return sum
}

func rounded(n, to int) int { return (n + to/2) / to * to }

type rateWriter struct {
	text  []byte
	names [12]string
	ends  [12]int // of the values in text
	n     int
}

func (w *rateWriter) rate(r run.Rate, to int, limit, remaining, reset string) {
	if r.Limit == 0 {
		return
	}
	w.text = strconv.AppendInt(w.text, int64(r.Limit), 10)
	w.end(limit)
	w.text = strconv.AppendInt(w.text, int64(rounded(r.Remaining, to)), 10)
	w.end(remaining)
	w.text = r.Reset.UTC().AppendFormat(w.text, time.RFC3339)
	w.end(reset)
}

func (w *rateWriter) end(name string) {
	w.names[w.n], w.ends[w.n] = name, len(w.text)
	w.n++
}
