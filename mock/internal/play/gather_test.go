package play_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/internal/play"
)

// script is a program whose steps say more than when they leave.
type script struct {
	steps []play.Step
	texts []string
}

func (s *script) Status() int                     { return http.StatusOK }
func (s *script) Header(http.Header)              {}
func (s *script) Len() int                        { return len(s.steps) }
func (s *script) Step(i int) play.Step            { return s.steps[i] }
func (s *script) Append(dst []byte, i int) []byte { return append(dst, s.texts[i]...) }
func (s *script) add(step play.Step, text string) {
	s.steps, s.texts = append(s.steps, step), append(s.texts, text)
}
func (s *script) write(due time.Duration, t string) { s.add(play.Step{Due: due, Kind: play.Write}, t) }

func begun() *script {
	s := &script{}
	s.add(play.Step{Kind: play.Head}, "")
	return s
}

// writes is a response writer that tells its writes and flushes apart.
type writes struct {
	*httptest.ResponseRecorder
	got     []string
	flushed int
}

func (w *writes) Write(p []byte) (int, error) {
	w.got = append(w.got, string(p))
	return len(p), nil
}

func (w *writes) Flush() { w.flushed++ }

func perform(t *testing.T, s *script, gates play.Gates) (*writes, *played) {
	t.Helper()
	w, p := &writes{ResponseRecorder: httptest.NewRecorder()}, &played{}
	c := clock.Real()
	show := session(w, c, c.Now(), s, p)
	show.Gates = gates
	var player play.Player
	p.result, p.err = player.Play(t.Context(), show)
	return w, p
}

func TestAStepThatWantsAWriteOfItsOwnSharesNone(t *testing.T) {
	s := begun()
	s.write(0, "a")
	s.write(0, "b")
	s.add(play.Step{Kind: play.Write, Alone: true}, "c")
	s.add(play.Step{Kind: play.Write, Alone: true}, "d")
	s.write(0, "e")
	s.add(play.Step{Kind: play.End}, "")
	w, p := perform(t, s, nil)
	require.NoError(t, p.err)
	require.Equal(t, []string{"ab", "c", "d", "e"}, w.got)
	require.Equal(t, 3, w.flushed, "the last goes with the handler's return")
	require.Equal(t, play.Result{Phase: play.Done, Steps: 7, Bytes: 5}, p.result)
}

func TestARepeatedWriteIsWrittenInBlocksAndCountedWhole(t *testing.T) {
	const times = 1<<20 + 3
	s := begun()
	s.add(play.Step{Kind: play.Write, Times: times}, "xyz")
	s.add(play.Step{Kind: play.End}, "")
	w, p := perform(t, s, nil)
	require.NoError(t, p.err)
	require.Equal(t, strings.Repeat("xyz", times), strings.Join(w.got, ""))
	require.EqualValues(t, 3*times, p.result.Bytes)
	require.Less(t, len(w.got[0]), 128<<10, "no more than a block is held")
}

func TestABreakFlushesWhatCameBeforeIt(t *testing.T) {
	s := begun()
	s.write(0, "a")
	s.add(play.Step{Kind: play.Break}, "")
	s.write(0, "never")
	w, p := perform(t, s, nil)
	require.NoError(t, p.err)
	require.Equal(t, []string{"a"}, w.got)
	require.Equal(t, 1, w.flushed)
}

func TestABreakBeforeTheHeadSendsNothing(t *testing.T) {
	s := &script{}
	s.add(play.Step{Kind: play.Break}, "")
	w, p := perform(t, s, nil)
	require.NoError(t, p.err)
	require.Empty(t, w.got)
	require.Zero(t, w.flushed, "a flush would send a head")
}

func TestNoChunksAreAnnouncedWhereTheProtocolKnowsNone(t *testing.T) {
	for _, framed := range []bool{false, true} {
		s := begun()
		s.write(0, "a")
		s.write(0, "b")
		w := httptest.NewRecorder()
		how := session(w, clock.Real(), time.Now(), s, &played{})
		how.Framed = framed
		_, err := new(play.Player).Play(t.Context(), how)
		require.NoError(t, err)
		require.Equal(t, framed, w.Header()["Transfer-Encoding"] == nil)
	}
}

// opening opens each gate after a while.
type opening time.Duration

func (o opening) Wait(ctx context.Context, name string) error {
	c := clock.Real()
	return c.WaitUntil(ctx, c.Now().Add(time.Duration(o)))
}

func TestAGateMovesAllThatIsBehindIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begun()
		s.write(10*ms, "a")
		s.add(play.Step{Due: 20 * ms, Kind: play.Write, Gate: "g"}, "b")
		s.write(30*ms, "c")
		s.add(play.Step{Due: 30 * ms, Kind: play.End}, "")
		_, p := perform(t, s, opening(time.Hour))
		require.NoError(t, p.err)
		moved := time.Hour + 10*ms - 20*ms // it was reached at 10 ms and would have left at 20 ms
		require.Equal(t, []mark{{2, moved, 0}}, p.held)
		require.Equal(t, []time.Duration{0, 10 * ms, 20*ms + moved, 30*ms + moved, 30*ms + moved}, p.times())
	})
}

func TestAGateThatIsOpenBeforeItsInstantMovesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begun()
		s.add(play.Step{Due: 20 * ms, Kind: play.Write, Gate: "g"}, "b")
		s.add(play.Step{Due: 20 * ms, Kind: play.End}, "")
		_, p := perform(t, s, opening(5*ms))
		require.NoError(t, p.err)
		require.Equal(t, []time.Duration{0, 20 * ms, 20 * ms}, p.times())
	})
}

func TestWithoutAnybodyToOpenItAGateHoldsUntilTheClientLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begun()
		s.add(play.Step{Kind: play.Write, Gate: "g"}, "b")
		ctx, leave := context.WithTimeout(t.Context(), time.Hour)
		defer leave()
		c := clock.Real()
		var player play.Player
		_, err := player.Play(ctx, session(&writes{ResponseRecorder: httptest.NewRecorder()}, c, c.Now(), s, &played{}))
		require.ErrorIs(t, err, play.ErrLeft)
	})
}
