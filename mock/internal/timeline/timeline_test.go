package timeline_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/latency"
)

const (
	ms  = time.Millisecond
	one = int64(latency.Whole)
)

// saying is a message of one text block with n tokens of one letter each.
func saying(n int) *wire.Message {
	b := wire.Block{Type: "text", Text: strings.Repeat("a", n)}
	for i := range n {
		b.Ends = append(b.Ends, uint32(i+1))
	}
	return &wire.Message{ID: "msg_01", Model: "m", Blocks: []wire.Block{b}, StopReason: "end_turn"}
}

func delays() timeline.Delays {
	return timeline.Delays{
		Headers: timeline.None, MessageStart: timeline.None, FirstToken: timeline.None, Stop: timeline.None,
		Respond: timeline.None, Factor: one, TokensMin: 1, TokensMax: 1,
	}
}

type step struct {
	kind   string
	due    time.Duration
	tokens int
}

func steps(t *timeline.Timeline) []step {
	var all []step
	for i := range t.Len() {
		s := t.Step(i)
		all = append(all, step{s.Kind.String(), s.Due, s.Tokens()})
	}
	return all
}

func TestAStreamHasTheAPIsEventsInOrder(t *testing.T) {
	d := delays()
	d.FirstToken, d.Stop = 100*ms, 5*ms
	d.Gap, d.Draws = latency.Constant(int64(20*ms)).Values(), latency.NewPlace(1, "gap").Sequence(false)

	made := timeline.Stream(saying(3), d, timeline.Look{})

	require.True(t, made.Streams())
	require.Equal(t, []step{
		{"head", 100 * ms, 0},
		{"message_start", 100 * ms, 0},
		{"content_block_start", 100 * ms, 0},
		{"ping", 100 * ms, 0},
		{"content_block_delta", 100 * ms, 1},
		{"content_block_delta", 120 * ms, 1},
		{"content_block_delta", 140 * ms, 1},
		{"content_block_stop", 140 * ms, 0},
		{"message_delta", 145 * ms, 0},
		{"message_stop", 145 * ms, 0},
		{"end", 145 * ms, 0},
	}, steps(made))
	require.Equal(t, 100*ms, made.TTFT())
	require.Equal(t, 145*ms, made.Duration())
}

func TestPointsBeforeTheFirstTokenNeverOvertakeEachOther(t *testing.T) {
	for _, c := range []struct {
		name                                   string
		headers, start, first                  time.Duration
		wantHeaders, wantStart, wantFirstToken time.Duration
	}{
		{"all given", 10 * ms, 20 * ms, 50 * ms, 10 * ms, 20 * ms, 50 * ms},
		{"headers alone early", 10 * ms, timeline.None, 50 * ms, 10 * ms, 50 * ms, 50 * ms},
		{"start alone early", timeline.None, 20 * ms, 50 * ms, 20 * ms, 20 * ms, 50 * ms},
		{"headers after the start", 30 * ms, 20 * ms, 50 * ms, 30 * ms, 30 * ms, 50 * ms},
		{"start after the first token", timeline.None, 80 * ms, 50 * ms, 80 * ms, 80 * ms, 80 * ms},
		{"nothing given", timeline.None, timeline.None, timeline.None, 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := delays()
			d.Headers, d.MessageStart, d.FirstToken = c.headers, c.start, c.first
			made := timeline.Stream(saying(1), d, timeline.Look{})
			require.Equal(t, c.wantHeaders, made.Step(0).Due)
			require.Equal(t, c.wantStart, made.Step(1).Due)
			require.Equal(t, c.wantFirstToken, made.TTFT())
		})
	}
}

func TestAMergedEventIsMergedToTheLast(t *testing.T) {
	merged, err := latency.Mix([]latency.Part{
		{Share: latency.Whole / 2, Table: latency.Constant(int64(20 * ms))},
		{Share: latency.Whole / 2, Table: latency.Constant(int64(90 * ms)), TokensMin: 2, TokensMax: 3},
	})
	require.NoError(t, err)
	for seed := range uint64(200) {
		d := delays()
		d.Gap, d.Draws = merged.Values(), latency.NewPlace(seed, "gap").Sequence(false)
		made := timeline.Stream(saying(40), d, timeline.Look{})
		var before time.Duration
		total := 0
		for i := range made.Len() {
			s := made.Step(i)
			if s.Kind != timeline.Delta {
				continue
			}
			total += s.Tokens()
			if s.Due-before == 90*ms {
				require.Contains(t, []int{2, 3}, s.Tokens())
			} else {
				require.Equal(t, 1, s.Tokens())
			}
			before = s.Due
		}
		require.Equal(t, 40, total)
	}
}

func TestAWholeAnswerTakesAsLongAsItsStreamUnlessRespondIsGiven(t *testing.T) {
	d := delays()
	d.FirstToken, d.Stop = 100*ms, 5*ms
	d.Gap, d.Draws = latency.Constant(int64(20*ms)).Values(), latency.NewPlace(1, "gap").Sequence(false)
	require.Equal(t, timeline.Stream(saying(30), d, timeline.Look{}).Duration(), timeline.Whole(saying(30), d, timeline.Look{}).Duration())

	d.Respond = 62 * ms
	whole := timeline.Whole(saying(30), d, timeline.Look{})
	require.Equal(t, []step{{"head", 62 * ms, 0}, {"body", 62 * ms, 0}, {"end", 62 * ms, 0}}, steps(whole))
	require.False(t, whole.Streams())
}

func TestRespondAloneSpreadsAStreamEvenly(t *testing.T) {
	d := delays()
	d.Respond = 100 * ms
	made := timeline.Stream(saying(4), d, timeline.Look{})
	require.Equal(t, 25*ms, made.TTFT())
	require.Equal(t, 100*ms, made.Duration())
}

func TestSilencesAreFilledWithPings(t *testing.T) {
	d := delays()
	d.MessageStart, d.FirstToken, d.PingEvery = 0, 35*ms, 10*ms
	made := timeline.Stream(saying(1), d, timeline.Look{})
	require.Equal(t, []step{
		{"head", 0, 0}, {"message_start", 0, 0},
		{"ping", 10 * ms, 0}, {"ping", 20 * ms, 0}, {"ping", 30 * ms, 0},
		{"content_block_start", 35 * ms, 0}, {"ping", 35 * ms, 0}, {"content_block_delta", 35 * ms, 1},
	}, steps(made)[:8])
}

func TestAnEmptyAnswerHasNoDeltas(t *testing.T) {
	d := delays()
	d.FirstToken = 40 * ms
	made := timeline.Stream(saying(0), d, timeline.Look{})
	for i := range made.Len() {
		require.NotEqual(t, timeline.Delta, made.Step(i).Kind)
	}
	require.Equal(t, 40*ms, made.Duration())
	require.Equal(t, 40*ms, made.TTFT())
}

func TestFactorScalesTheGapsAlone(t *testing.T) {
	d := delays()
	d.FirstToken, d.Factor = 100*ms, 2*one
	d.Gap, d.Draws = latency.Constant(int64(20*ms)).Values(), latency.NewPlace(1, "gap").Sequence(false)
	require.Equal(t, 140*ms, timeline.Stream(saying(2), d, timeline.Look{}).Duration())
}

func TestDeltasJoinToTheWholeText(t *testing.T) {
	m := saying(50)
	d := delays()
	d.TokensMin, d.TokensMax = 1, 4
	d.Draws = latency.NewPlace(1, "gap").Sequence(false)
	made := timeline.Stream(m, d, timeline.Look{})
	text := ""
	for i := range made.Len() {
		if s := made.Step(i); s.Kind == timeline.Delta {
			text += m.Blocks[0].Span(int(s.From), int(s.To))
		}
	}
	require.Equal(t, m.Blocks[0].Text, text)
}

func TestOfAStreamThatIsSpreadEvenlyNothingLeavesBeforeItsFirstToken(t *testing.T) {
	d := delays()
	d.Respond = 100 * ms
	made := timeline.Stream(saying(4), d, timeline.Look{})
	require.Equal(t, []step{
		{"head", 25 * ms, 0},
		{"message_start", 25 * ms, 0},
		{"content_block_start", 25 * ms, 0},
		{"ping", 25 * ms, 0},
		{"content_block_delta", 25 * ms, 1},
		{"content_block_delta", 50 * ms, 1},
		{"content_block_delta", 75 * ms, 1},
		{"content_block_delta", 100 * ms, 1},
	}, steps(made)[:8])
}

func TestAnEmptyStreamTakesAsLongAsRespondSays(t *testing.T) {
	d := delays()
	d.Respond = 100 * ms
	require.Equal(t, 100*ms, timeline.Stream(saying(0), d, timeline.Look{}).Duration())
}

func TestALongAnswerIsSpreadExactly(t *testing.T) {
	d := delays()
	d.Respond = 24*time.Hour + 1
	made := timeline.Stream(saying(200_000), d, timeline.Look{})
	require.Equal(t, d.Respond, made.Duration())
	require.Equal(t, 24*time.Hour/200_000, made.TTFT())
}

func TestAnErrorIsWholeAtItsInstant(t *testing.T) {
	overloaded := &wire.Error{Status: 529, Type: "overloaded_error", Message: "Overloaded"}
	made := timeline.Failure(overloaded, 40*ms, timeline.Look{RequestID: "req_1"})
	require.Equal(t, 529, made.Status)
	require.Equal(t, []step{{"head", 40 * ms, 0}, {"body", 40 * ms, 0}, {"end", 40 * ms, 0}}, steps(made))
	require.Equal(t, []time.Duration{40 * ms, 40 * ms}, []time.Duration{made.TTFT(), made.Duration()})
	require.JSONEq(t, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_1"}`, string(made.Append(nil, 1)))
	made.Raw = []byte("<html>")
	require.Equal(t, "<html>", string(made.Append(nil, 1)))
}

func TestAnEmptyBodyIsOneToo(t *testing.T) {
	tl := timeline.Raw(520, nil, 0, timeline.Look{})
	for i := range tl.Len() {
		require.Empty(t, tl.Append(nil, i))
	}
}

func TestABodyThatIsReadyLeavesAtOnce(t *testing.T) {
	made := timeline.Raw(200, []byte("{}"), 0, timeline.Look{})
	require.Equal(t, []step{{"head", 0, 0}, {"body", 0, 0}, {"end", 0, 0}}, steps(made))
	require.Equal(t, "{}", string(made.Append(nil, 1)))
}

func TestPaddingIsZeroToFifteenSpacesBeforeADataLinesLastBrace(t *testing.T) {
	plain := timeline.Stream(saying(200), delays(), timeline.Look{})
	padded := timeline.Stream(saying(200), delays(), timeline.Look{Padded: true, Padding: latency.NewPlace(1, "padding")})
	seen := map[int]bool{}
	for i := range plain.Len() {
		more := len(padded.Append(nil, i)) - len(plain.Append(nil, i))
		require.GreaterOrEqual(t, more, 0)
		require.Less(t, more, 16)
		seen[more] = true
	}
	require.Len(t, seen, 16)
}
