package journal

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ParseQuery reads a query from a URL's parameters: scenario, run, route, mark, model, status (429,
// 400-499 or 4xx), outcome, phase, method, path, client, key, connection, attempt, from and to (as
// 2026-11-29T18:30:00Z), after (a sequence), system, tool, text. Others names further parameters,
// which the caller reads. The error is a [*ParameterError].
func ParseQuery(values url.Values, others ...string) (Query, error) {
	var q Query
	readers := q.readers()
	for _, name := range slices.Sorted(maps.Keys(values)) { // so that the first error is always the same
		if slices.Contains(others, name) {
			continue
		}
		read, known := readers[name]
		if !known {
			all := slices.Sorted(slices.Values(append(slices.Collect(maps.Keys(readers)), others...)))
			return Query{}, misused(name, "parameter %q is unknown; there are %s", name, strings.Join(all, ", "))
		}
		if n := len(values[name]); n > 1 {
			return Query{}, misused(name, "parameter %s is given %d times; give it once", name, n)
		}
		value := values.Get(name)
		if value == "" {
			return Query{}, misused(name, "parameter %s is empty; leave it out or give it a value", name)
		}
		if want := read(value); want != "" {
			return Query{}, misused(name, "parameter %s is %q; it must be %s", name, value, want)
		}
	}
	return q, nil
}

// ParameterError says what is wrong with a parameter of a query in a URL, and what it may be.
type ParameterError struct {
	Parameter string // its name
	message   string
}

func (e *ParameterError) Error() string { return e.message }

func misused(name, format string, args ...any) error {
	return &ParameterError{name, fmt.Sprintf(format, args...)}
}

// readers set one field each, or say what the value must be.
func (q *Query) readers() map[string]func(string) string {
	text := func(into *string) func(string) string {
		return func(s string) string {
			*into = s
			return ""
		}
	}
	return map[string]func(string) string{
		"scenario": text(&q.Scenario), "run": text(&q.Run), "route": text(&q.Route), "mark": text(&q.Mark),
		"model": text(&q.Model), "method": text(&q.Method), "path": text(&q.Path), "client": text(&q.Client), "key": text(&q.Key),
		"system": text(&q.System), "tool": text(&q.Tool), "text": text(&q.Text),
		"status":     q.readStatus,
		"outcome":    oneOf(&q.Outcome, Open, Complete, Refused, Broken, ClientLeft, Failed),
		"phase":      oneOf(&q.Phase, Reading, Waiting, Headers, Streaming, Done),
		"connection": number(&q.Connection),
		"after":      number(&q.After),
		"attempt": func(s string) string {
			n, err := strconv.Atoi(s)
			if err != nil || n < 1 {
				return "a whole number from 1"
			}
			q.Attempt = n
			return ""
		},
		"from": instant(&q.ArrivedFrom),
		"to":   instant(&q.ArrivedTo),
	}
}

func (q *Query) readStatus(s string) string {
	const want = "a status such as 429, a range such as 400-499, or a class such as 4xx, within 100 to 999"
	from, to, isRange := strings.Cut(s, "-")
	if class, ok := strings.CutSuffix(s, "xx"); ok && len(class) == 1 {
		from, to, isRange = class+"00", class+"99", true
	}
	low, err := strconv.Atoi(from)
	high := low
	if isRange && err == nil {
		high, err = strconv.Atoi(to)
	}
	if err != nil || low < leastStatus || high > mostStatus || high < low {
		return want
	}
	if isRange {
		q.StatusFrom, q.StatusTo = low, high
	} else {
		q.Status = low
	}
	return ""
}

func oneOf[T ~string](into *T, allowed ...T) func(string) string {
	return func(s string) string {
		if !slices.Contains(allowed, T(s)) {
			words := make([]string, len(allowed))
			for i, a := range allowed {
				words[i] = string(a)
			}
			return "one of " + strings.Join(words, ", ")
		}
		*into = T(s)
		return ""
	}
}

func number(into *uint64) func(string) string {
	return func(s string) string {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil || n == 0 {
			return "a whole number from 1"
		}
		*into = n
		return ""
	}
}

func instant(into *time.Time) func(string) string {
	return func(s string) string {
		t, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			return "a time such as 2026-11-29T18:30:00Z"
		}
		*into = t
		return ""
	}
}
