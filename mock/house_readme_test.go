package mock_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
)

// snippet is a fenced block of a Markdown text.
type snippet struct {
	line           int
	language, text string
}

// snippets lists the fenced blocks.
func snippets(markdown string) []snippet {
	var all []snippet
	var open *snippet
	for i, line := range strings.Split(markdown, "\n") {
		fence, ok := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case ok && open == nil:
			open = &snippet{line: i + 1, language: fence}
		case ok:
			all = append(all, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	return all
}

// scenario reports whether the block is a whole scenario file.
func (s snippet) scenario() bool {
	return s.language == "yaml" && regexp.MustCompile(`(?m)\A(#.*\n)*orrery:`).MatchString(s.text)
}

func readmeRules() []rule {
	fence := func(language, text string) string { return "```" + language + "\n" + text + "\n```\n" }
	return []rule{{
		name:  "the README's snippets are copies of what is tested",
		check: checkSnippets,
		needs: "README.md",
		broken: map[string]tree{
			"Go that no example has":       {"README.md": fence("go", "srv := mock.Start(t)"), "mock/example_test.go": "mock.New()"},
			"Go that only other code has":  {"README.md": fence("go", "srv := mock.Start(t)"), "mock/mock.go": "srv := mock.Start(t)"},
			"compose that no file has":     {"README.md": fence("yaml", "services: {}"), "docker-compose.yml": "services: {orrery: {}}"},
			"a language that nobody reads": {"README.md": fence("python", "print()")},
			"no language":                  {"README.md": fence("", "orrery serve")},
			"a fence that doesn't end":     {"README.md": "```go\nsrv := mock.Start(t)\n"},
		},
		fine: map[string]tree{
			"Go with other white space": {"README.md": fence("go", "a(\n\tb)"), "mock/example_test.go": "{ a( b) }"},
			"compose":                   {"README.md": fence("yaml", "services:\n  tests:"), "fixtures/compose/tests.yml": "# x\nservices:\n    tests: {}"},
			"what is run elsewhere":     {"README.md": fence("sh", "x") + fence("console", "$ x") + fence("yaml", "# y\norrery: 1")},
		},
	}}
}

func checkSnippets(t tree) []string {
	squeeze := func(texts ...string) string { return strings.Join(strings.Fields(strings.Join(texts, "\n")), " ") }
	text := func(patterns ...string) string {
		var texts []string
		for _, p := range patterns {
			for _, name := range t.matching(p) {
				texts = append(texts, t[name])
			}
		}
		return squeeze(texts...)
	}
	var problems []string
	if strings.Count("\n"+t["README.md"], "\n```")%2 != 0 {
		problems = append(problems, "README.md: a fence doesn't end")
	}
	for _, s := range snippets(t["README.md"]) {
		tested := true
		switch {
		case s.language == "go":
			tested = strings.Contains(text("mock/example*_test.go"), squeeze(s.text))
		case s.language == "yaml" && !s.scenario():
			tested = strings.Contains(text("docker-compose.yml", "fixtures/compose/*.yml"), squeeze(s.text))
		default:
			tested = slices.Contains([]string{"yaml", "sh", "console", "text", "json"}, s.language)
		}
		if !tested {
			problems = append(problems, fmt.Sprintf("README.md:%d: nothing tests this block of %q", s.line, s.language))
		}
	}
	return problems
}

func TestReadmeScenariosLoad(t *testing.T) {
	dir := t.TempDir()
	loads := func(text string) error {
		file := filepath.Join(dir, "readme.yaml")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		_, err := mock.New(mock.ScenarioFile(file))
		return err
	}
	require.Error(t, loads("orrery: 1\nname: readme\nprofils: {}\n"))
	readme := readRepository(t)["README.md"]
	found := 0
	for _, s := range snippets(readme) {
		if s.scenario() {
			found++
			require.NoError(t, loads(s.text), "README.md:%d", s.line)
		}
	}
	require.NotZero(t, found, "the README shows no scenario")

	const around = "orrery: 1\nname: readme\nprofiles: {another-profile: {first-token: 0, token-gap: 0}, shown: {first-token: %s, token-gap: %s}}\nroutes: [{name: all, profile: shown}]\n"
	// Some may only stand where one is drawn for each request, some only where many are.
	stands := func(distribution string) bool {
		return loads(fmt.Sprintf(around, distribution, "0")) == nil || loads(fmt.Sprintf(around, "0", distribution)) == nil
	}
	require.True(t, stands("0"))
	require.False(t, stands("{p50: soon}"))
	shown := regexp.MustCompile("`(\\{.*?\\})`").FindAllStringSubmatch(readme, -1)
	require.NotEmpty(t, shown, "the README shows no distribution")
	for _, distribution := range shown {
		require.True(t, stands(distribution[1]), distribution[1])
	}
}

func TestReadmeCommandsRun(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("the README's commands are for a shell")
	}
	if raceDetector {
		t.Skip("the commands are processes of their own")
	}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	orrery := filepath.Join(t.TempDir(), "orrery")
	out, err := exec.Command("go", "build", "-o", orrery, "../cmd/orrery").CombinedOutput()
	require.NoError(t, err, "%s", out)
	srv := mock.Start(t)
	address := strings.TrimPrefix(srv.URL, "http://")
	readme := readRepository(t)["README.md"]
	dir := playground(t, root, readme)

	run := func(s snippet) (string, error) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		script := regexp.MustCompile(`(127\.0\.0\.1|localhost):4010`).ReplaceAllString(commands(s), address)
		cmd := exec.CommandContext(ctx, bash, "-c", prelude+script)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "ORRERY="+orrery, "ROOT="+root, "URL="+srv.URL)
		cmd.WaitDelay = time.Second
		out, err := cmd.CombinedOutput()
		return string(out), err
	}

	for _, broken := range []string{
		"go run ./cmd/orrery serve --no-such-flag", "go run ./cmd/nothing", "orrery nothing", "go test ./nothing",
		"docker-compose -f nothing.yml up", "docker compose dance", "orrery serve --scenario nothing",
		"curl -sf http://127.0.0.1:4010/v1/nothing", "frobnicate", "orrery nothing\norrery version",
	} {
		_, err := run(snippet{language: "sh", text: broken})
		require.Error(t, err, "this must not pass: %s", broken)
	}
	for _, fine := range []string{"orrery serve &\norrery health", "docker compose up --build", "git clone x && cd x", "go test ./mock/..."} {
		out, err := run(snippet{language: "sh", text: fine})
		require.NoError(t, err, "%s\n%s", fine, out)
	}

	help := func(line string) error {
		for _, name := range regexp.MustCompile("`orrery ([a-z]+)").FindAllStringSubmatch(line, -1) {
			out, err := run(snippet{language: "sh", text: `"$ORRERY" ` + name[1] + " --help"})
			if err != nil {
				return fmt.Errorf("%s: %w", name[1], err)
			}
			for _, flag := range regexp.MustCompile("`(--[a-z0-9-]+)").FindAllStringSubmatch(line, -1) {
				if !regexp.MustCompile(flag[1] + `\b[^-]`).MatchString(out) {
					return fmt.Errorf("%s has no %s", name[1], flag[1])
				}
			}
		}
		return nil
	}
	require.Error(t, help("`orrery nothing`"))
	require.Error(t, help("`orrery serve` `--nothing`"))
	for line := range strings.SplitSeq(readme, "\n") {
		require.NoError(t, help(line), line)
	}

	found := 0
	for _, s := range snippets(readme) {
		if s.language == "sh" || s.language == "console" {
			found++
			out, err := run(s)
			require.NoError(t, err, "README.md:%d\n%s%s", s.line, s.text, out)
		}
	}
	require.NotZero(t, found, "the README shows no command")
}

// playground makes a directory that looks like the repository's root, in which commands may write.
// A scenario that the README shows lies there under its own name.
func playground(t *testing.T, root, readme string) string {
	t.Helper()
	dir := t.TempDir()
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	for _, e := range entries {
		require.NoError(t, os.Symlink(filepath.Join(root, e.Name()), filepath.Join(dir, e.Name())))
	}
	for _, s := range snippets(readme) {
		if name := regexp.MustCompile(`(?m)^name: *([\w-]+)`).FindStringSubmatch(s.text); s.scenario() && name != nil {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name[1]+".yaml"), []byte(s.text), 0o600))
		}
	}
	return dir
}

// commands is the part of a block that a reader types. What goes to the background is waited for.
func commands(s snippet) string {
	var lines []string
	continued := false
	for line := range strings.SplitSeq(s.text, "\n") {
		if s.language == "console" && !continued {
			typed, ok := strings.CutPrefix(line, "$ ")
			if !ok {
				continue
			}
			line = typed
		}
		continued = strings.HasSuffix(line, `\`)
		lines = append(lines, strings.TrimSuffix(line, " &"))
	}
	return strings.Join(lines, "\n")
}

// prelude stands in for the commands that would not end, need a network or an engine, or build
// again what is built: each still refuses what the real one would refuse.
const prelude = `set -euo pipefail
serve() {
  local out pid
  out=$(mktemp)
  "$ORRERY" serve "$@" --listen 127.0.0.1:0 >"$out" & pid=$!
  until grep -q '^listening on https\?://' "$out"; do
    kill -0 $pid 2>/dev/null || { cat "$out"; rm "$out"; return 1; }
    sleep 0.05
  done
  rm "$out"
  kill -TERM $pid
  wait $pid
}
orrery() {
  case "$*" in
    serve*) shift; serve "$@" ;;
    health) "$ORRERY" health "$URL" ;;
    *) "$ORRERY" "$@" ;;
  esac
}
go() {
  case "$1 ${2:-}" in
    "run ./cmd/orrery") shift 2; orrery "$@" ;;
    "install ./cmd/orrery") ;;
    "test "*|"vet "*) shift; for a; do case "$a" in ./*) command go -C "$ROOT" list "$a" >/dev/null ;; esac; done ;;
    "get github.com/seed-954e9acd/orrery"*|"install github.com/seed-954e9acd/orrery/cmd/orrery"*) ;;
    *) return 1 ;;
  esac
}
docker-compose() {
  while [[ ${1:-} == -* ]]; do
    case "$1" in -f) test -f "$2"; shift 2 ;; -p|--profile) shift 2 ;; *) shift ;; esac
  done
  [[ " up down run build ps logs config stop " == *" ${1:-} "* ]]
}
docker() {
  case "$1" in compose) shift; docker-compose "$@" ;; build|run) ;; *) return 1 ;; esac
}
git() { [ "$1" = clone ]; }
cd() { :; }
`
