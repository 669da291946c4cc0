package scenario_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/scenario"
	"github.com/seed-954e9acd/orrery/scenarios"
)

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(scenario.Schema()))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("scenario.json", doc))
	s, err := c.Compile("scenario.json")
	require.NoError(t, err)
	return s
}

// asJSON reads YAML as an editor hands it to a schema.
func asJSON(t *testing.T, source []byte) any {
	t.Helper()
	text, err := yaml.YAMLToJSON(source)
	require.NoError(t, err)
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	return v
}

func TestTheSchemaTakesEveryGoodFile(t *testing.T) {
	s := schema(t)
	files, err := filepath.Glob("testdata/good/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, s.Validate(asJSON(t, source)), file)
	}
}

func TestTheSchemaTakesEveryBuiltInScenario(t *testing.T) {
	s := schema(t)
	files, err := fs.Glob(scenarios.FS, "*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		source, err := fs.ReadFile(scenarios.FS, file)
		require.NoError(t, err)
		require.NoError(t, s.Validate(asJSON(t, source)), file)
	}
}

func TestTheSchemaRefusesWhatTheFormAloneShowsToBeWrong(t *testing.T) {
	s := schema(t)
	for _, name := range []string{
		"not-a-map", "no-version", "other-version", "no-name", "name-is-a-number", "seed-is-text", "bad-name", "fact-name", "usage-nonsense",
		"unknown-top-key", "unknown-timing-point", "unknown-route-key", "empty-section", "routes-are-a-map",
		"profiles-are-a-list", "several-at-once", "duration-without-unit", "duration-negative", "duration-with-space", "duration-nonsense",
		"duration-is-a-list", "quantile-above-100", "quantile-misspelt", "unknown-distribution", "two-forms", "empty-distribution",
		"uniform-of-three", "normal-without-sd", "normal-unknown-key", "lognormal-of-both", "mix-share-missing", "mix-in-mix", "mix-of-nothing",
		"tokens-outside-a-gap", "sum-in-sum", "sum-of-a-list", "sum-in-mix", "like-beside-another", "exponential-of-nothing",
		"pace-with-a-unit", "load-incomplete", "load-bad-points", "bad-choice", "bad-tokens-per-event", "empty-condition", "condition-without-value",
		"condition-is-a-map", "route-without-name", "share-as-a-fraction", "times-nonsense", "reply-nonsense", "reply-blocks", "reply-sources", "reply-dialogue", "error-status", "error-type",
		"error-retry-after", "header-framing", "mark-nonsense", "queue-without-slots", "queue-nonsense",
		"queue-full-without-status", "blend-nonsense", "blend-of-a-sum", "blend-of-a-trace", "blend-in-mix", "trace-nonsense", "gap-of-a-sum", "tokens-in-a-blend", "guard-without-condition", "parameter-nonsense",
		"phases-incomplete", "phases-mixed-up", "phases-by-what", "clock-without-a-date", "keys-incomplete", "figures-nonsense",
		"warn-nonsense", "limits-nonsense", "cache-nonsense",
	} {
		t.Run(name, func(t *testing.T) {
			source, err := os.ReadFile(filepath.Join("testdata", "bad", name+".yaml"))
			require.NoError(t, err)
			require.Error(t, s.Validate(asJSON(t, source)))
		})
	}
}

func TestTheSchemaDescribesItsKeys(t *testing.T) {
	text := string(scenario.Schema())
	require.Contains(t, text, `"description": "Arrival to the first content delta (TTFT)."`)
	require.Contains(t, text, `"description": "One latency behaviour. Times count from the request's arrival unless said otherwise."`)
	require.NotContains(t, text, "File\"")
	require.Equal(t, 1, strings.Count(text, `"$schema"`))
}
