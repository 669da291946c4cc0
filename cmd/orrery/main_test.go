package main

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"orrery": main, "client": client})
}

// The scripts type commands as a user does. Beside testscript's own commands they have:
//
//	start [ARG...]  runs orrery serve in the background until it listens; sets $URL and $HOSTPORT
//	end [SIGNAL]    sends TERM, INT or KILL and waits; its output is then in serve.out and serve.err;
//	                "! end" wants another exit code than 0 (testscript's own stop ends the script)
//	post FILE [TO]  posts the file to $URL/v1/messages, or another path, and prints status and body
//	get PATH        gets $URL and the path, and prints the same
//	code N ARG...   runs orrery with the arguments and wants exit code N
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			env.Values["background"] = &background{}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"start": start, "end": end, "post": post, "get": get, "code": code,
		},
	})
}

// background is the server that a script has started.
type background struct {
	process *exec.Cmd
	stdout  *bufio.Reader
	printed string
	stderr  bytes.Buffer
}

// environment is the process's own with the settings that the script has set.
func environment(ts *testscript.TestScript) []string {
	env := append(os.Environ(), "HOME="+ts.Getenv("HOME"))
	for _, name := range newSettings().names() {
		if value := ts.Getenv(variable(name)); value != "" {
			env = append(env, variable(name)+"="+value)
		}
	}
	return env
}

func start(ts *testscript.TestScript, _ bool, args []string) {
	b := ts.Value("background").(*background)
	*b = background{process: exec.Command("orrery", append([]string{"serve"}, args...)...)}
	b.process.Dir, b.process.Env, b.process.Stderr = ts.MkAbs("."), environment(ts), &b.stderr
	stdout, err := b.process.StdoutPipe()
	ts.Check(err)
	b.stdout = bufio.NewReader(stdout)
	ts.Check(b.process.Start())
	ts.Defer(func() { _ = b.process.Process.Kill() })
	for {
		line, err := b.stdout.ReadString('\n')
		b.printed += line
		if url, ok := strings.CutPrefix(line, "listening on "); ok {
			url = strings.TrimSpace(url)
			ts.Setenv("URL", url)
			ts.Setenv("HOSTPORT", strings.TrimPrefix(url, "http://"))
			return
		}
		if err != nil {
			_ = b.process.Wait()
			ts.Fatalf("orrery serve ended before it listened:\n%s%s", b.printed, b.stderr.String())
		}
	}
}

func end(ts *testscript.TestScript, neg bool, args []string) {
	b := ts.Value("background").(*background)
	signal := os.Signal(syscall.SIGTERM)
	switch {
	case len(args) > 0 && args[0] == "INT":
		signal = os.Interrupt
	case len(args) > 0 && args[0] == "KILL":
		signal = os.Kill
	}
	ts.Check(b.process.Process.Signal(signal))
	rest, err := io.ReadAll(b.stdout)
	ts.Check(err)
	err = b.process.Wait()
	ts.Check(os.WriteFile(ts.MkAbs("serve.out"), []byte(b.printed+string(rest)), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs("serve.err"), b.stderr.Bytes(), 0o600))
	if (err == nil) == neg {
		ts.Fatalf("orrery serve ended with %v:\n%s", err, b.stderr.String())
	}
}

func post(ts *testscript.TestScript, _ bool, args []string) {
	path := "/v1/messages"
	if len(args) > 1 {
		path = args[1]
	}
	ask(ts, http.MethodPost, path, ts.ReadFile(args[0]))
}

func get(ts *testscript.TestScript, _ bool, args []string) { ask(ts, http.MethodGet, args[0], "") }

func ask(ts *testscript.TestScript, method, path, body string) {
	r, err := http.NewRequest(method, ts.Getenv("URL")+path, strings.NewReader(body))
	ts.Check(err)
	r.Header.Set("content-type", "application/json")
	r.Header.Set("anthropic-version", "2023-06-01")
	r.Header.Set("x-api-key", "any")
	r.Close = true
	resp, err := http.DefaultClient.Do(r)
	ts.Check(err)
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	ts.Check(err)
	_, err = io.WriteString(ts.Stdout(), resp.Status+"\n"+string(answer)+"\n")
	ts.Check(err)
}

func code(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec("orrery", args[1:]...)
	got := "0"
	if exit, ok := err.(*exec.ExitError); ok {
		got = strconv.Itoa(exit.ExitCode())
	} else {
		ts.Check(err)
	}
	if got != args[0] {
		ts.Fatalf("orrery %s: exit code %s, want %s", strings.Join(args[1:], " "), got, args[0])
	}
}
