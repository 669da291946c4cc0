package journal_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

// written are the paths of a file's entries.
func written(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var paths []string
	for line := range bytes.Lines(text) {
		var e struct{ Path string }
		require.NoError(t, json.Unmarshal(line, &e), "%s", line)
		paths = append(paths, e.Path)
	}
	return paths
}

func keptIn(t *testing.T, j *journal.Journal, file string, bodies bool) *journal.File {
	t.Helper()
	f, err := journal.OpenFile(file, bodies, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	j.KeepIn(f)
	return f
}

func TestEveryEntryThatEndsIsALineOfTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "journal.jsonl")
	j := journal.New(2000) // what is evicted is written all the same
	f := keptIn(t, j, file, false)
	open := j.Open(journal.Arrival{Path: "open"})
	var writers sync.WaitGroup
	for range 8 {
		writers.Go(func() {
			for range 50 {
				whole(j, journal.Arrival{Path: "x"}, "", streamed(ms, 2*ms))
			}
		})
	}
	writers.Wait()
	require.Len(t, written(t, file), 400)
	open.Close(journal.Complete, journal.Done, 0)
	require.Equal(t, "open", written(t, file)[400], "in the order in which they end")
	require.NoError(t, f.Close())
	require.NoError(t, f.Close())
	whole(j, journal.Arrival{}, "", &plan{})
	require.Len(t, written(t, file), 401)
	lost, err := f.Lost()
	require.NoError(t, err)
	require.Zero(t, lost)
}

// speaking is a decision whose facts hold a prompt.
type speaking struct{ *plan }

func (speaking) Facts() map[string]any {
	return map[string]any{"text": "a prompt", "mine": "a prompt", "all": []string{"a prompt"}, "messages": 3, "long": true, "model": "m1"}
}

func TestPromptsAreInTheFileOnlyWhenAskedFor(t *testing.T) {
	for _, bodies := range []bool{false, true} {
		file := filepath.Join(t.TempDir(), "journal.jsonl")
		j := journal.New(0)
		keptIn(t, j, file, bodies)
		r := j.Open(journal.Arrival{Header: map[string][]string{"X-Api-Key": {"sk-1"}}})
		r.Read([]byte(`{"messages":"a prompt"}`))
		r.Decided(1, "req_1", speaking{&plan{}})
		r.Close(journal.Complete, journal.Done, 0)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, bodies, strings.Contains(string(text), "a prompt"))
		require.Contains(t, string(text), `"messages":3`)
		require.Contains(t, string(text), `"model":"m1"`)
		require.NotContains(t, string(text), "sk-1")
		require.Contains(t, string(j.Last().Body), "a prompt", "in memory it is")
	}
}

func TestATornLastLineIsLeftBehind(t *testing.T) {
	for before, want := range map[string]string{"": "", "{}\n": "{}\n", "{}\n{\"sequ": "{}\n{\"sequ\n"} {
		file := filepath.Join(t.TempDir(), "journal.jsonl")
		require.NoError(t, os.WriteFile(file, []byte(before), 0o600))
		j := journal.New(0)
		keptIn(t, j, file, false)
		whole(j, journal.Arrival{}, "", &plan{})
		whole(j, journal.Arrival{}, "", &plan{})
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		rest, ok := strings.CutPrefix(string(text), want+`{"sequence":1,`)
		require.True(t, ok, "%s", text)
		require.Equal(t, 2, strings.Count(rest, "\n"))
	}
}

func TestAFileThatCannotBeWrittenIsToldOnceAndFailsNothing(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("only where there is a device that is always full")
	}
	j := journal.New(0)
	var told []error
	f, err := journal.OpenFile("/dev/full", false, func(err error) { told = append(told, err) })
	require.NoError(t, err)
	defer f.Close()
	j.KeepIn(f)
	for range 3 {
		whole(j, journal.Arrival{}, "", &plan{})
	}
	require.Len(t, told, 1)
	require.ErrorContains(t, told[0], "the journal's file /dev/full: ")
	lost, err := f.Lost()
	require.Equal(t, 3, lost)
	require.Error(t, err)
	require.Len(t, j.Find(journal.Query{Outcome: journal.Complete}), 3)

	_, err = journal.OpenFile(filepath.Join(t.TempDir(), "no", "where"), false, nil)
	require.ErrorContains(t, err, "the journal's file: ")
	require.True(t, errors.Is(err, os.ErrNotExist))
}

// TestMain is also the process that TestAKillLosesAtMostTheLastLine kills.
func TestMain(m *testing.M) {
	file := os.Getenv("JOURNAL_UNDER_LOAD")
	if file == "" {
		os.Exit(m.Run())
	}
	j := journal.New(1 << 20)
	f, err := journal.OpenFile(file, true, nil)
	if err != nil {
		panic(err)
	}
	j.KeepIn(f)
	var mu sync.Mutex
	for worker := range 4 {
		go func() {
			for i := 0; ; i++ {
				path := fmt.Sprintf("/%d/%d", worker, i)
				whole(j, journal.Arrival{Path: path}, strings.Repeat("x", 5000), streamed(ms, 2*ms))
				mu.Lock()
				fmt.Println(path)
				mu.Unlock()
			}
		}()
	}
	select {}
}

func TestAKillLosesAtMostTheLastLine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "journal.jsonl")
	for round := range 3 { // each goes on with the file that the last one left
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), "JOURNAL_UNDER_LOAD="+file)
		out, err := child.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, child.Start())
		ended := map[string]bool{}
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if ended[lines.Text()] = true; len(ended) == 200 {
				require.NoError(t, child.Process.Kill())
			}
		}
		_ = child.Wait()
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var torn int
		seen := map[string]bool{}
		for line := range bytes.Lines(text) {
			var e struct{ Path, Body, Outcome string }
			if json.Unmarshal(line, &e) != nil {
				torn++
				continue
			}
			require.Len(t, e.Body, 5000, "a line that can be read is whole")
			require.Equal(t, string(journal.Complete), e.Outcome)
			seen[e.Path] = true
		}
		require.LessOrEqual(t, torn, round+1)
		for path := range ended {
			require.True(t, seen[path], "%s had ended", path)
		}
	}
}
