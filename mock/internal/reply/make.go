package reply

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/latency"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// ended is what an answer says and why it says no more.
type ended struct {
	Block        wire.Block // a text, empty if nothing is said
	Output       int        // tokens of Block, 0 if it is empty
	StopReason   string     // end_turn, stop_sequence or max_tokens
	StopSequence string     // the one that was met, else ""
}

// whole is the reply's text before anything cuts it. The draw choice takes one of the fixtures that
// are named, or of all, each as likely; length takes the number of tokens between spec's two, if it
// has any. A text that falls short of its length is repeated; a fixture is followed by the next
// ones. The names must be known to Has.
func (l *Library) whole(spec *scenario.Reply, names []string, choice, length latency.U) wire.Block {
	n := 0
	if spec.Tokens.Max > 0 {
		n = spec.Tokens.Min + pick(length, spec.Tokens.Max-spec.Tokens.Min+1)
	}
	switch {
	case spec.Text != "" && n == 0:
		own := l.own.of(spec.Text, 0)
		return own.window(0, len(own.ends))
	case spec.Text != "":
		return l.own.of(spec.Text, spec.Tokens.Max).window(0, n)
	}
	fixture := l.choose(names, choice)
	if n == 0 {
		n = l.places[fixture].tokens
	}
	return l.from(fixture, n)
}

// choose is the fixture that a draw takes from the named ones, or from all.
func (l *Library) choose(names []string, choice latency.U) int {
	if len(names) == 0 {
		return pick(choice, len(l.names))
	}
	name := names[pick(choice, len(names))]
	fixture, ok := l.index[name]
	if !ok {
		panic(fmt.Sprintf("reply: no fixture %q: loading the scenario should have said so", name))
	}
	return fixture
}

// pick is one of 0 to n-1, each for an equal part of the draws.
func pick(u latency.U, n int) int {
	return int(uint64(u) * uint64(n) / uint64(latency.Whole))
}

// end cuts a text where the request wants its end: before the stop sequence that is complete first
// within the first maxTokens tokens (0 or more), else after those.
func end(b wire.Block, maxTokens int, stops []string) ended {
	said := ended{Block: b, StopReason: "end_turn"}
	if maxTokens < len(b.Ends) {
		said.Block = take(b, maxTokens)
		said.StopReason = "max_tokens"
	}
	if at, stop := firstStop(said.Block.Text, stops); stop != "" {
		said.Block = before(said.Block, at)
		said.StopReason, said.StopSequence = "stop_sequence", stop
	}
	said.Output = len(said.Block.Ends)
	return said
}

// take is the block's first n tokens.
func take(b wire.Block, n int) wire.Block {
	b.Ends = b.Ends[:n:n]
	if n == 0 {
		b.Text = ""
	} else {
		b.Text = b.Text[:b.Ends[n-1]-b.Base]
	}
	return b
}

// after is the block without its first n tokens.
func after(b wire.Block, n int) wire.Block {
	if n == 0 {
		return b
	}
	end := b.Ends[n-1]
	b.Text, b.Ends, b.Base = b.Text[end-b.Base:], b.Ends[n:], end
	return b
}

// before is the block's first size bytes. If they end within a token, its rest is cut anew, and so
// is the token before: spaces that stood apart may now belong together.
func before(b wire.Block, size int) wire.Block {
	cut, whole := slices.BinarySearch(b.Ends, b.Base+uint32(size))
	if size == 0 {
		return take(b, 0)
	}
	if whole {
		return take(b, cut+1)
	}
	kept := max(cut-1, 0)
	start := b.Base
	if kept > 0 {
		start = b.Ends[kept-1]
	}
	b.Text = b.Text[:size]
	ends := slices.Clone(b.Ends[:kept])
	for _, e := range wire.TokenEnds(nil, b.Text[start-b.Base:]) {
		ends = append(ends, start+e)
	}
	b.Ends = ends
	return b
}

// firstStop finds the stop sequence that is complete first, as a reader from the left does; of two
// that end together, the longer. It is "" if there is none.
func firstStop(s string, stops []string) (at int, stop string) {
	for _, candidate := range stops {
		i := strings.Index(s, candidate)
		if i < 0 || candidate == "" {
			continue
		}
		if e, best := i+len(candidate), at+len(stop); stop == "" || e < best || e == best && i < at {
			at, stop = i, candidate
		}
	}
	return at, stop
}
