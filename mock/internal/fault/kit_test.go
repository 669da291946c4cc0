package fault_test

import (
	"bytes"
	"strings"
	"time"

	. "github.com/seed-954e9acd/orrery/mock/internal/fault"
)

const ms = time.Millisecond

// piece is an event as the API writes it.
func piece(due time.Duration, name, data string, tokens int) Piece {
	return Piece{Due: due, Event: name, Tokens: tokens, Bytes: []byte("event: " + name + "\ndata: " + data + "\n\n")}
}

const delta = "content_block_delta"

// stream is an answer of five events, 100 ms apart.
func stream() Answer {
	text := func(t string) string {
		return `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"` + t + `"}}`
	}
	return Answer{
		Stream: true, RequestID: "req_1", Head: 50 * ms, EndDue: 500 * ms,
		Pieces: []Piece{
			piece(100*ms, "message_start", `{"type":"message_start","message":{"usage":{"input_tokens":10,"output_tokens":1}}}`, 0),
			piece(200*ms, delta, text("héé"), 2),
			piece(300*ms, delta, text("北京"), 3),
			piece(400*ms, delta, text("🌍"), 1),
			piece(500*ms, "message_stop", `{"type":"message_stop"}`, 0),
		},
	}
}

// whole is an answer that isn't a stream.
func whole() Answer {
	return Answer{EndDue: 100 * ms, Head: 100 * ms, Pieces: []Piece{{Due: 100 * ms, Tokens: 4, Bytes: []byte(`{"a":{"b":1},"c":"é"}`)}}}
}

// body is all bytes of an answer.
func body(a Answer) string {
	var b bytes.Buffer
	for i := range a.Pieces {
		for range max(a.Pieces[i].Times, 1) {
			b.Write(a.Pieces[i].Bytes)
		}
	}
	return b.String()
}

func texts(a Answer) []string {
	var all []string
	for _, p := range a.Pieces {
		all = append(all, string(p.Bytes))
	}
	return all
}

func dues(a Answer) []time.Duration {
	var all []time.Duration
	for _, p := range a.Pieces {
		all = append(all, p.Due)
	}
	return all
}

// names is the events of an answer, "" for what is none.
func names(a Answer) string {
	var all []string
	for _, p := range a.Pieces {
		all = append(all, strings.TrimPrefix(p.Event, "content_block_"))
	}
	return strings.Join(all, " ")
}

func tokens(a Answer) int {
	n := 0
	for _, p := range a.Pieces {
		n += p.Tokens
	}
	return n
}

func at(text string) Place {
	p, err := ParsePlace(text)
	if err != nil {
		panic(err)
	}
	return p
}
