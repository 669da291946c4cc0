package wire

import (
	"fmt"
	"strings"
	"testing"
)

const smallBody = `{"model":"claude-sonnet-5","max_tokens":1024,"stream":true,"system":"You are terse.","messages":[{"role":"user","content":"What is the capital of Peru?"}]}`

// longBody is a prompt of about 500 KB in 40 blocks.
func longBody() []byte {
	block := strings.Repeat("The quick brown fox jumps over the lazy dog, \\\"twice\\\" on Tuesdays.\\n", 170)
	if len(block) > 12_700 {
		block = strings.TrimSuffix(block[:12_600], `\`)
	}
	var turns []string
	for i := range 20 {
		turns = append(turns, fmt.Sprintf(`{"role":"user","content":[{"type":"text","text":"%d %s"}]},{"role":"assistant","content":[{"type":"text","text":"%s."}]}`, i, block, block))
	}
	turns = append(turns, `{"role":"user","content":"And?"}`)
	return []byte(`{"model":"claude-sonnet-5","max_tokens":1024,"messages":[` + strings.Join(turns, ",") + `]}`)
}

func BenchmarkRead(b *testing.B) {
	r := NewReader()
	for _, bench := range []struct {
		name string
		body []byte
	}{{"150 bytes", []byte(smallBody)}, {"500 KB", longBody()}} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Read(bench.body, ReadOptions{Version: Version2023}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkNewReader(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		NewReader()
	}
}
