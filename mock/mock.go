// Package mock serves the Anthropic Messages API from a scenario file, for tests.
//
// It is no model: its texts come from fixtures, its token counts from a rule of its own, and its
// delays from the scenario. Two servers in one process share nothing.
//
//	srv := mock.Start(t, mock.Scenario("zio"))
//	client := anthropic.NewClient(option.WithBaseURL(srv.URL), option.WithAPIKey("any"))
package mock

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/seed-954e9acd/orrery/fixtures"
	"github.com/seed-954e9acd/orrery/mock/internal/reply"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/scenario"
	"github.com/seed-954e9acd/orrery/scenarios"
)

// Library holds the scenarios that can be named: the built-in ones and, when dir isn't "", the
// *.yaml files below it. An error names every problem of every file.
func Library(dir string) (*scenario.Library, error) {
	replies, err := reply.Open(fixtures.FS)
	if err != nil {
		return nil, err
	}
	return library(dir, replies)
}

func library(dir string, replies *reply.Library) (*scenario.Library, error) {
	layers := []fs.FS{scenarios.FS}
	if dir != "" {
		if err := isDirectory(dir); err != nil {
			return nil, err
		}
		layers = append(layers, os.DirFS(dir))
	}
	lib, err := scenario.NewLibrary(layers...)
	if err != nil {
		return nil, err
	}
	recorded, err := traces()
	if err != nil {
		return nil, err
	}
	return lib.WithFixtures(replies.Names()).WithModels(models()).WithTraces(recorded), nil
}

// models are the ids and aliases of the API's models.
func models() []string {
	var all []string
	for _, m := range wire.Models() {
		all = append(all, m.ID)
		if m.Alias != "" {
			all = append(all, m.Alias)
		}
	}
	return all
}

// traces are the recorded delays that a scenario can name.
func traces() (map[string]string, error) {
	files, err := fs.Glob(fixtures.FS, "traces/*.txt")
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, file := range files {
		text, err := fs.ReadFile(fixtures.FS, file)
		if err != nil {
			return nil, err
		}
		all[strings.TrimSuffix(path.Base(file), ".txt")] = string(text)
	}
	return all, nil
}

func isDirectory(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("the scenarios' directory: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("the scenarios' directory: %s is a file; name the directory that holds it: %s", dir, filepath.Dir(dir))
	}
	return nil
}

// CountTokens counts text by the mock's own rule: the one behind usage, count_tokens and the
// cutting of replies. It is not the vendor's tokenizer.
func CountTokens(text string) int { return wire.CountTokens(text) }

// Tokens cuts text into the tokens that [CountTokens] counts.
func Tokens(text string) []string {
	var tokens []string
	for len(text) > 0 {
		n := wire.NextToken(text)
		tokens = append(tokens, text[:n])
		text = text[n:]
	}
	return tokens
}
