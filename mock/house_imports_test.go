package mock_test

import (
	"fmt"
	"slices"
	"strings"
)

const module = "github.com/seed-954e9acd/orrery/"

// room says which packages of ours a package may import, and why.
type room struct {
	may    []string
	reason string
}

// house is the table of allowed imports. Arrows point down only; whatever isn't here may not exist.
func house() map[string]room {
	below := []string{
		"mock/clock", "mock/latency", "mock/journal", "mock/scenario",
		"mock/internal/wire", "mock/internal/memnet", "mock/internal/fault", "mock/internal/reply", "mock/internal/timeline",
		"mock/internal/play", "mock/internal/run", "mock/internal/store", "mock/internal/transport", "mock/internal/api", "mock/claim", "mock/metrics", "scenarios", "fixtures",
	}
	return map[string]room{
		"mock/clock":           {nil, "time knows nobody, so that everything can be tested without it"},
		"mock/latency":         {nil, "a distribution is arithmetic"},
		"mock/journal":         {nil, "a record is data; whoever records knows it, not the other way round"},
		"mock/internal/wire":   {nil, "the API's bytes are the API's, whatever is played"},
		"mock/internal/memnet": {nil, "a listener carries bytes"},
		"mock/scenario":        {[]string{"mock/latency", "mock/internal/fault"}, "a file describes distributions and faults"},
		"mock/internal/reply": {[]string{"mock/internal/wire", "mock/scenario", "mock/latency"},
			"an answer is made from a file's reply and a draw, in the API's words"},
		"mock/internal/timeline": {[]string{"mock/internal/wire", "mock/latency", "mock/internal/fault"},
			"a plan is a message, its delays and its faults, whatever scenario they came from"},
		"mock/internal/fault": {[]string{"mock/internal/wire"},
			"a fault edits timed bytes, whoever planned them and whatever file asked for it"},
		"mock/internal/play": {[]string{"mock/clock"}, "playing knows bytes and offsets, not scenarios"},
		"mock/internal/run": {[]string{"mock/scenario", "mock/latency", "mock/internal/reply", "mock/internal/timeline", "mock/internal/fault", "mock/internal/wire"},
			"a run decides; it neither waits nor writes"},
		"mock/internal/transport": {[]string{"mock/clock"}, "a connection carries requests, whatever answers them"},
		"mock/internal/store":     {nil, "what is kept is records and bytes, whatever they mean"},
		"mock/internal/api": {[]string{"mock/internal/run", "mock/internal/store", "mock/internal/reply", "mock/internal/play", "mock/journal", "mock/internal/wire",
			"mock/clock", "mock/scenario", "mock/internal/timeline", "mock/internal/fault", "mock/internal/transport", "mock/plot", "mock/web"},
			"an endpoint ties a request to its run, its play and its record; the control API gives out the page and its plots"},
		"mock/web":  {nil, "a page is files; its scripts ask the server, not the other way round"},
		"mock":      {below, "the fixture puts the rooms together"},
		"scenarios": {nil, "built-in files are only embedded"},
		"fixtures":  {nil, "built-in texts are only embedded"},
		"mock/claim": {[]string{"mock/internal/run", "mock/internal/reply", "mock/internal/timeline", "mock/internal/wire",
			"mock/latency", "mock/scenario", "mock/clock", "mock/probe", "mock/journal", "fixtures"},
			"a claim is measured on planned traffic, where no time passes, or by the probe at an endpoint; a metric on what the journal has"},
		"mock/metrics": {[]string{"mock/journal", "mock/scenario", "mock/claim"},
			"series are made of what the journal has, a scenario's own by the measures of claims"},
		"mock/plot": {[]string{"mock/claim", "mock/internal/run", "mock/internal/reply", "mock/internal/timeline", "mock/internal/wire",
			"mock/latency", "mock/scenario", "fixtures"},
			"a figure is drawn from decisions of a run, and from what claims measure"},
		"mock/probe": {[]string{"mock/clock"}, "it measures any endpoint, so it may know none of ours"},
		"cmd/orrery": {[]string{"mock", "mock/scenario", "mock/latency", "mock/clock", "mock/journal", "mock/claim", "mock/plot", "mock/probe"},
			"the command can do nothing that a library user can't"},
		"fixtures/clients":             {nil, "foreign clients only: tests, nothing to import"},
		"fixtures/faults":              {nil, "every fault met by a raw client: tests, nothing to import"},
		"fixtures/gauntlet":            {nil, "the SDKs against every fault: tests, nothing to import"},
		"fixtures/clients/langchaingo": {nil, "a foreign client in a module of its own, nothing to import"},
		"fixtures/browser":             {nil, "the page and the API in a real browser: tests, nothing to import"},
		"fixtures/internal/need":       {nil, "what tests of other people's programs need, whoever asks"},
		"fixtures/prometheus":          {[]string{"fixtures/internal/need"}, "alerts, and a real Prometheus that reads them: tests, nothing to import"},
		"fixtures/endurance":           {nil, "the server against many, slow and lasting clients: tests, nothing to import"},
		"fixtures/sdksuites":           {nil, "the SDKs' own tests and documents, nothing to import"},
		"fixtures/compose":             {nil, "tests of the compose files, nothing to import"},
		"fixtures/compose/example":     {nil, "an example of somebody else's tests, nothing to import"},
	}
}

func importRules() []rule {
	return []rule{
		{
			name:  "packages import only what the table allows",
			check: checkImports,
			needs: "mock/internal/*/*.go",
			broken: map[string]tree{
				"an arrow up":                  {"mock/clock/clock.go": `package clock; import _ "github.com/seed-954e9acd/orrery/mock/journal"`},
				"an arrow sideways":            {"mock/internal/play/play.go": `package play; import _ "github.com/seed-954e9acd/orrery/mock/scenario"`},
				"a package outside the table":  {"mock/helpers/helpers.go": `package helpers`},
				"claims over the sockets":      {"mock/claim/a.go": `package claim; import _ "github.com/seed-954e9acd/orrery/mock/internal/api"`},
				"the root as an import":        {"mock/latency/dist.go": `package latency; import _ "github.com/seed-954e9acd/orrery"`},
				"an embedding room that works": {"scenarios/embed.go": `package scenarios; import ("embed"; "os"); var FS embed.FS; var _ = os.Args`},
			},
			fine: map[string]tree{
				"an arrow down":             {"mock/scenario/load.go": `package scenario; import _ "github.com/seed-954e9acd/orrery/mock/latency"`},
				"a test that looks around":  {"mock/clock/clock_test.go": `package clock_test; import _ "github.com/seed-954e9acd/orrery/mock"`, "mock/clock/clock.go": "package clock"},
				"a measure of plans":        {"mock/claim/a.go": `package claim; import _ "github.com/seed-954e9acd/orrery/mock/internal/run"`},
				"a file system of its own":  {"fixtures/embed.go": `package fixtures; import ("embed"; "io/fs"); var FS embed.FS; var _ fs.FS = FS`},
				"somebody else's directory": {"fixtures/clients/js/testdata/x.go": `package x`},
			},
		},
		{
			name:   "yaml is read only by the scenario package",
			check:  eachSource(checkYAML),
			needs:  "mock/scenario/*.go",
			broken: map[string]tree{"another reader": {"mock/options.go": `package mock; import _ "github.com/goccy/go-yaml"`}},
			fine: map[string]tree{
				"the scenario package": {"mock/scenario/load.go": `package scenario; import _ "github.com/goccy/go-yaml/ast"`},
			},
		},
		{
			name:  "testing is imported only by tests",
			check: eachSource(checkTesting),
			needs: "mock/*_test.go",
			broken: map[string]tree{
				"testing":           {"mock/mock.go": `package mock; import "testing"; func F(testing.TB) {}`},
				"a package of it":   {"mock/mock.go": `package mock; import _ "testing/fstest"`},
				"a library over it": {"mock/mock.go": `package mock; import _ "github.com/stretchr/testify/require"`},
			},
			fine: map[string]tree{"a test": {"mock/mock_test.go": `package mock; import _ "testing"`}},
		},
	}
}

func checkImports(t tree) []string {
	table := house()
	var problems []string
	for _, s := range t.sources() {
		row, known := table[s.dir()]
		if !known {
			problems = append(problems, s.path+": the house has no room "+s.dir())
			continue
		}
		if s.test() {
			continue
		}
		for _, path := range s.imports() {
			if s.dir() == "scenarios" || s.dir() == "fixtures" {
				if path != "embed" && path != "io/fs" {
					problems = append(problems, fmt.Sprintf("%s imports %s: %s", s.path, path, row.reason))
				}
				continue
			}
			ours, isOurs := strings.CutPrefix(path+"/", module)
			if isOurs && !slices.Contains(row.may, strings.TrimSuffix(ours, "/")) {
				problems = append(problems, fmt.Sprintf("%s imports %s: %s", s.path, path, row.reason))
			}
		}
	}
	return problems
}

func checkYAML(s source) []string {
	if s.test() || s.dir() == "mock/scenario" {
		return nil
	}
	var problems []string
	for _, path := range s.imports() {
		if strings.Contains(path, "yaml") {
			problems = append(problems, s.path+" imports "+path)
		}
	}
	return problems
}

func checkTesting(s source) []string {
	if s.test() {
		return nil
	}
	var problems []string
	for _, path := range s.imports() {
		if path == "testing" || strings.HasPrefix(path, "testing/") || strings.Contains(path, "/testify/") {
			problems = append(problems, s.path+" imports "+path)
		}
	}
	return problems
}
