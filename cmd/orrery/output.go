package main

// The rules of the output:
//
//   - Results go to stdout; notices, warnings, the log and errors go to stderr.
//   - One result a line, complete in itself, so that grep and cut work. No colour, no boxes.
//   - With --json stdout holds one JSON document and nothing else.
//   - An error is one line, "orrery: what, where; how to fix it". Only a list of problems has more,
//     each on lines of its own.
//   - A run-time error never prints the usage text. It names the command whose --help says more
//     when the command line was wrong.
//   - serve's last start-up line on stdout is exactly "listening on http://HOST:PORT".
//     With --log json every line on stderr is a JSON object, start-up notices too.
//   - Positions count from 1 (lines, columns in characters); offsets from 0, in bytes.
//   - Output that can't be written is an error: a full disk doesn't exit 0.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// console is where one run of the command reads and writes.
type console struct {
	stdin    io.Reader
	stdout   *output
	stderr   io.Writer
	settings *settings
	// started is set once cobra has accepted the command line.
	started bool
}

// output remembers the first error of a writer, so that results can be printed without asking
// after each line.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	var n int
	n, o.err = o.w.Write(p)
	return n, o.err
}

func (o *output) failure() error {
	if o.err == nil {
		return nil
	}
	return fmt.Errorf("can't write the result to stdout: %w", o.err)
}

func (c *console) printf(format string, args ...any) {
	fmt.Fprintf(c.stdout, format, args...)
}

// printJSON prints one document, indented for people; its strings stay as they are, without \u003c.
func (c *console) printJSON(v any) error {
	e := json.NewEncoder(c.stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// complain prints an error in one line, as the rules say.
func (c *console) complain(err error) {
	var problems scenario.Problems
	if errors.As(err, &problems) {
		fmt.Fprintf(c.stderr, "orrery: this is wrong with the scenario's files:\n\n%s\n", problems)
		return
	}
	text := strings.TrimRight(err.Error(), "\n")
	// cobra's own hint for a mistyped command takes four lines.
	if head, list, ok := strings.Cut(text, "\n\nDid you mean this?\n"); ok {
		text = head + "; did you mean " + strings.Join(strings.Fields(list), ", ") + "?"
	}
	if !c.started && strings.HasPrefix(text, "unknown command") {
		text += " (see: orrery --help)"
	}
	fmt.Fprintf(c.stderr, "orrery: %s\n", text)
}

// logger is where the server's log goes; nil when there is none.
func (c *console) logger() *slog.Logger {
	switch c.settings.log {
	case logJSON:
		return slog.New(slog.NewJSONHandler(c.stderr, nil))
	case logText:
		return slog.New(slog.NewTextHandler(c.stderr, nil))
	}
	return nil
}

// notice tells of the start or the end of serving: words for people, or fields for programs.
func (c *console) notice(level slog.Level, text string, fields ...any) {
	if c.settings.log == logJSON {
		c.logger().Log(context.Background(), level, text, fields...)
		return
	}
	if level >= slog.LevelWarn {
		text = "warning: " + text
	}
	fmt.Fprintln(c.stderr, text)
}

// didYouMean names the candidates near the word, as the end of a sentence; or nothing.
func didYouMean(word string, candidates []string) string {
	near := nearMisses(word, candidates)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

// nearMisses holds the candidates that cobra would suggest for a mistyped command: two edits away
// at most, or begun alike.
func nearMisses(word string, candidates []string) []string {
	index := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, name := range candidates {
		index.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	return index.SuggestionsFor(word)
}
