package timeline_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/latency"
)

func TestAWaitComesBeforeTheFirstTokenAndAWholeAnswer(t *testing.T) {
	d := delays()
	d.Wait, d.FirstToken, d.Respond = 30*ms, 100*ms, 500*ms
	require.Equal(t, 130*ms, timeline.Stream(saying(3), d, timeline.Look{}).TTFT())
	require.Equal(t, 530*ms, timeline.Whole(saying(3), d, timeline.Look{}).Duration())

	d.Respond = timeline.None
	require.Equal(t, 130*ms, timeline.Whole(saying(3), d, timeline.Look{}).Duration())

	d.Headers, d.MessageStart = 1*ms, 2*ms
	made := timeline.Stream(saying(3), d, timeline.Look{})
	require.Equal(t, []step{{"head", ms, 0}, {"message_start", 2 * ms, 0}}, steps(made)[:2], "these are sent while it waits")
	require.Equal(t, 130*ms, made.TTFT())
}

func TestAWaitComesBeforeTokensThatAreSpreadEvenly(t *testing.T) {
	d := delays()
	d.Wait, d.Respond = 30*ms, 100*ms
	made := timeline.Stream(saying(4), d, timeline.Look{})
	require.Equal(t, 55*ms, made.TTFT())
	require.Equal(t, 130*ms, made.Duration())
}

func TestATraceOfGapsStartsAnewInEveryStream(t *testing.T) {
	trace, err := latency.NewTrace([]int64{int64(5 * ms), int64(20 * ms)})
	require.NoError(t, err)
	d := delays()
	d.Gap, d.Factor = (&latency.Component{Trace: trace}).Values(0), 2*one
	for range 2 {
		made := timeline.Stream(saying(4), d, timeline.Look{})
		var at []time.Duration
		for _, s := range steps(made) {
			if s.tokens > 0 {
				at = append(at, s.due)
			}
		}
		require.Equal(t, []time.Duration{0, 10 * ms, 50 * ms, 60 * ms}, at)
	}
}

func TestSilenceHasNoEnd(t *testing.T) {
	made := timeline.Silence(timeline.Look{})
	require.Equal(t, []step{{"end", timeline.Never, 0}}, steps(made))
	require.Equal(t, timeline.Never, made.Duration())
	require.Equal(t, timeline.Never, made.TTFT())
	require.False(t, made.Streams())
	require.Zero(t, made.Status)
	require.Greater(t, timeline.Never+100*365*24*time.Hour, timeline.Never, "it can be added to")
}

func TestPingsDontFillAPlanHoweverLongTheSilence(t *testing.T) {
	d := delays()
	d.MessageStart, d.FirstToken, d.PingEvery = 0, 24*time.Hour, 10*ms
	require.LessOrEqual(t, timeline.Stream(saying(1), d, timeline.Look{}).Len(), 10_010)
}
