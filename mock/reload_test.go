package mock_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

const (
	patchyRight = "orrery: 1\nname: patchy\nprofiles: {p: {respond: 0}}\nroutes: [{name: all, profile: p, reply: right}]\n"
	patchyWrong = "orrery: 1\nname: patchy\nroutes: [{name: all, error: {status: 42}}]\n"
)

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

func TestAMistakeThatOnlyCompilingFindsChangesNothing(t *testing.T) {
	dir := t.TempDir()
	own := write(t, t.TempDir(), "a.yaml", "orrery: 1\nname: a\nextends: messages\n")
	write(t, dir, "patchy.yaml", patchyRight)
	srv := mock.Start(t, mock.ScenarioFile(own), mock.ScenarioDir(dir))

	write(t, dir, "patchy.yaml", patchyWrong)
	write(t, dir, "second.yaml", "orrery: 1\nname: second\nsed: 1\n")
	var problems scenario.Problems
	require.ErrorAs(t, srv.Reload(), &problems)
	require.Len(t, problems, 2, "all that is wrong is told")
	require.Equal(t, "patchy.yaml", problems[0].File)
	c := calling(srv)
	status, told, err := c.control("POST", "/reload", "")
	require.NoError(t, err)
	require.Equal(t, http.StatusConflict, status)
	require.Contains(t, told["detail"], "patchy.yaml:3:")
	c.did(t, "POST", "/runs", `{"scenario": "patchy", "name": "still"}`)
	answered, err := c.postTo("/scenarios/patchy/v1/messages", body(nil))
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, answered.status)

	write(t, filepath.Dir(own), "a.yaml", "orrery: 1\nname: a\nsed: 1\n")
	require.ErrorContains(t, srv.Reload(), "a.yaml:3:")
	require.ErrorContains(t, srv.Reload(), "\n\npatchy.yaml:3:")
}

func TestAServerDoesNotBeginWithAFileThatCannotBePlayed(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "patchy.yaml", patchyWrong)
	library, err := mock.Library(dir)
	require.NoError(t, err)
	_, checked := library.LoadText("patchy.yaml", []byte(patchyWrong))
	require.Error(t, checked)
	for _, played := range []string{"messages", "patchy"} {
		_, err := mock.New(mock.ScenarioDir(dir), mock.Scenario(played))
		require.EqualError(t, err, checked.Error())
	}
}
