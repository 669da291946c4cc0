package main

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

func TestPlansRequestIsWhatWasAskedFor(t *testing.T) {
	const whole = `{"model":"m","max_tokens":9007199254740993,"messages":[]}`
	for name, test := range map[string]struct {
		q         planQuestion
		setStream bool
		body      string
		want      map[string][]string
	}{
		"without anything": {q: planQuestion{count: 1}, body: hello,
			want: map[string][]string{"X-Api-Key": {"orrery-plan"}, "Anthropic-Version": {"2023-06-01"}, "Content-Type": {"application/json"}}},
		"a body stays as it is": {q: planQuestion{count: 1, request: "-"}, body: whole},
		"stream is set":         {q: planQuestion{count: 1, request: "-", stream: true}, setStream: true, body: `{"max_tokens":9007199254740993,"messages":[],"model":"m","stream":true}`},
		"a header":              {q: planQuestion{count: 1, headers: []string{"x-a: 1", "X-A:2"}}, body: hello, want: map[string][]string{"X-A": {"1", "2"}}},
		"plan's own replaced":   {q: planQuestion{count: 1, headers: []string{"anthropic-version: 2026-10-21"}}, body: hello, want: map[string][]string{"Anthropic-Version": {"2026-10-21"}}},
		"plan's own left out":   {q: planQuestion{count: 1, headers: []string{"x-api-key:"}}, body: hello, want: map[string][]string{"X-Api-Key": nil}},
	} {
		t.Run(name, func(t *testing.T) {
			c := &console{stdin: strings.NewReader(whole)}
			r, err := c.request(test.q, test.setStream)
			require.NoError(t, err)
			require.Equal(t, http.MethodPost, r.Method)
			require.Equal(t, "/v1/messages", r.URL.Path)
			body, err := io.ReadAll(r.Body)
			require.NoError(t, err)
			require.Equal(t, test.body, string(body))
			for name, values := range test.want {
				require.Equal(t, values, r.Header[name])
			}
		})
	}
}

func TestTimesArePrintedInMillisecondsToTheMicrosecond(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0.000", 999: "0.000", 1500 * time.Microsecond: "1.500", 61*time.Second + 2*time.Microsecond: "61000.002", -1: "-", journal.Never: "never",
	} {
		require.Equal(t, want, ms(d))
	}
}

func TestOnlyALongAnswerLosesItsMiddle(t *testing.T) {
	print := func(steps int, all bool) string {
		var out bytes.Buffer
		c := &console{stdout: &output{w: &out}}
		c.printEntry(journal.Entry{Steps: make([]journal.Step, steps)}, all)
		return out.String()
	}
	const about = 2 // the lines above the steps
	require.Equal(t, about+25, strings.Count(print(25, false), "\n"), "one hidden step would save nothing")
	require.NotContains(t, print(25, false), "more steps")
	require.Equal(t, about+24+1, strings.Count(print(26, false), "\n"))
	require.Contains(t, print(26, false), "...  2 more steps; --all shows them\n")
	require.Equal(t, about+1000, strings.Count(print(1000, true), "\n"))
}

func TestAnAnswersPartsStandAboveItsSteps(t *testing.T) {
	var out bytes.Buffer
	c := &console{stdout: &output{w: &out}}
	c.printEntry(journal.Entry{Parts: map[string]time.Duration{"respond": 5 * time.Millisecond, "queue": time.Millisecond}}, false)
	require.Contains(t, out.String(), "         1.000  part   queue\n         5.000  part   respond\n")
}

func TestNoAnswerIsSaidInWords(t *testing.T) {
	var out bytes.Buffer
	c := &console{stdout: &output{w: &out}}
	c.printEntry(journal.Entry{Ordinal: 1, Steps: []journal.Step{{Kind: "end", Planned: journal.Never}}}, false)
	require.Contains(t, out.String(), "#1 status -, route -, marks -: 0 tokens, 0 bytes, never answered\n")
	require.Contains(t, out.String(), "         never  end ")
}

func TestMarksAreNamedInOrderWhenSet(t *testing.T) {
	require.Equal(t, []string{"a", "c"}, marked(journal.Entry{Marks: map[string]bool{"c": true, "b": false, "a": true}}))
}
