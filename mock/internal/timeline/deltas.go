package timeline

import (
	"time"
	"unicode/utf8"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/latency"
)

// How many characters a delta of a tool's input carries, as recorded; its last may be shorter.
const (
	leastInput = 2
	mostInput  = 15
)

// walk goes through a message's deltas. Every delta but the first comes a gap after the one before
// it, whichever blocks they belong to and whether it carries tokens or not. (R40)
type walk struct {
	*Delays
	m      *wire.Message
	each   func(Step)
	start  time.Duration // no delta comes before it
	at     time.Duration
	done   int // tokens so far
	begun  bool
	spread bool // R39
}

// deltas walks through the message's deltas in order and returns the last one's instant.
func (d *Delays) deltas(m *wire.Message, each func(Step)) time.Duration {
	w := walk{Delays: d, m: m, each: each, spread: d.spread()}
	_, w.start, w.at = d.start(m)
	for i := range m.Blocks {
		if m.Blocks[i].Deltas() {
			w.block(i)
		}
	}
	return w.at
}

func (w *walk) block(index int) {
	b := &w.m.Blocks[index]
	if b.Pieces != nil {
		w.pieces(index)
		return
	}
	if b.IsCall() {
		w.empty(index, Piece, 0)
	}
	total, cited := uint32(b.Tokens()), 0
	for from := uint32(0); from < total; {
		left := total - from
		if cited < len(b.Citations) {
			next := uint32(max(b.Citations[cited].After, 0))
			if next <= from {
				w.empty(index, Citation, cited)
				cited++
				continue
			}
			left = min(left, next-from)
		}
		n := w.first(left)
		if w.begun {
			var gap time.Duration
			gap, n = w.delta(left)
			w.at += gap
		}
		if b.IsCall() {
			n = inputPiece(b, from, n)
		}
		w.say(Step{Kind: Delta, Block: uint16(index), From: from, To: from + n})
		from += n
	}
	for ; cited < len(b.Citations); cited++ {
		w.empty(index, Citation, cited)
	}
	if b.Type == "thinking" && b.Signature != "" {
		w.empty(index, Signature, 0)
	}
}

// pieces are deltas that are given one by one.
func (w *walk) pieces(index int) {
	b := &w.m.Blocks[index]
	for i := range b.Pieces {
		if w.begun {
			w.at += w.pause()
		}
		_, tokens := b.Piece(i)
		w.say(Step{Kind: Delta, Block: uint16(index), Part: Given, From: uint32(i), To: uint32(i + tokens)})
	}
}

// empty is a delta without tokens.
func (w *walk) empty(block int, part Part, n int) {
	if w.begun {
		w.at += w.pause()
	}
	w.say(Step{Kind: Delta, Block: uint16(block), Part: part, From: uint32(n), To: uint32(n)})
}

func (w *walk) say(s Step) {
	w.begun = true
	w.done += s.Tokens()
	if w.spread {
		w.at = max(w.start, w.share(w.m, w.done))
	}
	s.Due = w.at
	w.each(s)
}

// pause is the gap before a delta without tokens. A part of the mix that merges tokens is passed over.
func (d *Delays) pause() time.Duration {
	if d.Gap.None() {
		return 0
	}
	var u latency.U
	for range maxRedraws {
		u = d.Draws.Next()
		if least, _ := d.Gap.TokenRange(u); least <= 1 {
			break
		}
	}
	gap := latency.Scale(d.Gap.At(u, d.drawn), d.Factor)
	d.drawn++
	return time.Duration(gap)
}

// inputPiece is how many tokens of a tool's input a delta carries that would carry n.
func inputPiece(b *wire.Block, from, n uint32) uint32 {
	size := func() int { return utf8.RuneCountInString(b.Span(int(from), int(from+n))) }
	for n > 1 && size() > mostInput {
		n--
	}
	for int(from+n) < b.Tokens() && size() < leastInput {
		n++
	}
	return n
}
