package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// hello is the request that plan makes unless it is given one.
const hello = `{"model":"claude-sonnet-5","max_tokens":1024,"stream":true,"messages":[{"role":"user","content":"Hello"}]}`

// planQuestion is what plan was asked.
type planQuestion struct {
	request string
	stream  bool
	count   int
	headers []string
	at      instant
	asJSON  bool
	all     bool
}

// mostPlans bounds what plan holds at once: every plan is kept until the last is made.
const mostPlans = 100_000

func planCommand(c *console) *cobra.Command {
	q := planQuestion{at: instant(time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC))}
	cmd := &cobra.Command{
		Use:   "plan SCENARIO",
		Short: "Print the timeline that a request would get",
		Long: "Prints what a server playing SCENARIO has decided about the next requests before it sends a byte:\n" +
			"per request a line with its ordinal, route, status and marks, then a line for each step with its\n" +
			"offset from arrival in milliseconds, kind, event, tokens and bytes. Nothing listens, nothing waits.",
		Example: "  orrery plan zio\n  orrery plan ./slow.yaml -n 3 --seed 7\n" +
			"  orrery plan zero-plane --stream=false --header 'X-Anthropic-Experimental: zero-plane-2024'",
		Args: oneArg("one scenario (orrery list shows them), or the path of a .yaml file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.settings.load(); err != nil {
				return err
			}
			c.settings.scenario = text(args[0])
			r, err := c.request(q, cmd.Flags().Changed("stream"))
			if err != nil {
				return err
			}
			return c.plan(q, r)
		},
		ValidArgsFunction: c.completeScenario,
	}
	f := cmd.Flags()
	f.StringVar(&q.request, "request", "", "a `FILE` with the request's JSON body, or - for stdin (default: a short streaming hello)")
	f.BoolVar(&q.stream, "stream", false, "set the body's stream to this (default: as the body has it)")
	f.IntVarP(&q.count, "count", "n", 1, "plan `N` such requests, one after the other")
	f.StringArrayVar(&q.headers, "header", nil, "a header as `'NAME: VALUE'`, any number of times; without a value it is left out")
	f.Var(&q.at, "at", "the `TIME` at which the first one arrives, for conditions on the hour")
	f.BoolVar(&q.asJSON, "json", false, "print an array of the journal's entries")
	f.BoolVar(&q.all, "all", false, "show the middle of long answers too")
	c.settings.on(cmd, "scenarios", "seed")
	return cmd
}

// request makes the request that is to be planned.
func (c *console) request(q planQuestion, setStream bool) (*http.Request, error) {
	if q.count < 1 || q.count > mostPlans {
		return nil, misuse("-n %d: the number of requests is 1 to %d", q.count, mostPlans)
	}
	body := []byte(hello)
	if q.request != "" {
		var err error
		if body, err = c.read(q.request); err != nil {
			return nil, fmt.Errorf("--request: %w", err)
		}
	}
	if setStream {
		var fields map[string]any
		d := json.NewDecoder(bytes.NewReader(body))
		d.UseNumber()
		if err := d.Decode(&fields); err != nil || fields == nil {
			return nil, misuse("--stream wants a body that is one JSON object; %s isn't", q.request)
		}
		fields["stream"] = q.stream
		body, _ = json.Marshal(fields)
	}
	r, err := http.NewRequest(http.MethodPost, "http://127.0.0.1:4010/v1/messages", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("content-type", "application/json")
	r.Header.Set("anthropic-version", "2023-06-01")
	r.Header.Set("x-api-key", "orrery-plan")
	for _, header := range q.headers {
		if err := addHeader(r.Header, header); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// addHeader adds a header to those given before, but stands in place of plan's own.
func addHeader(to http.Header, header string) error {
	name, value, ok := strings.Cut(header, ":")
	name, value = textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name)), strings.TrimSpace(value)
	if !ok || name == "" || strings.ContainsAny(name, " \t") {
		return misuse("--header %q is no header such as 'X-Orrery-Run: t1'", header)
	}
	switch {
	case value == "":
		to.Del(name)
	case name == "Content-Type" || name == "Anthropic-Version" || name == "X-Api-Key":
		to.Set(name, value)
	default:
		to.Add(name, value)
	}
	return nil
}

func (c *console) plan(q planQuestion, r *http.Request) error {
	h, err := mock.New(append(c.settings.options(), mock.Clock(q.at))...)
	if err != nil {
		return explain(err)
	}
	entries, err := h.Plans(r, q.count)
	if err != nil {
		return err
	}
	if q.asJSON {
		return c.printJSON(entries)
	}
	for _, e := range entries {
		c.printEntry(e, q.all)
	}
	return nil
}

// instant is a clock that stands still: a plan is the same whenever it is asked for.
type instant time.Time

// Now is always the same.
func (i instant) Now() time.Time { return time.Time(i) }

// WaitUntil doesn't wait, for nothing is played.
func (i instant) WaitUntil(ctx context.Context, _ time.Time) error { return ctx.Err() }

func (i instant) String() string { return time.Time(i).Format(time.RFC3339Nano) }
func (instant) Type() string     { return "time" }

// Set parses what RFC 3339 allows.
func (i *instant) Set(word string) error {
	t, err := time.Parse(time.RFC3339Nano, word)
	if err != nil {
		return fmt.Errorf("%q is no time such as 2026-11-29T18:30:00Z", word)
	}
	*i = instant(t.UTC())
	return nil
}

// Of a longer answer only the first and the last steps are shown.
const (
	shownFirst = 16
	shownLast  = 8
)

// printEntry prints one planned answer: a line about it, then a table of its steps.
func (c *console) printEntry(e journal.Entry, all bool) {
	tokens, size := 0, 0
	for _, s := range e.Steps {
		tokens, size = tokens+s.Tokens, size+s.Bytes
	}
	ends := "ends at " + ms(e.PlannedDuration()) + " ms"
	status := strconv.Itoa(e.Status)
	if e.PlannedDuration() >= journal.Never {
		status, ends = "-", "never answered"
	}
	c.printf("#%d status %s, route %s, marks %s: %d tokens, %d bytes, %s\n",
		e.Ordinal, status, orDash(e.Route), orDash(strings.Join(marked(e), " ")), tokens, size, ends)
	for _, name := range slices.Sorted(maps.Keys(e.Parts)) {
		c.printf("%14s  %-6s %s\n", ms(e.Parts[name]), "part", name)
	}
	c.printf("%14s  %-6s %-20s %6s %7s\n", "offset ms", "kind", "event", "tokens", "bytes")
	for i, s := range e.Steps {
		hidden := len(e.Steps) - shownFirst - shownLast
		if !all && hidden > 1 && i >= shownFirst && i < len(e.Steps)-shownLast {
			if i == shownFirst {
				c.printf("%14s  %d more steps; --all shows them\n", "...", hidden)
			}
			continue
		}
		c.printf("%14s  %-6s %-20s %6d %7d\n", ms(s.Planned), s.Kind, orDash(s.Event), s.Tokens, s.Bytes)
	}
}

// marked names the marks that are set, in order.
func marked(e journal.Entry) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(e.Marks)) {
		if e.Marks[name] {
			names = append(names, name)
		}
	}
	return names
}

// ms is a duration in milliseconds to the microsecond; "-" when there is none, "never" when it has no end.
func ms(d time.Duration) string {
	if d < 0 {
		return "-"
	}
	if d >= journal.Never {
		return "never"
	}
	return fmt.Sprintf("%d.%03d", d.Milliseconds(), d.Microseconds()%1000)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
