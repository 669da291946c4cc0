package fault_test

import (
	"compress/gzip"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	. "github.com/seed-954e9acd/orrery/mock/internal/fault"
)

// unzipped reads what of a compressed body can be read.
func unzipped(t *testing.T, b string) string {
	r, err := gzip.NewReader(strings.NewReader(b))
	require.NoError(t, err)
	plain, err := io.ReadAll(r)
	if err != nil {
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	}
	return string(plain)
}

func TestAFlushedGzipLeavesEventByEvent(t *testing.T) {
	in := stream()
	out := Apply(in, []Fault{Gzip{Mode: Flushed}})
	require.Equal(t, "gzip", out.Encoding)
	require.Equal(t, dues(in), dues(out))
	require.Equal(t, names(in), names(out))
	sent := ""
	for i, p := range out.Pieces {
		sent += string(p.Bytes)
		want := ""
		for _, q := range in.Pieces[:i+1] {
			want += string(q.Bytes)
		}
		require.Equal(t, want, unzipped(t, sent), "what has left can be read at once")
	}
	r, err := gzip.NewReader(strings.NewReader(body(out)))
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, r)
	require.NoError(t, err, "the trailer is there")
	require.True(t, r.ModTime.IsZero())
}

func TestEventsOfOneInstantShareAFlush(t *testing.T) {
	in := stream()
	for i := range in.Pieces {
		in.Pieces[i].Due = 100 * ms
	}
	out := Apply(in, []Fault{Gzip{}})
	require.Equal(t, []time.Duration{100 * ms, 500 * ms}, dues(out), "the trailer leaves at the end")
	require.Equal(t, "delta", strings.TrimSpace(names(out)))
	require.Equal(t, 6, tokens(out))
	require.True(t, out.Pieces[0].Cut)
}

func TestAnUnflushedGzipOfAShortAnswerLeavesAtItsEnd(t *testing.T) {
	out := Apply(stream(), []Fault{Gzip{Mode: Unflushed}})
	require.Len(t, out.Pieces, 2, "the compressor's header, then all the rest")
	require.Len(t, out.Pieces[0].Bytes, 10)
	require.Equal(t, []time.Duration{100 * ms, 500 * ms}, dues(out))
	require.Equal(t, 0, out.Pieces[0].Tokens)
	require.Equal(t, body(stream()), unzipped(t, body(out)))
}

func TestATruncatedGzipLacksItsEnd(t *testing.T) {
	all := body(Apply(stream(), []Fault{Gzip{Mode: Flushed}}))
	cut := body(Apply(stream(), []Fault{Gzip{Mode: Truncated}}))
	require.True(t, strings.HasPrefix(all, cut))
	require.GreaterOrEqual(t, len(all)-len(cut), 8)
	require.Equal(t, body(stream()), unzipped(t, cut))
	r, err := gzip.NewReader(strings.NewReader(cut))
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, r)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

func TestAnEndWithoutTerminatorLeavesTheTrailerOut(t *testing.T) {
	truncated := Apply(stream(), []Fault{Gzip{Mode: Truncated}})
	cut := Apply(stream(), []Fault{Gzip{}, Ending{End: Cut}})
	require.Equal(t, truncated.Pieces, cut.Pieces)
	require.Len(t, body(Apply(stream(), []Fault{Gzip{Mode: Unflushed}, Ending{End: Reset}})), 10, "the rest is still in the compressor")
}

func TestABodyIsCompressedOnce(t *testing.T) {
	out := Apply(stream(), []Fault{Gzip{}, Gzip{Mode: Truncated}})
	require.Equal(t, []string{"{gzip: truncated}: the body is encoded already: take one gzip away"}, out.Missed)
}

func TestAFillerIsCompressedWithoutBeingWrittenOut(t *testing.T) {
	out := Apply(stream(), []Fault{Insert{Content: Delta{Text: "x", Size: 8 << 20}, After: at("1")}, Gzip{}})
	require.Empty(t, out.Missed)
	require.Less(t, len(body(out)), 1<<20)
	r, err := gzip.NewReader(strings.NewReader(body(out)))
	require.NoError(t, err)
	plain, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Contains(t, string(plain), `"text":"`+strings.Repeat("x", 8<<20)+`"}}`+"\n\n")
}

func TestHeldBytesLeaveTogether(t *testing.T) {
	for _, c := range []struct {
		hold Hold
		dues []time.Duration
	}{
		{Hold{End: true}, []time.Duration{500 * ms, 500 * ms, 500 * ms, 500 * ms, 500 * ms}},
		{Hold{Events: 2}, []time.Duration{200 * ms, 200 * ms, 400 * ms, 400 * ms, 500 * ms}},
		{Hold{Events: 9}, []time.Duration{500 * ms, 500 * ms, 500 * ms, 500 * ms, 500 * ms}},
		{Hold{Bytes: 150}, []time.Duration{200 * ms, 200 * ms, 400 * ms, 400 * ms, 500 * ms}},
		{Hold{Bytes: 1}, []time.Duration{100 * ms, 200 * ms, 300 * ms, 400 * ms, 500 * ms}},
		{Hold{Every: 200 * ms}, []time.Duration{250 * ms, 250 * ms, 450 * ms, 450 * ms, 650 * ms}},
	} {
		out := Apply(stream(), []Fault{c.hold})
		require.Equal(t, c.dues, dues(out), c.hold.String())
		require.Equal(t, texts(stream()), texts(out))
		require.Equal(t, max(500*ms, c.dues[4]), out.EndDue)
	}
	out := Apply(stream(), []Fault{Hold{}})
	require.Equal(t, []string{"{hold: 0B}: it needs exactly one of a size, a number of events, a time and the end: give one above 0"}, out.Missed)
}

func TestAGateHoldsAllThatIsHeldWithIt(t *testing.T) {
	out := Apply(stream(), []Fault{Stall{Gate: "g", After: at("1")}, Hold{Events: 2}})
	require.Equal(t, "g", out.Pieces[0].Gate)
	require.Empty(t, out.Pieces[1].Gate)
}
