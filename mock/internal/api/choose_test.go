package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
)

func TestScenarioAndRunAreEachChosenByTheFirstOfPathHeaderAndKey(t *testing.T) {
	for _, c := range []struct {
		name, path string
		headers    []string
		want       string
	}{
		{"nothing", "/v1/messages/count_tokens", nil, "home/default"},
		{"path: scenario", "/scenarios/quick/v1/messages/count_tokens", nil, "quick/default"},
		{"path: run", "/runs/a/v1/messages/count_tokens", nil, "home/a"},
		{"path: both", "/scenarios/quick/runs/a/v1/messages/count_tokens", nil, "quick/a"},
		{"header: scenario", "/v1/messages/count_tokens", []string{"X-Orrery-Scenario", "quick"}, "quick/default"},
		{"header: run", "/v1/messages/count_tokens", []string{"X-Orrery-Run", "a"}, "home/a"},
		{"key: scenario", "/v1/messages/count_tokens", []string{"X-Api-Key", "orrery:quick"}, "quick/default"},
		{"key: both", "/v1/messages/count_tokens", []string{"X-Api-Key", "orrery:quick:a"}, "quick/a"},
		{"key: run", "/v1/messages/count_tokens", []string{"X-Api-Key", "orrery::a"}, "home/a"},
		{"key: as a bearer token", "/v1/messages/count_tokens", []string{"X-Api-Key", "", "Authorization", "Bearer orrery:quick:a"}, "quick/a"},
		{"key: like one", "/v1/messages/count_tokens", []string{"X-Api-Key", "orrery-quick"}, "home/default"},
		{"header before key", "/v1/messages/count_tokens", []string{"X-Orrery-Scenario", "quick", "X-Api-Key", "orrery:lax:a"}, "quick/a"},
		{"path before header and key", "/scenarios/quick/v1/messages/count_tokens", []string{"X-Orrery-Scenario", "lax", "X-Orrery-Run", "b", "X-Api-Key", "orrery:home:c"}, "quick/b"},
		{"each on its own", "/runs/a/v1/messages/count_tokens", []string{"X-Orrery-Scenario", "lax", "X-Orrery-Run", "b"}, "lax/a"},
		{"the default's own name", "/scenarios/home/runs/default/v1/messages/count_tokens", nil, "home/default"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serving(t)
			require.Equal(t, 200, s.do(request("POST", c.path, question, c.headers...)).Code)
			e := s.Journal.Last()
			require.Equal(t, c.want, e.Scenario+"/"+e.Run)
		})
	}
}

func TestAnUnknownScenarioIs404WithTheNearMissesHoweverItIsNamed(t *testing.T) {
	s := serving(t)
	for _, r := range []*http.Request{
		request("POST", "/scenarios/quik/v1/messages", hello),
		request("POST", "/v1/messages", hello, "X-Orrery-Scenario", "quik"),
		request("POST", "/v1/messages", hello, "X-Api-Key", "orrery:quik"),
		request("GET", "/scenarios/quik/v1/models", ""),
	} {
		said := requireError(t, s.do(r), 404, "not_found_error")
		require.Equal(t, "orrery: there is no scenario \"quik\"; did you mean `quick`?", said)
		e := s.Journal.Last()
		require.Equal(t, "home/default", e.Scenario+"/"+e.Run, "the default one tells of it")
	}
}

func TestAScenarioWithMistakesIs500ThatNamesThem(t *testing.T) {
	s := serving(t)
	said := requireError(t, s.do(request("POST", "/scenarios/broken/v1/messages", hello)), 500, "api_error")
	require.Contains(t, said, "orrery: the scenario can't be played: broken.yaml:3:")
}

func TestARunsNameHasABound(t *testing.T) {
	s := serving(t)
	require.Equal(t, 200, s.post(hello, "X-Orrery-Run", strings.Repeat("a", 128)).Code)
	requireError(t, s.post(hello, "X-Orrery-Run", strings.Repeat("a", 129)), 400, "invalid_request_error")
}

func TestRunsCountEachForItself(t *testing.T) {
	s := serving(t)
	ordinals := []uint64{}
	for _, name := range []string{"a", "b", "a", "a", "b"} {
		s.post(hello, "X-Orrery-Run", name)
		ordinals = append(ordinals, s.Journal.Last().Ordinal)
	}
	require.Equal(t, []uint64{1, 1, 2, 3, 2}, ordinals)
}

func TestTheDefaultRunIsNeverForgotten(t *testing.T) {
	s := serving(t)
	count := func(headers ...string) {
		require.Equal(t, 200, s.do(request("POST", "/v1/messages/count_tokens", question, headers...)).Code)
	}
	count()
	count("X-Orrery-Run", "other")
	for i := range run.Most {
		count("X-Orrery-Run", fmt.Sprint(i))
	}
	count("X-Orrery-Run", "other")
	require.Equal(t, uint64(1), s.Journal.Last().Ordinal, "one that was idle begins anew")
	count()
	require.Equal(t, uint64(2), s.Journal.Last().Ordinal)
}
