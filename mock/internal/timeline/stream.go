package timeline

import (
	"slices"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/latency"
)

// None marks a timing point that a profile doesn't give.
const None time.Duration = -1

// Delays are the drawn timing points of one answer. Each is an offset from arrival, or [None].
type Delays struct {
	Headers      time.Duration // None: with message_start
	MessageStart time.Duration // None: with the first token
	FirstToken   time.Duration // None: at once
	Stop         time.Duration // from the last delta to message_stop; None: none
	Respond      time.Duration // the whole answer; None: as long as its stream
	// Wait comes before FirstToken and Respond: what a queue and the request's own length cost.
	Wait time.Duration

	// Gap is what the gaps between deltas are drawn from, Draws the draws, and Factor what each is
	// multiplied by, in billionths. The zero Gap means none.
	Gap    latency.Values
	Draws  latency.Sequence
	Factor int64
	drawn  uint64 // gaps so far

	// TokensMin to TokensMax is how many tokens a delta carries; parts of Gap that say it themselves win.
	TokensMin, TokensMax int
	PingEvery            time.Duration // silence after which a ping goes out; 0: never
}

// maxRedraws bounds the search for a part of the gap's mix that needs no more tokens than are left.
const maxRedraws = 100

// delta is the next delta of a stream: after which gap it comes and how many tokens it carries.
// A part that carries more tokens than are left is passed over, so that a merged event is
// merged to the last.
func (d *Delays) delta(left uint32) (gap time.Duration, tokens uint32) {
	var u latency.U
	for range maxRedraws {
		u = d.Draws.Next()
		least, most := d.TokensMin, d.TokensMax
		if a, b := d.Gap.TokenRange(u); b > 0 {
			least, most = a, b
		}
		if uint32(least) <= left {
			tokens = min(uint32(within(u, least, most)), left)
			break
		}
		tokens = left
	}
	if !d.Gap.None() {
		gap = time.Duration(latency.Scale(d.Gap.At(u, d.drawn), d.Factor))
		d.drawn++
	}
	return gap, tokens
}

// within picks a whole number from the draw's last three digits, which are independent of the
// digits that picked the gap.
func within(u latency.U, least, most int) int {
	if most <= least {
		return max(least, 1)
	}
	return least + int(u%1000)*(most-least+1)/1000
}

// first is the number of tokens that the first delta carries. No gap comes before it, so no part
// of a mix speaks for it.
func (d *Delays) first(total uint32) uint32 { return min(uint32(max(d.TokensMin, 1)), total) }

// start orders the points before the message's first token: none comes before the one it follows.
func (d *Delays) start(m *wire.Message) (headers, messageStart, firstToken time.Duration) {
	firstToken = d.Wait + max(d.FirstToken, 0)
	if d.spread() {
		firstToken = d.share(m, d.opening(m))
	}
	messageStart = firstToken
	if d.MessageStart >= 0 {
		messageStart = d.MessageStart
	}
	headers = messageStart
	if d.Headers >= 0 {
		headers = d.Headers
	}
	messageStart = max(messageStart, headers)
	return headers, messageStart, max(firstToken, messageStart)
}

// spread reports whether the stream has no timing of its own, so that its tokens are spread
// evenly over the time of the whole answer (R39).
func (d *Delays) spread() bool {
	return d.Respond >= 0 && d.FirstToken < 0 && d.Gap.None()
}

// share is the instant at which that many of the message's tokens are said, when they are spread
// evenly over the time behind the wait. One that says nothing says all of it at the end.
func (d *Delays) share(m *wire.Message, said int) time.Duration {
	all, n := time.Duration(tokens(m)), time.Duration(said)
	if n >= all {
		return d.Wait + d.Respond
	}
	return d.Wait + d.Respond/all*n + d.Respond%all*n/all
}

// opening is how many tokens the message's first delta carries.
func (d *Delays) opening(m *wire.Message) int {
	for i := range m.Blocks {
		switch b := &m.Blocks[i]; {
		case len(b.Pieces) > 0:
			_, n := b.Piece(0)
			return n
		case b.Tokens() > 0:
			return int(d.first(uint32(b.Tokens())))
		}
	}
	return 0
}

func tokens(m *wire.Message) int {
	n := 0
	for i := range m.Blocks {
		n += m.Blocks[i].Tokens()
	}
	return n
}

// streamed is how long the message's stream takes.
func (d Delays) streamed(m *wire.Message) time.Duration {
	return d.deltas(m, func(Step) {}) + max(d.Stop, 0)
}

// Stream is a message as server-sent events.
func Stream(m *wire.Message, d Delays, look Look) *Timeline {
	t := look.blank()
	t.Status, t.Message, t.stream = 200, m, true
	headers, start, _ := d.start(m)
	t.steps = slices.Grow(t.steps, tokens(m)+6+3*len(m.Blocks))
	t.add(Step{Due: headers, Kind: Head})
	t.add(Step{Due: start, Kind: MessageStart})
	w := writer{Timeline: t, every: d.PingEvery, last: start, block: -1}
	last := d.deltas(m, func(s Step) {
		w.wait(s.Due)
		w.open(int(s.Block))
		w.add(s)
		if t.ttft < 0 {
			t.ttft = s.Due
		}
	})
	w.open(len(m.Blocks))
	last += max(d.Stop, 0)
	w.wait(last)
	if t.ttft < 0 { // nothing is said
		t.ttft = last
	}
	t.add(Step{Due: last, Kind: MessageDelta})
	t.add(Step{Due: last, Kind: MessageStop})
	t.add(Step{Due: last, Kind: End})
	return t
}

// writer adds the steps around a stream's deltas: blocks opened and closed, pings in silences.
type writer struct {
	*Timeline
	every time.Duration
	last  time.Duration // the instant of the last event
	block int           // the open one
	pings int           // so far
}

// open closes the open block and opens those up to the given one, at the instant of the last event.
func (w *writer) open(block int) {
	for w.block < block {
		if w.block >= 0 {
			w.add(Step{Due: w.last, Kind: BlockStop, Block: uint16(w.block)})
		}
		w.block++
		if w.block == len(w.Message.Blocks) {
			return
		}
		w.add(Step{Due: w.last, Kind: BlockStart, Block: uint16(w.block)})
		if w.block == 0 {
			// The API sends one ping of its own here.
			w.add(Step{Due: w.last, Kind: Ping})
		}
	}
}

// mostPings bounds what a plan holds, whatever its gaps: after so many pings a stream is silent
// between its deltas.
const mostPings = 10_000

// wait moves to the next event's instant and fills a long silence with pings.
func (w *writer) wait(until time.Duration) {
	if w.every > 0 {
		for at := w.last + w.every; at < until && w.pings < mostPings; at += w.every {
			w.pings++
			w.add(Step{Due: at, Kind: Ping})
		}
	}
	w.last = until
}
