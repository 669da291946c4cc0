package main

import (
	"fmt"
	"slices"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

// How a command ended.
const (
	endedWell  = "ok"    // exit code 0
	endedBadly = "error" // another exit code
	endedHung  = "hung"  // killed after --timeout
	endedUnmet = "unmet" // exit code 0, but the fault happens over protocols alone that the command didn't speak
)

// What --fail-on knows.
const (
	failHung   = "hung"   // a command hung
	failExit   = "exit"   // its exit code was another than 0
	failOpen   = "open"   // a request was still open after its end
	failChange = "change" // an outcome is another than in the file of --expect
	failNone   = "none"   // nothing
)

func failures() []string { return []string{failHung, failExit, failOpen, failChange, failNone} }

// encounter is what came of running the command against one fault. Its JSON is what --format json prints.
type encounter struct {
	Fault   string `json:"fault"`
	Symptom string `json:"symptom"`
	Ended   string `json:"ended"`
	// ExitCode is the command's, 128 and the signal's number when a signal ended it, −1 when it hung.
	ExitCode int   `json:"exit_code"`
	TimeMS   int64 `json:"time_ms"`
	// Attempts is how many requests the server saw; Last is how the last of them ended and Status its status,
	// "" and 0 when there was none.
	Attempts int             `json:"attempts"`
	Last     journal.Outcome `json:"last"`
	Status   int             `json:"status"`
	// Open is how many requests were still open after the command's end.
	Open int `json:"open"`
	// Change says what is different from the file of --expect, Failures what --fail-on found.
	Change string `json:"change,omitempty"`
	// Unmet says why the fault didn't happen, of a command that ended so.
	Unmet    string   `json:"unmet,omitempty"`
	Failures []string `json:"failures"`
	// Output is the end of what the command printed on both channels, OutputDropped how many bytes came before it.
	Output        string `json:"output"`
	OutputDropped int64  `json:"output_dropped_bytes"`
}

// saw adds what the server knows.
func (e *encounter) saw(entries []journal.Entry) {
	for _, entry := range entries {
		if entry.Outcome == journal.Open {
			e.Open++
		}
	}
	e.Attempts = len(entries)
	if len(entries) > 0 {
		last := entries[len(entries)-1]
		e.Last, e.Status = last.Outcome, last.Status
		e.Attempts = max(e.Attempts, int(last.Ordinal)) // the journal may have had to drop the first
	}
}

// judge says which of the reasons for failure hold.
func (e *encounter) judge(failOn []string) {
	e.Failures = []string{}
	note := func(reason string, holds bool, text string) {
		if holds && slices.Contains(failOn, reason) {
			e.Failures = append(e.Failures, text)
		}
	}
	note(failHung, e.Ended == endedHung, fmt.Sprintf("hung: killed after %d ms", e.TimeMS))
	note(failExit, e.Ended == endedBadly, fmt.Sprintf("exit code %d", e.ExitCode))
	note(failOpen, e.Open > 0, counted(e.Open, "request")+" still open after the command's end")
	note(failChange, e.Change != "", e.Change)
}
