package web_test

import (
	"io/fs"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/web"
)

// mostBytes is what a browser may have to load before it shows a view, uncompressed.
const mostBytes = 150_000

// files are the page's, by path.
func files(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, fs.WalkDir(web.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(web.Files(), name)
		all[name] = string(content)
		return err
	}))
	require.Contains(t, all, "index.html")
	return all
}

func TestAFirstLoadIsSmall(t *testing.T) {
	all := files(t)
	for _, view := range []string{"chat", "scenarios", "requests", "load"} {
		loaded := map[string]bool{}
		load(t, all, loaded, "index.html")
		load(t, all, loaded, view+".css") // which the shell loads with its view
		load(t, all, loaded, "js/"+view+".js")
		sum := 0
		for name := range loaded {
			sum += len(all[name])
		}
		require.Less(t, sum, mostBytes, view)
		require.Greater(t, sum, mostBytes/10, "nothing was followed")
	}
}

// load notes a file and all that a browser loads with it: what a page refers to, and what a script imports before it runs.
func load(t *testing.T, all map[string]string, loaded map[string]bool, name string) {
	require.Contains(t, all, name)
	if loaded[name] {
		return
	}
	loaded[name] = true
	for _, found := range regexp.MustCompile(`(?:src|href)="web/([^"]+)"`).FindAllStringSubmatch(all[name], -1) {
		load(t, all, loaded, found[1])
	}
	for _, found := range regexp.MustCompile(`(?m)^(?:import|export)\b[^;]*?"\./([^"]+)"`).FindAllStringSubmatch(all[name], -1) {
		load(t, all, loaded, "js/"+found[1])
	}
}

func TestEveryFileOfThePageIsGivenWithItsTypeAndUnderThePolicy(t *testing.T) {
	for name, content := range files(t) {
		w := httptest.NewRecorder()
		require.True(t, web.Serve(w, httptest.NewRequest("GET", "/", nil), name), name)
		require.Equal(t, 200, w.Code)
		require.Equal(t, content, w.Body.String())
		h := w.Header()
		require.Contains(t, map[string]string{
			"html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
			"svg": "image/svg+xml", "png": "image/png",
		}[name[strings.LastIndexByte(name, '.')+1:]], h.Get("Content-Type"))
		require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"))
		require.Equal(t, "no-referrer", h.Get("Referrer-Policy"))
		policy := h.Get("Content-Security-Policy")
		require.Contains(t, policy, "default-src 'none'; script-src 'self'; style-src 'self';")
		require.Contains(t, policy, "frame-ancestors 'none'")
		require.NotContains(t, policy, "unsafe")

		again := httptest.NewRequest("GET", "/", nil)
		again.Header.Set("If-None-Match", h.Get("ETag"))
		w = httptest.NewRecorder()
		require.True(t, web.Serve(w, again, name))
		require.Equal(t, 304, w.Code, "the client has it")
		require.Empty(t, w.Body.String())
	}
}

func TestNothingElseIsGiven(t *testing.T) {
	for _, name := range []string{"", ".", "/", "js", "none.js", "../web.go", "/index.html", "./index.html", "js/../index.html", `..\web.go`} {
		w := httptest.NewRecorder()
		require.False(t, web.Serve(w, httptest.NewRequest("GET", "/", nil), name), name)
		require.Empty(t, w.Header())
	}
}

// What the policy would refuse, or what would take a text for HTML.
func TestThePageNeedsNoOtherHostAndTakesNoTextForHTML(t *testing.T) {
	host := regexp.MustCompile(`(?:https?:|wss?:|["'(=]\s*)//([\w.-]+)`)
	inline := map[string]*regexp.Regexp{
		"a script of its own":    regexp.MustCompile(`<script(?:\s+type="module")?\s*>`),
		"a style of its own":     regexp.MustCompile(`<style|\sstyle=`),
		"a handler of its own":   regexp.MustCompile(`<[^>]*\son\w+=`),
		"a script for an adress": regexp.MustCompile(`javascript:`),
	}
	asHTML := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|parseFromString|setHTML|\beval\(|new Function`)
	for name, content := range files(t) {
		if strings.HasSuffix(name, ".png") {
			continue
		}
		for _, found := range host.FindAllStringSubmatch(content, -1) {
			// The names of SVG's and XLink's elements are no addresses.
			require.Contains(t, []string{"www.w3.org", "127.0.0.1", "localhost"}, found[1], "%s: %s", name, found[0])
		}
		switch {
		case strings.HasSuffix(name, ".html"), strings.HasSuffix(name, ".svg"):
			for what, pattern := range inline {
				require.NotRegexp(t, pattern, content, "%s: %s", name, what)
			}
		case strings.HasSuffix(name, ".js"):
			require.NotRegexp(t, asHTML, content, name)
		}
	}
}

func TestWhatThePageRefersToIsThere(t *testing.T) {
	all := files(t)
	for _, found := range regexp.MustCompile(`(?:src|href)="(?:/_orrery/)?web/([^"]+)"`).FindAllStringSubmatch(all["index.html"], -1) {
		require.Contains(t, all, found[1])
	}
}
