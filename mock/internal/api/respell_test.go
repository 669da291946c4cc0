package api_test

import (
	"net/http/httptest"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

// hostile is a text that does harm wherever it isn't quoted.
const hostile = "it's $HOME `id` $(id) \\ \" ! * ? [a] {b,c} ~ # & | ; < > %s\n\t\u202e <script>alert(1)</script> '\\'' "

// told asks for a text about the last request.
func (c controls) told(sequence, what string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", "http://localhost:4010/_orrery/journal/"+sequence+"/"+what, nil)
	r.RemoteAddr = "127.0.0.1:1"
	return c.service.do(r)
}

func TestACopiedCommandSendsTheRequestAgainWhateverIsInIt(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no shell")
	}
	for name, test := range map[string]struct {
		asked journal.Arrival
		body  string
		want  []string
	}{
		"a message": {
			journal.Arrival{Method: "POST", Path: "/v1/messages", Scenario: "zio", Run: "default", Header: map[string][]string{
				"X-Api-Key": {"sk-secret"}, "Anthropic-Version": {"2023-06-01"}, "Content-Type": {"application/json"}, "User-Agent": {"x"},
			}},
			`{"text": "` + hostile + `"}`,
			[]string{"-gsN", "http://localhost:4010/v1/messages", "-H", "x-api-key: from the environment", "-H", "Content-Type: application/json",
				"-H", "Anthropic-Version: 2023-06-01", "-H", "X-Orrery-Scenario: zio", "--data-raw", `{"text": "` + hostile + `"}`},
		},
		"a run that is named elsewhere, and odd headers": {
			journal.Arrival{Method: "POST", Path: "/scenarios/zio/v1/messages", Scenario: "zio", Run: "it's $HOME", Header: map[string][]string{
				"Authorization": {"Bearer sk-secret"}, "X-Odd": {"a `b` 'c'", ""},
			}},
			"@/etc/passwd",
			[]string{"-gsN", "http://localhost:4010/scenarios/zio/v1/messages", "-H", "authorization: Bearer from the environment",
				"-H", "X-Odd;", "-H", "X-Odd: a `b` 'c'", "-H", "X-Orrery-Run: it's $HOME", "--data-raw", "@/etc/passwd"},
		},
		"without a body, and a path that says it all": {
			journal.Arrival{Method: "GET", Path: "/scenarios/zio/runs/a%2F'b/v1/models", Scenario: "zio", Run: "a/'b"}, "",
			[]string{"-gsN", "http://localhost:4010/scenarios/zio/runs/a%2F'b/v1/models"},
		},
		"another method": {
			journal.Arrival{Method: "DELETE", Path: "/v1/files/$(id) 'x'", Scenario: "zio", Run: "default"}, "",
			[]string{"-gsN", "http://localhost:4010/v1/files/$%28id%29%20%27x%27", "-X", "DELETE", "-H", "X-Orrery-Scenario: zio"},
		},
		"a body that no argument can hold": {
			journal.Arrival{Method: "POST", Path: "/v1/messages", Scenario: "zio", Run: "default"}, "\x00\xff",
			[]string{"-gsN", "http://localhost:4010/v1/messages", "-H", "X-Orrery-Scenario: zio", "--data-binary", "@BODY"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := controls{serving(t)}
			c.Journal.Open(test.asked).Read([]byte(test.body))
			w := c.told("1", "curl")
			require.Equal(t, 200, w.Code)
			require.Equal(t, []string{"text/plain; charset=utf-8", "nosniff"}, []string{w.Header().Get("Content-Type"), w.Header().Get("X-Content-Type-Options")})
			require.NotContains(t, w.Body.String(), "sk-secret")

			command := exec.Command(shell, "-c", `curl() { for word in "$@"; do printf '%s\001' "$word"; done; }; `+w.Body.String())
			command.Env = []string{"ANTHROPIC_API_KEY=from the environment", "HOME=/nowhere"}
			said, err := command.CombinedOutput()
			require.NoError(t, err, string(said))
			require.Equal(t, test.want, strings.Split(strings.TrimSuffix(string(said), "\x01"), "\x01"))
		})
	}
}

func TestWhatCannotBePlayedAgainIsSaid(t *testing.T) {
	c := controls{serving(t)}
	c.Journal.Open(journal.Arrival{Method: "POST", Path: "/v1/messages"})
	s := c.service
	s.do(request("GET", "/v1/models", ""))
	for _, sequence := range []string{"1", "2"} {
		for _, what := range []string{"scenario", "go"} {
			require.Equal(t, 409, c.told(sequence, what).Code)
		}
		require.Equal(t, 200, c.told(sequence, "curl").Code)
	}
	for _, what := range []string{"scenario", "go", "curl"} {
		require.Equal(t, 404, c.told("99", what).Code)
	}
}
