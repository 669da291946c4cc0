package api

import (
	"net/http"
	"slices"

	"github.com/go-chi/chi/v5"
)

// operation is one thing that the control API does. Its document is made from the same table as its
// routes, so that neither can have what the other hasn't.
type operation struct {
	method, path string
	about        string
	query        []string // parameters
	body         string   // what the body holds, in words; "" for none
	do           func(*Service, http.ResponseWriter, *http.Request)
}

// operations are all that the control API does, below /_orrery.
func operations() []operation {
	filter := []string{
		"scenario", "run", "route", "mark", "model", "status", "outcome", "phase", "method", "path", "client", "key", "connection", "attempt",
		"from", "to", "after", "system", "tool", "text",
	}
	const run = "/runs/{scenario}/{run}"
	return []operation{
		{"GET", "/", "the page that shows all this", nil, "", (*Service).page},
		{"GET", "/web/*", "the page's files", nil, "", (*Service).pageFile},
		{"GET", "/health", "that the server answers, what it plays, what it holds and what it had to drop", nil, "", (*Service).health},
		{"GET", "/ready", "204 once requests are answered", nil, "", (*Service).ready},
		{"GET", "/openapi.json", "this document", nil, "", (*Service).document},
		{"GET", "/metrics", "time series, for Prometheus", nil, "", (*Service).metrics},
		{"GET", "/load", "the last five minutes by route: rate, concurrency, queues, times to the first token and to the end", []string{"last"}, "", (*Service).readLoad},
		{"GET", "/billing", "what requests are billed with", []string{"scenario", "run", "after", "limit"}, "", (*Service).billing},
		{"GET", "/scenarios", "the scenarios that can be named", nil, "", (*Service).listScenarios},
		{"GET", "/scenarios/{scenario}", "a scenario's file, as YAML", nil, "", (*Service).readScenario},
		{"GET", "/scenarios/{scenario}/overview", "what a scenario accepts, routes, times and claims", nil, "", (*Service).overview},
		{"POST", "/scenarios/{scenario}/verify", "measure what a scenario claims, in virtual time; one at a time", []string{"requests"}, "", (*Service).verify},
		{"GET", "/plots/{scenario}", "a drawing of how long a scenario's answers take: of the kind quantiles, gaps, timelines or load, as svg, png or json", plotParameters(), "", (*Service).plot},
		{"POST", "/scenarios/try", "play a scenario that is in no file, in memory only", nil, "a scenario's file, as YAML; up to 256 KB", (*Service).tryScenario},
		{"POST", "/scenarios/{scenario}/activate", "make it the one that whoever names none gets, and begin the default run anew", nil, "", (*Service).activate},
		{"POST", "/reload", "read all files anew; one with a mistake changes nothing", nil, "", (*Service).reload},
		{"GET", "/runs", "the runs that are kept, the longest unused first", nil, "", (*Service).listRuns},
		{"POST", "/runs", "make a run", nil, "scenario, name, seed, speed (a factor or max), clock (real or stepped), strict, label; all optional", (*Service).createRun},
		{"GET", run, "a run", nil, "", (*Service).readRun},
		{"DELETE", run, "forget a run and its journal", nil, "", (*Service).deleteRun},
		{"POST", run + "/reset", "begin a run anew: counters, draws, gates, clock and journal", nil, "", (*Service).resetRun},
		{"POST", run + "/next", "script the next answers, each used once", nil, "an outcome as a route of a scenario file has it, or a list of them", (*Service).scriptRun},
		{"GET", run + "/gates", "the gates that answers may come to, and how many wait there", nil, "", (*Service).listGates},
		{"POST", run + "/gates/{gate}/release", "let go what waits at a gate, and what comes later", nil, "", (*Service).releaseGate},
		{"GET", run + "/clock", "what time it is in a run, and what waits for it", nil, "", (*Service).readClock},
		{"POST", run + "/clock", "move a stepped clock", nil, "one of advance (150ms), next (a number of instants), until (first-token), hold, release", (*Service).moveClock},
		{"GET", "/journal", "requests, oldest first, in short with fields=summary; the youngest with newest=true; JSON lines with Accept: application/x-ndjson", append(filter, "limit", "fields", "newest", "before"), "", (*Service).listJournal},
		{"GET", "/journal/wait", "n requests that match and have ended, as soon as they have", append(filter, "n", "timeout"), "", (*Service).waitJournal},
		{"GET", "/journal/count", "how many requests matched, those included whose records are gone", filter, "", (*Service).countJournal},
		{"GET", "/journal/calls", "requests grouped by the call that they are attempts of", filter, "", (*Service).callsJournal},
		{"GET", "/journal/lateness", "by how much steps missed their instants", filter, "", (*Service).latenessJournal},
		{"GET", "/journal/tail", "requests as they end, as server-sent events; 1,024 of them or 8 MB wait for a slow reader, who is told how many more it lost; with most, no more a second than that", append(filter, "fields", "most"), "", (*Service).tailJournal},
		{"GET", "/journal/{sequence}", "one request, with all that is known of it", nil, "", (*Service).readJournal},
		{"GET", "/journal/{sequence}/curl", "the command that sends the request again", nil, "", (*Service).journalCurl},
		{"GET", "/journal/{sequence}/scenario", "a scenario that gives its answer again, at the same instants", nil, "", (*Service).journalScenario},
		{"GET", "/journal/{sequence}/go", "a Go test that gets its answer again", nil, "", (*Service).journalGo},
		{"DELETE", "/journal", "forget the records of a run", []string{"scenario", "run"}, "", (*Service).clearJournal},
		{"POST", "/plans", "what the next n requests like this one would get, on an idle server", []string{"scenario", "n"}, "a request to /v1/messages; its headers are this request's", (*Service).plans},
	}
}

// public reports whether it is for everyone: what holds nothing of what was asked or is played.
func (o operation) public() bool {
	return slices.Contains([]string{"/", "/web/*", "/health", "/ready"}, o.path)
}

// control is the mock's own side of the server. All but its health and the page's files is for this
// machine, or for who has the token.
func (s *Service) control(r chi.Router) {
	for _, o := range operations() {
		handler := func(w http.ResponseWriter, r *http.Request) { o.do(s, w, r) }
		if o.public() {
			r.Method(o.method, o.path, http.HandlerFunc(handler))
			continue
		}
		r.With(s.private).Method(o.method, o.path, http.HandlerFunc(handler))
	}
	r.NotFound(func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, "", "the control API has no such path; GET /_orrery/openapi.json lists what there is")
	})
	r.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) {
		refuse(w, http.StatusMethodNotAllowed, "", r.Method+" is not for this path; GET /_orrery/openapi.json lists what is")
	})
}
