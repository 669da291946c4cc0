package api_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/api"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

const preloaded = `
orrery: 1
name: preloaded
api: {downloadable: true}
preload: {batches: [b1], files: [f.1], skills: [s_1/v-1], models: [m1]}
profiles: {quick: {respond: 0}}
routes: [{name: all, profile: quick, reply: one}]
`

func TestEachRunFindsWhatItsScenarioPreloads(t *testing.T) {
	s := serving(t, func(c *api.Config) {
		library, err := scenario.NewLibrary(fstest.MapFS{"preloaded.yaml": {Data: []byte(preloaded)}})
		require.NoError(t, err)
		c.Default, err = library.Load("preloaded")
		require.NoError(t, err)
		c.Library = library
	})
	ask := func(method, path string) *httptest.ResponseRecorder { return s.do(request(method, path, "")) }
	paths := map[string]string{
		"/v1/messages/batches/b1":         `"ended"`,
		"/v1/messages/batches/b1/results": `"succeeded"`,
		"/v1/files/f.1/content":           "This file was there from the start.",
		"/v1/skills/s_1":                  `"latest_version_id":"v-1"`,
		"/v1/skills/s_1/versions/v-1":     `"skill_id":"s_1"`,
		"/v1/models/m1":                   `"id":"m1"`,
	}
	for path, holds := range paths {
		for _, run := range []string{"", "/runs/one"} {
			w := ask("GET", run+path)
			require.Equal(t, http.StatusOK, w.Code, "%s %s", path, w.Body)
			require.Contains(t, w.Body.String(), holds, path)
		}
	}
	for _, path := range []string{"/v1/messages/batches/b1", "/v1/files/f.1", "/v1/skills/s_1"} {
		require.Equal(t, http.StatusOK, ask("DELETE", "/runs/one"+path).Code, path)
		require.Equal(t, http.StatusNotFound, ask("GET", "/runs/one"+path).Code, path)
		require.Equal(t, http.StatusOK, ask("GET", "/runs/two"+path).Code, "another run has its own: %s", path)
	}
	require.NotContains(t, ask("GET", "/runs/one/v1/models?limit=1000").Body.String(), `"m1"`)
}
