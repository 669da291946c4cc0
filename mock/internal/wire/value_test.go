package wire

import (
	"testing"
)

const small = `{"model":"claude-sonnet-5","max_tokens":1024,"stream":true,"system":"You are terse.","messages":[{"role":"user","content":"What is the capital of Peru?"}]}`

func BenchmarkParse(b *testing.B) {
	var ps parsers
	body := []byte(small)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ps.parse(body); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkIdentity(b *testing.B) {
	var ps parsers
	v, _ := ps.parse([]byte(small))
	b.ReportAllocs()
	for b.Loop() {
		identity(&v)
	}
}

func BenchmarkModelOf(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		modelOf("claude-haiku-4-5")
	}
}
