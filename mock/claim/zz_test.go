package claim

import (
	"context"
	"fmt"
	"github.com/seed-954e9acd/orrery/mock/scenario"
	"os"
	"testing"
	"time"
)

func TestTmp(t *testing.T) {
	b, _ := os.ReadFile("../../scenarios/zero-plane.yaml")
	text := string(b) + `
workloads:
  steady: {requests: 300000, rate: 500/s, request: {model: claude-3-5-sonnet-20241022, headers: {X-Anthropic-Experimental: zero-plane-2024}}}
  many: {requests: 20000, clients: [500, 2000], request: {model: claude-3-5-sonnet-20241022, headers: {X-Anthropic-Experimental: zero-plane-2024}}}
claims:
  P01: {says: "P99 is 185 ms ± 3 ms", measure: p99(steady.duration_ms), within: [182ms, 188ms]}
  P03: {says: "headers", measure: 'share(steady, header("x-anthropic-layer-id") == "zero-plane-v1")', within: [100%, 100%]}
  P12: {says: "8.3", measure: 'p99(many.duration_ms, sent.clients == 2000) / p99(many.duration_ms, sent.clients == 500) - 1', within: [7.3%, 9.3%]}
`
	s, err := scenario.Loader{}.Load("zero-plane.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	v, err := Verify(context.Background(), []*scenario.Scenario{s}, Options{})
	fmt.Println(err, time.Since(start))
	for _, x := range v {
		fmt.Printf("%+v\n", x)
	}
}
