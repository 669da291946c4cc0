package api

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

// A request can be spelled again: for a shell, for a test, for a report. A key was never kept, so whoever
// asks again brings one.

// TellingHeaders are the header lines of a request that a scenario may ask for, sorted: not those of every
// client, nor those that held a key or chose scenario and run.
func TellingHeaders(e journal.Entry) []string {
	var lines []string
	for name, values := range e.Header {
		switch name {
		case "Accept", "Accept-Encoding", "Accept-Language", "Connection", "Content-Length", "Content-Type", "User-Agent", "Cookie",
			"X-Api-Key", "Authorization", "Proxy-Authorization", "X-Orrery-Run", "X-Orrery-Scenario",
			"X-Stainless-Arch", "X-Stainless-Os", "X-Stainless-Runtime", "X-Stainless-Runtime-Version", "X-Stainless-Timeout":
			continue
		}
		for _, value := range values {
			lines = append(lines, name+": "+value)
		}
	}
	slices.Sort(lines)
	return lines
}

// ShellWord is a word as a shell reads it.
func ShellWord(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:", r)
	}
	if word != "" && strings.TrimFunc(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// mostShellBody is how long a body may be to be a word of a command: Linux takes 128 KB.
const mostShellBody = 100_000

// curl is the command that sends a request again to the server at base, with a key from the environment.
func curl(e journal.Entry, base string) string {
	lines := []string{"curl -gsN " + ShellWord(base+escaped(e.Path))}
	hasBody := len(e.Body) > 0
	if e.Method != http.MethodGet && !(hasBody && e.Method == http.MethodPost) {
		lines = append(lines, "-X "+ShellWord(e.Method))
	}
	switch {
	case e.Header.Get("X-Api-Key") != "":
		lines = append(lines, `-H "x-api-key: $ANTHROPIC_API_KEY"`)
	case e.Header.Get("Authorization") != "":
		lines = append(lines, `-H "authorization: Bearer $ANTHROPIC_API_KEY"`)
	}
	header := func(line string) {
		if name, value, _ := strings.Cut(line, ": "); value == "" {
			line = name + ";" // or curl would leave it out
		}
		lines = append(lines, "-H "+ShellWord(line))
	}
	if kind := e.Header.Get("Content-Type"); kind != "" && hasBody {
		header("Content-Type: " + kind)
	}
	for _, line := range append(TellingHeaders(e), chooses(e)...) {
		header(line)
	}
	if !hasBody {
		return strings.Join(lines, " \\\n  ") + "\n"
	}
	if len(e.Body) > mostShellBody || !utf8.Valid(e.Body) || slices.Contains(e.Body, 0) {
		return strings.Join(append(lines, "--data-binary @BODY"), " \\\n  ") + " # a file with the request's body\n"
	}
	return strings.Join(append(lines, "--data-raw "+ShellWord(string(e.Body))), " \\\n  ") + "\n"
}

// escaped is a path as a URL has it. The journal has it so when a name's own slashes would be lost otherwise.
func escaped(path string) string {
	u := url.URL{Path: path}
	if plain, err := url.PathUnescape(path); err == nil && plain != path {
		u = url.URL{Path: plain, RawPath: path}
	}
	return u.EscapedPath()
}

// chooses are the header lines that choose the scenario and the run of a request whose path doesn't.
func chooses(e journal.Entry) []string {
	var lines []string
	if !strings.HasPrefix(e.Path, "/scenarios/") {
		lines = append(lines, "X-Orrery-Scenario: "+e.Scenario)
	}
	if e.Run != DefaultRun && !strings.Contains(e.Path, "/runs/") {
		lines = append(lines, "X-Orrery-Run: "+e.Run)
	}
	return lines
}

func (s *Service) journalCurl(w http.ResponseWriter, r *http.Request) {
	if e, ok := s.chosenEntry(w, r); ok {
		plainText(w, "text/plain; charset=utf-8", curl(e, baseOf(r)))
	}
}

// plainText answers with a text that nobody may take for anything else.
func plainText(w http.ResponseWriter, kind, text string) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write([]byte(text))
}
