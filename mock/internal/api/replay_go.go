package api

import (
	"errors"
	"fmt"
	"go/format"
	"net/http"
	"strconv"
	"strings"
	"text/template"
	"time"
	"unicode/utf8"

	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
)

// goTest is a test file that gets the answer again, of a server of its own.
const goTest = `package replay_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/seed-954e9acd/orrery/mock"
)

// The request #{{.Sequence}}: {{.About}}
func TestReplay(t *testing.T) {
	srv := mock.Start(t, mock.ScenarioText(scenario), mock.Seed({{.Seed}}))
{{- if .Before}}
	for range {{.Before}} { // the answer in question is that to a later request
		ask(t, srv)
	}
{{- end}}
	ask(t, srv)
	answer := srv.Journal().Last()
	if answer.Status != {{.Status}} {
		t.Errorf("status %d", answer.Status)
	}
{{- if ge .TTFT 0}}
	if got, want := answer.PlannedTTFT(), {{.TTFT}}*time.Nanosecond; got != want {
		t.Errorf("the first token comes after %s, not after %s", got, want)
	}
{{- end}}
	if got, want := answer.PlannedDuration(), {{.Duration}}*time.Nanosecond; got != want {
		t.Errorf("the answer takes %s, not %s", got, want)
	}
}

// ask sends the request and waits for the answer's end. Put your own client in its place.
func ask(t *testing.T, srv *mock.Server) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), {{.Method}}, srv.URL+{{.Path}}, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
{{- range .Headers}}
	request.Header.Add({{.Name}}, {{.Value}})
{{- end}}
	response, err := srv.Client().Do(request)
	if err != nil {
		t.Logf("no answer: %v", err)
		return
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		t.Logf("the answer was broken off: %v", err)
	}
}

const body = {{.Body}}

const scenario = {{.Scenario}}
`

// mostGoBody is how long a body may be to stand in a test.
const mostGoBody = 1 << 20

var (
	errEndless   = errors.New("the answer has no end, and neither would its test")
	errLargeBody = errors.New("the request's body has more than 1 MB, too much for a test's source")
)

// goFile is the replay as a file of Go; an error says why there is none.
func (r *replay) goFile() (string, error) {
	switch {
	case r.plan.Duration() >= timeline.Never:
		return "", errEndless
	case len(r.entry.Body) > mostGoBody:
		return "", errLargeBody
	}
	type header struct{ Name, Value string }
	var headers []header
	if kind := r.entry.Header.Get("Content-Type"); kind != "" {
		headers = append(headers, header{strconv.Quote("Content-Type"), goText(kind)})
	}
	for _, name := range []string{"X-Api-Key", "Authorization"} {
		if r.entry.Header.Get(name) != "" {
			headers = append(headers, header{strconv.Quote(name), map[string]string{"X-Api-Key": `"any"`, "Authorization": `"Bearer any"`}[name]})
		}
	}
	for _, line := range TellingHeaders(r.entry) {
		name, value, _ := strings.Cut(line, ": ")
		headers = append(headers, header{strconv.Quote(name), goText(value)})
	}
	e := r.entry
	if e.Run != DefaultRun { // whose name the answer's ids follow
		headers = append(headers, header{strconv.Quote("X-Orrery-Run"), goText(e.Run)})
	}
	var b strings.Builder
	err := template.Must(template.New("").Parse(goTest)).Execute(&b, map[string]any{
		"Sequence": e.Sequence, "Seed": e.Seed, "Before": r.before, "Status": r.plan.Status, "Headers": headers,
		"About":  oneLine(fmt.Sprintf("scenario %s, run %s, request %d of it, route %s.", e.Scenario, e.Run, e.Ordinal, e.Route)),
		"TTFT":   int64(firstDelta(r.plan)),
		"Method": strconv.Quote(e.Method), "Path": strconv.Quote(messagesPath),
		"Duration": int64(r.plan.Duration()), "Body": goText(string(e.Body)), "Scenario": goText(r.scenario),
	})
	if err != nil {
		return "", err
	}
	file, err := format.Source([]byte(b.String()))
	return string(file), err
}

// firstDelta is when the first content delta is due, −1 without any.
func firstDelta(t *timeline.Timeline) time.Duration {
	for i := range t.Len() {
		if t.Event(i) == timeline.Delta.String() {
			return t.Step(i).Due
		}
	}
	return -1
}

// goText is a text as a Go literal: as it stands, where Go takes it so.
func goText(text string) string {
	plain := utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return r == '`' || r == '\ufeff' || r < ' ' && r != '\n' && r != '\t' || r == 0x7f
	})
	if plain && strings.ContainsAny(text, "\n\"\\") {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

func (s *Service) journalGo(w http.ResponseWriter, r *http.Request) {
	found := s.replayOf(w, r)
	if found == nil {
		return
	}
	file, err := found.goFile()
	if err != nil {
		refuse(w, http.StatusConflict, "sequence", err.Error())
		return
	}
	plainText(w, "text/plain; charset=utf-8", file)
}
