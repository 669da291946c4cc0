package timeline_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/latency"
)

// point is a timing point of up to 4 s; negative is one that isn't given.
func point(n int16) time.Duration {
	if n < 0 {
		return timeline.None
	}
	return time.Duration(n) * 125 * time.Microsecond
}

// gapsOf is a distribution for a fuzzer's choice: none, one gap, or one with merged tokens.
func gapsOf(t *testing.T, kind uint8) latency.Values {
	switch kind % 3 {
	case 0:
		return latency.Values{}
	case 1:
		return latency.Constant(int64(20 * ms)).Values()
	}
	mixed, err := latency.Mix([]latency.Part{
		{Share: latency.Whole / 4 * 3, Table: latency.Constant(int64(20 * ms))},
		{Share: latency.Whole / 4, Table: latency.Constant(int64(90 * ms)), TokensMin: 2, TokensMax: 3},
	})
	require.NoError(t, err)
	return mixed.Values()
}

func FuzzStream(f *testing.F) {
	f.Add("The moon pulls, and the sea follows.", int16(10), int16(20), int16(30), int16(40), int16(-1), uint8(1), uint8(1), uint8(1), uint64(7), int16(80), true)
	f.Add("", int16(-1), int16(-1), int16(-1), int16(-1), int16(800), uint8(0), uint8(1), uint8(4), uint64(0), int16(0), false)
	f.Add("一二三 🎉\n\"quoted\"", int16(900), int16(20), int16(5), int16(0), int16(-1), uint8(2), uint8(2), uint8(3), uint64(1), int16(8), true)
	f.Add("a", int16(-1), int16(-1), int16(-1), int16(-1), int16(3), uint8(0), uint8(9), uint8(2), uint64(2), int16(1), false)
	f.Fuzz(func(t *testing.T, text string, headers, start, first, stop, respond int16, gap, least, most uint8, seed uint64, ping int16, padded bool) {
		text = strings.ToValidUTF8(text, "?")
		m := &wire.Message{
			ID: "msg_01", Model: "m", StopReason: "end_turn",
			Blocks: []wire.Block{{Type: "text", Text: text, Ends: wire.TokenEnds(nil, text)}},
			Usage:  wire.Usage{Output: 1},
		}
		d := delays()
		d.Headers, d.MessageStart, d.FirstToken = point(headers), point(start), point(first)
		d.Stop, d.Respond, d.PingEvery = point(stop), point(respond), max(point(ping), 0)
		d.Gap, d.Wait = gapsOf(t, gap), time.Duration(seed%3)*7*ms
		d.Draws = latency.NewPlace(seed, "gap").Sequence(seed%2 == 1)
		d.TokensMin = max(int(least%8), 1)
		d.TokensMax = max(int(most%8), d.TokensMin)
		look := timeline.Look{Padded: padded, Padding: latency.NewPlace(seed, "padding")}

		made := timeline.Stream(m, d, look)
		requireWellFormed(t, made, text, d.PingEvery)
		if d.Respond < 0 {
			require.Equal(t, made.Duration(), timeline.Whole(m, d, look).Duration(), "R39")
		}
	})
}

// requireWellFormed checks what holds for every stream.
func requireWellFormed(t *testing.T, made *timeline.Timeline, text string, pingEvery time.Duration) {
	t.Helper()
	require.True(t, made.Streams())
	var said strings.Builder
	var before, lastEvent time.Duration
	counts := map[timeline.Kind]int{}
	tokens, last := 0, made.Len()-1
	for i := range made.Len() {
		s := made.Step(i)
		require.GreaterOrEqual(t, s.Due, before, "step %d", i)
		before = s.Due
		counts[s.Kind]++
		switch s.Kind {
		case timeline.Head:
			require.Zero(t, i)
		case timeline.MessageStart:
			require.Equal(t, 1, i, "nothing comes before it, no ping either")
			lastEvent = s.Due
		case timeline.End:
			require.Equal(t, last, i)
		case timeline.MessageStop:
			require.Equal(t, last-1, i)
		case timeline.MessageDelta:
			require.Equal(t, last-2, i)
		case timeline.Delta:
			require.Equal(t, []int{1, 0}, []int{counts[timeline.BlockStart], counts[timeline.BlockStop]})
			require.Positive(t, s.Tokens())
			said.WriteString(made.Message.Blocks[s.Block].Span(int(s.From), int(s.To)))
			tokens += s.Tokens()
		}
		if s.Kind.IsEvent() {
			if pingEvery > 0 {
				require.LessOrEqual(t, s.Due-lastEvent, pingEvery, "R43")
			}
			lastEvent = s.Due
			requireEvent(t, made.Append(nil, i), s.Kind.String())
		} else {
			require.Empty(t, made.Append(nil, i))
		}
	}
	require.Equal(t, text, said.String())
	require.Equal(t, made.Message.Blocks[0].Tokens(), tokens)
	for _, once := range []timeline.Kind{timeline.Head, timeline.MessageStart, timeline.MessageDelta, timeline.MessageStop, timeline.End} {
		require.Equal(t, 1, counts[once], once)
	}
	require.Equal(t, counts[timeline.BlockStart], counts[timeline.BlockStop])
	require.GreaterOrEqual(t, made.TTFT(), made.Step(1).Due)
	require.LessOrEqual(t, made.TTFT(), made.Duration())
}

// requireEvent checks the bytes of one server-sent event.
func requireEvent(t *testing.T, b []byte, name string) {
	t.Helper()
	rest, ok := bytes.CutPrefix(b, []byte("event: "+name+"\ndata: "))
	require.True(t, ok, "%q", b)
	data, ok := bytes.CutSuffix(rest, []byte("\n\n"))
	require.True(t, ok, "%q", b)
	var told struct{ Type string }
	require.NoError(t, json.Unmarshal(data, &told), "%q", data)
	require.Equal(t, name, told.Type)
}
