package api_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const shown = `# What it shows.
orrery: 1
name: shown
title: A "<b>title</b>"
parameters: {mode: {enum: [hard, soft], default: soft}}
profiles:
  whole: {respond: 5ms}
  stream:
    first-token: 30ms
    token-gap: {uniform: [10ms, 20ms]}
    queue: {slots: 3, wait: 2s, full: {status: 529}}
routes:
  - {name: refused, when: 'header("x-no") != ""', share: 30%, times: every 3, per: key, profile: whole, error: {status: 429}}
  - {name: cut, when: stream, times: 1, profile: stream, reply: a b c, marks: {hit: true}, faults: [{end: reset, after: content_block_delta 1}]}
  - {name: all, profile: stream, reply: a b c}
workloads: {steady: {requests: 50, rate: 10/s}}
claims:
  A1: {says: "soon", measure: p50(steady.duration_ms), within: [5ms, 90ms]}
  A2: {says: "elsewhere", not_measured: for no reason}
`

func TestAnOverviewSaysWhatAScenarioHas(t *testing.T) {
	c := controls{serving(t)}
	status, made := c.do("POST", "/scenarios/try", shown)
	require.Equal(t, 201, status, made)
	status, told := c.do("GET", "/scenarios/shown@draft-1/overview", "")
	require.Equal(t, 200, status)
	require.Equal(t, []any{"shown@draft-1", `A "<b>title</b>"`, "What it shows.", true}, []any{told["scenario"], told["title"], told["about"], told["faulty"]})
	require.Equal(t, []any{"quantiles", "gaps", "load", "timelines"}, told["plots"])

	list := func(name string, i int) map[string]any { return told[name].([]any)[i].(map[string]any) }
	require.Equal(t, []any{"hard", "soft"}, list("parameters", 0)["enum"])
	refused, cut, all := list("routes", 0), list("routes", 1), list("routes", 2)
	require.Equal(t, []any{`header("x-no") != ""`, 0.3, "every 3 of each key", "whole", 429.},
		[]any{refused["when"], refused["share"], refused["times"], refused["profile"], refused["error"]})
	require.Equal(t, []any{"the first", []any{"hit"}, []any{"{end: reset, after: content_block_delta 1}"}}, []any{cut["times"], cut["marks"], cut["faults"]})
	require.Equal(t, []any{"messages", "", 0., []any{}}, []any{all["endpoint"], all["when"], all["error"], all["faults"]})
	require.NotContains(t, all, "share")

	stream := list("profiles", 0)
	require.Equal(t, []any{"stream", []any{"first-token", "token-gap"}, []any{"quantiles", "gaps", "load"}}, []any{stream["name"], stream["times"], stream["plots"]})
	require.Equal(t, map[string]any{"slots": 3., "gpus": 0., "wait_ms": 2000.}, stream["queue"])
	require.Nil(t, list("profiles", 1)["queue"])
	require.Equal(t, 50., list("workloads", 0)["requests"])
	claim := list("claims", 0)
	require.Equal(t, map[string]any{"says": "", "measure": "p50(steady.duration_ms)", "within": "5ms to 90ms", "contradicts": ""}, claim["checks"].([]any)[0])
	require.Equal(t, []any{"for no reason", []any{}}, []any{list("claims", 1)["not_measured"], list("claims", 1)["checks"]})

	status, _ = c.do("GET", "/scenarios/nobody/overview", "")
	require.Equal(t, 404, status)
	status, told = c.do("GET", "/scenarios/broken/overview", "")
	require.Equal(t, 422, status)
	require.Contains(t, told["detail"], "broken.yaml:")
}
