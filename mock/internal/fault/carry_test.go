package fault_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	. "github.com/seed-954e9acd/orrery/mock/internal/fault"
)

func TestWritesHaveExactlyTheirSizeAndLeaveWithTheirLastByte(t *testing.T) {
	in := stream()
	all := body(in)
	var ends []int // of the pieces
	n := 0
	for _, p := range in.Pieces {
		n += len(p.Bytes)
		ends = append(ends, n)
	}
	for _, size := range []int{1, 7, 100, len(all) - 1, len(all), len(all) + 5} {
		out := Apply(in, []Fault{WriteSize{Size: size}})
		require.Equal(t, all, body(out))
		require.Equal(t, 6, tokens(out))
		at := 0
		for i, p := range out.Pieces {
			at += len(p.Bytes)
			require.True(t, p.Alone)
			if i+1 < len(out.Pieces) {
				require.Len(t, p.Bytes, size)
			}
			due := in.Pieces[0].Due
			for j, end := range ends {
				if at-len(p.Bytes) < end && (j == 0 || at > ends[j-1]) {
					due = in.Pieces[j].Due
				}
			}
			require.Equal(t, due, p.Due)
		}
	}
}

func TestWritesWithinEventsStartAnewAtEach(t *testing.T) {
	out := Apply(stream(), []Fault{WriteSize{Size: 60, Within: true, Gap: 10 * ms}})
	require.Equal(t, body(stream()), body(out))
	fresh := true
	for _, p := range out.Pieces {
		require.Equal(t, fresh, strings.HasPrefix(string(p.Bytes), "event:"))
		if fresh = p.Event != ""; !fresh {
			require.Len(t, p.Bytes, 60)
		}
	}
	require.True(t, fresh)
	require.Equal(t, 100*ms, out.Pieces[0].Due)
	require.Equal(t, 110*ms, out.Pieces[1].Due)
}

func TestAGapStandsBetweenWritesOfOneInstant(t *testing.T) {
	in := Answer{EndDue: 30 * ms, Pieces: []Piece{{Due: 10 * ms, Bytes: []byte("abc")}, {Due: 30 * ms, Bytes: []byte("de")}}}
	out := Apply(in, []Fault{WriteSize{Size: 1, Gap: 15 * ms}})
	require.Equal(t, []time.Duration{10 * ms, 25 * ms, 40 * ms, 55 * ms, 70 * ms}, dues(out), "what is behind waits")
	require.Equal(t, 70*ms, out.EndDue)
	out = Apply(in, []Fault{WriteSize{Size: 1, Gap: 1 * ms}})
	require.Equal(t, []time.Duration{10 * ms, 11 * ms, 12 * ms, 30 * ms, 31 * ms}, dues(out))
}

func TestALargeFillerIsLeftUncut(t *testing.T) {
	out := Apply(stream(), []Fault{Insert{Content: Delta{Text: "x", Size: 40 << 20}, After: at("1")}, WriteSize{Size: 1000}})
	require.Empty(t, out.Missed)
	large := 0
	for _, p := range out.Pieces {
		if p.Times > 1 {
			large++
			require.Equal(t, int64(40<<20), p.Len())
		}
	}
	require.Equal(t, 1, large)
	out = Apply(stream(), []Fault{Insert{Content: Delta{Text: "x", Size: 1 << 20}, After: at("1")}, WriteSize{Size: 1 << 16}})
	require.Len(t, out.Pieces, 17)
}

func TestEventsLeaveTogether(t *testing.T) {
	out := Apply(stream(), []Fault{Coalesce{Events: 3}})
	require.Equal(t, body(stream()), body(out))
	require.Equal(t, []time.Duration{300 * ms, 500 * ms}, dues(out))
	require.Equal(t, "delta delta", names(out), "content goes before what has none")
	require.Equal(t, []int{5, 1}, []int{out.Pieces[0].Tokens, out.Pieces[1].Tokens})
	out = Apply(stream(), []Fault{Coalesce{All: true}})
	require.Equal(t, []string{body(stream())}, texts(out))
	require.Equal(t, []time.Duration{500 * ms}, dues(out))
	require.True(t, out.Pieces[0].Cut)
}

func TestACutInsideEachCharacterAtEveryOffset(t *testing.T) {
	all := body(stream())
	for i, r := range all {
		for offset := 1; offset < len(string(r)); offset++ {
			cut := i + offset
			out := Apply(stream(), []Fault{Cuts{At: AtByte, Byte: int64(cut), Gap: 20 * ms}})
			require.Len(t, out.Pieces, 6)
			require.Equal(t, all, body(out))
			sent := ""
			for j, p := range out.Pieces {
				if sent += string(p.Bytes); len(sent) == cut {
					require.Equal(t, p.Due+20*ms, out.Pieces[j+1].Due)
					require.True(t, p.Cut && p.Alone && out.Pieces[j+1].Alone && out.Pieces[j+1].Cut)
					require.Empty(t, p.Event)
					require.Equal(t, delta, out.Pieces[j+1].Event, "it counts where its last byte leaves")
					break
				}
			}
			require.Len(t, sent, cut)
		}
	}
}

func TestWritesAreCutAtTheSpotsOfTheirKind(t *testing.T) {
	crlf := LineEnding{Cycle: []Newline{CRLF}}
	for name, c := range map[string]struct {
		faults []Fault
		pieces int
		left   string // the end of the first half of the first cut
		right  string // the beginning of the second
	}{
		"characters":  {[]Fault{Cuts{At: InsideCharacter}}, 8, "h\xc3", "\xa9\xc3\xa9"},
		"one event":   {[]Fault{Cuts{At: InsideCharacter, Of: at("content_block_delta 3")}}, 6, "\xf0", "\x9f\x8c\x8d"},
		"data lines":  {[]Fault{Cuts{At: InsideEvent}}, 10, `{"type":"message_start","message":{"us`, `age"`},
		"newlines":    {[]Fault{crlf, Cuts{At: InsideCRLF, Of: at("1")}}, 6, "event: message_start\r", "\ndata"},
		"blank lines": {[]Fault{Cuts{At: BeforeBlankLine}}, 10, "}}\n", "\n"},
		"blank crlf":  {[]Fault{crlf, Cuts{At: BeforeBlankLine}}, 10, "}}\r\n", "\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			out := Apply(stream(), c.faults)
			require.Empty(t, out.Missed)
			require.Len(t, out.Pieces, c.pieces)
			require.Equal(t, body(Apply(stream(), c.faults[:len(c.faults)-1])), body(out))
			for i, p := range out.Pieces {
				if p.Cut {
					require.True(t, strings.HasSuffix(string(p.Bytes), c.left), "%q", p.Bytes)
					require.True(t, strings.HasPrefix(string(out.Pieces[i+1].Bytes), c.right), "%q", out.Pieces[i+1].Bytes)
					require.Equal(t, p.Due, out.Pieces[i+1].Due)
					return
				}
			}
			require.Fail(t, "nothing was cut")
		})
	}
	out := Apply(stream(), []Fault{Gzip{}, Cuts{At: InsideCharacter}})
	require.Equal(t, []string{"{cut: inside-character}: the bytes are compressed, so they show no such spot: cut at a byte"}, out.Missed)
}

func TestAWholeBodyIsCutAndWrittenInPiecesToo(t *testing.T) {
	out := Apply(whole(), []Fault{WriteSize{Size: 8}})
	require.Equal(t, []string{`{"a":{"b`, `":1},"c"`, `:"é"}`}, texts(out))
	require.Equal(t, 4, out.Pieces[2].Tokens)
	out = Apply(whole(), []Fault{Cuts{At: InsideCharacter, Gap: 5 * ms}})
	require.Equal(t, []time.Duration{100 * ms, 105 * ms}, dues(out))
	require.Equal(t, 105*ms, out.EndDue)
}
