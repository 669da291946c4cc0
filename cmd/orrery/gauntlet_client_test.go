package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// client is a client of the API that the scripts run as a command:
//
//	client [retry] [patient] [fork] [deaf]
//
// It asks once, or three times with retry; waits at most two seconds in all, or for ever when patient;
// starts a child that sleeps with fork; asks nobody when deaf. It exits 0 when it got an answer.
func client() {
	if slices.Contains(os.Args, "deaf") {
		return
	}
	if slices.Contains(os.Args, "fork") {
		_ = exec.Command("sleep", "60").Start()
	}
	ctx := context.Background()
	if !slices.Contains(os.Args, "patient") {
		limited, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		ctx = limited
	}
	tries := 1
	if slices.Contains(os.Args, "retry") {
		tries = 3
	}
	status := 0
	for range tries {
		if status = clientAsks(ctx); status == http.StatusOK {
			fmt.Println("answered, fault", os.Getenv("ORRERY_FAULT"), "token", os.Getenv("ANTHROPIC_AUTH_TOKEN"))
			return
		}
	}
	fmt.Fprintln(os.Stderr, "no answer, status", status)
	os.Exit(3)
}

func clientAsks(ctx context.Context) (status int) {
	const body = `{"model": "claude-sonnet-5", "max_tokens": 20, "messages": [{"role": "user", "content": "Hi"}]}`
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, os.Getenv("ANTHROPIC_BASE_URL")+"/v1/messages", strings.NewReader(body))
	if err != nil {
		return 0
	}
	r.Header.Set("content-type", "application/json")
	r.Header.Set("anthropic-version", "2023-06-01")
	r.Header.Set("x-api-key", os.Getenv("ANTHROPIC_API_KEY"))
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return 0
	}
	return resp.StatusCode
}
