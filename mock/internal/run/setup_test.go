package run_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/reply"
	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

const ms = time.Millisecond

// quick are a profile and a route that answers everything at once.
const (
	quick = "profiles: {quick: {respond: 0}}\n"
	all   = "routes: [{name: all, profile: quick, reply: hello}]\n"
)

// start is when the first request of a test arrives, unless it says otherwise.
func start() time.Time { return time.Date(2024, 10, 22, 13, 30, 0, 0, time.UTC) }

func loaded(t testing.TB, text string) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Loader{}.Load("test.yaml", []byte("orrery: 1\nname: test\n"+text))
	require.NoError(t, err)
	return s
}

func replies(t testing.TB) *reply.Library {
	t.Helper()
	l, err := reply.Open(fstest.MapFS{
		"replies/bees.md":  {Data: []byte("Bees dance to say where the flowers are, and the others follow.")},
		"replies/tides.md": {Data: []byte("The moon pulls, the sea follows, and twice a day the harbour is full.")},
		"replies/trees.md": {Data: []byte("Count the rings.")},
	})
	require.NoError(t, err)
	return l
}

// game is a run and how to ask it.
type game struct {
	*run.Run
	t        testing.TB
	reader   *wire.Reader
	scenario *scenario.Scenario
}

// playing starts a run of a scenario whose head (version and name) is left out.
func playing(t testing.TB, text string) *game {
	t.Helper()
	return playingAs(t, text, "default", nil)
}

func playingAs(t testing.TB, text, name string, seed *uint64) *game {
	t.Helper()
	s := loaded(t, text)
	r := run.New(run.Config{Name: name, Scenario: s, Replies: replies(t), Seed: seed})
	return &game{r, t, wire.NewReader(), s}
}

// change is what a test's request has of its own.
type change func(*asked)

type asked struct {
	query  run.Query
	fields []string
	text   string
}

func at(d time.Duration) change    { return func(a *asked) { a.query.Arrived = start().Add(d) } }
func from(client string) change    { return func(a *asked) { a.query.Client = client } }
func saying(text string) change    { return func(a *asked) { a.text = text } }
func streamed() change             { return with(`"stream":true`) }
func with(field string) change     { return func(a *asked) { a.fields = append(a.fields, field) } }
func header(name, v string) change { return func(a *asked) { a.query.Header.Add(name, v) } }
func retry(n int) change           { return header("X-Stainless-Retry-Count", fmt.Sprint(n)) }

// query makes a request: a short one, but for the changes.
func (g *game) query(changes ...change) run.Query {
	g.t.Helper()
	a := asked{text: "hi", query: run.Query{
		Arrived: start(), Header: http.Header{}, Method: "POST", Path: "/v1/messages", Protocol: "HTTP/1.1", Client: "key-a",
	}}
	for _, c := range changes {
		c(&a)
	}
	body := fmt.Sprintf(`{"model":"claude-sonnet-5","max_tokens":1000,"messages":[{"role":"user","content":%q}]%s}`,
		a.text, strings.Join(append([]string{""}, a.fields...), ","))
	var extra []wire.ExtraField
	for _, p := range g.scenario.Parameters {
		extra = append(extra, wire.ExtraField{Name: p.Name})
	}
	request, problem := g.reader.Read([]byte(body), wire.ReadOptions{Version: wire.Version2023, Extra: extra})
	require.Nil(g.t, problem)
	a.query.Request, a.query.Bytes = request, len(body)
	return a.query
}

func (g *game) ask(changes ...change) *run.Decision {
	g.t.Helper()
	return g.Decide(g.query(changes...))
}

// durations asks n times, each when the one before has ended.
func (g *game) durations(n int, changes ...change) []time.Duration {
	g.t.Helper()
	q := g.query(changes...)
	all := make([]time.Duration, n)
	for i := range all {
		all[i] = g.Decide(q).Timeline.Duration()
		q.Arrived = q.Arrived.Add(all[i])
	}
	return all
}

// routes asks with the same request and says which routes answered.
func (g *game) routes(n int, changes ...change) []string {
	g.t.Helper()
	q := g.query(changes...)
	names := make([]string, n)
	for i := range names {
		names[i] = g.Decide(q).Route()
	}
	return names
}

// text is what an answer says.
func text(d *run.Decision) string {
	if d.Timeline.Message == nil {
		return ""
	}
	return d.Timeline.Message.Blocks[0].Text
}

// plan is everything of a decision that the client sees, with the instants.
func plan(d *run.Decision) string {
	var b strings.Builder
	for i := range d.Timeline.Len() {
		fmt.Fprintf(&b, "%v %s\n", d.Timeline.Step(i).Due, d.Timeline.Append(nil, i))
	}
	return b.String()
}

// gaps are the planned times between a stream's deltas.
func gaps(d *run.Decision) []time.Duration {
	var all []time.Duration
	before := time.Duration(-1)
	for i := range d.Timeline.Len() {
		s := d.Timeline.Step(i)
		if s.Kind != timeline.Delta {
			continue
		}
		if before >= 0 {
			all = append(all, s.Due-before)
		}
		before = s.Due
	}
	return all
}

// places are the names of the places where a decision drew.
func places(d *run.Decision) []string {
	names := []string{}
	for _, w := range d.Draws() {
		names = append(names, w.Place)
	}
	return names
}

func message(d *run.Decision) string {
	if d.Timeline.Error == nil {
		return ""
	}
	return d.Timeline.Error.Message
}
