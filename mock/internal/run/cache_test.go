package run_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
)

// long is a text of more tokens than any model's minimum.
func long() string { return strings.Repeat("All happy families are alike. ", 1000) }

func block(text, ttl string) string {
	mark := ""
	if ttl != "" {
		mark = fmt.Sprintf(`,"cache_control":{"type":"ephemeral","ttl":%q}`, ttl)
	}
	return fmt.Sprintf(`{"type":"text","text":%q%s}`, text, mark)
}

func system(blocks ...string) change { return with(`"system":[` + strings.Join(blocks, ",") + `]`) }

// tally is input, creation for five minutes and for an hour, and read.
type tally struct{ input, five, hour, read int }

func used(t *testing.T, d *run.Decision) tally {
	t.Helper()
	require.NotNil(t, d.Timeline.Message, message(d))
	u := d.Timeline.Message.Usage
	require.Equal(t, u.CacheCreation, u.CacheCreation5m+u.CacheCreation1h)
	return tally{u.Input, u.CacheCreation5m, u.CacheCreation1h, u.CacheRead}
}

func TestWhatIsMarkedIsWrittenOnceAndThenRead(t *testing.T) {
	g := playing(t, quick+all)
	q := g.query(system(block(long(), "5m")))
	total := q.Request.InputTokens
	first, again := used(t, g.Decide(q)), used(t, g.Decide(q))
	require.Greater(t, first.five, 5000)
	require.Equal(t, tally{total - first.five, first.five, 0, 0}, first)
	require.Equal(t, tally{total - first.five, 0, 0, first.five}, again)

	require.Equal(t, tally{input: total}, used(t, g.ask(system(block(long(), "")))), "only who marks a block reads")
}

func TestACachedPrefixMatchesExactly(t *testing.T) {
	g := playing(t, quick+all)
	written := used(t, g.ask(system(block(long(), "5m"))))
	require.Zero(t, used(t, g.ask(system(block(long()+".", "5m")))).read)
	require.Zero(t, used(t, g.ask(with(`"tools":[{"name":"f","input_schema":{"type":"object"}}]`), system(block(long(), "5m")))).read, "tools come first")
	require.Equal(t, written.five, used(t, g.ask(system(block(long(), "5m")), saying("another question"))).read)
}

func TestALongerPromptReadsWhatIsThereAndWritesTheRest(t *testing.T) {
	g := playing(t, quick+all)
	one := used(t, g.ask(system(block(long(), "1h"))))
	require.Equal(t, one.hour, used(t, g.ask(system(block(long(), "1h")))).read)
	two := used(t, g.ask(system(block(long(), "1h"), block(long(), "5m"))))
	require.Equal(t, one.hour, two.read)
	require.Positive(t, two.five)
	require.Zero(t, two.hour)
	// A conversation goes on: its last mark finds the earlier one's.
	three := used(t, g.ask(system(block(long(), "1h"), block(long(), ""), block(long(), "5m"))))
	require.Equal(t, one.hour+two.five, three.read)
}

func TestAPrefixIsForgottenSoLongAfterItsLastUse(t *testing.T) {
	for ttl, kept := range map[string]time.Duration{"5m": 5 * time.Minute, "1h": time.Hour} {
		g := playing(t, quick+all)
		mark := system(block(long(), ttl))
		require.Zero(t, used(t, g.ask(mark)).read)
		require.Positive(t, used(t, g.ask(mark, at(kept-1))).read)
		require.Positive(t, used(t, g.ask(mark, at(2*kept-2))).read, "to read refreshes")
		require.Zero(t, used(t, g.ask(mark, at(3*kept-2))).read)
	}
}

func TestAShortPrefixIsNotCached(t *testing.T) {
	g := playing(t, quick+all)
	mark := system(block("be brief", "5m"))
	g.ask(mark)
	require.Equal(t, tally{input: g.query(mark).Request.InputTokens}, used(t, g.ask(mark)))

	g = playing(t, "cache: {minimum: 2, ttl: 10s}\n"+quick+all)
	require.Positive(t, used(t, g.ask(mark)).five)
	require.Positive(t, used(t, g.ask(mark, at(10*time.Second-1))).read)
	require.Zero(t, used(t, g.ask(mark, at(20*time.Second-1))).read)

	g = playing(t, "cache: {off: true}\n"+quick+all)
	g.ask(system(block(long(), "5m")))
	require.Zero(t, used(t, g.ask(system(block(long(), "5m")))).read)
}

func TestAnErrorLeavesNothingInTheCache(t *testing.T) {
	g := playing(t, quick+"routes: [{name: first, times: 1, error: {status: 529}}, {name: all, profile: quick, reply: hello}]\n")
	mark := system(block(long(), "5m"))
	require.Equal(t, 529, g.ask(mark).Timeline.Status)
	require.Zero(t, used(t, g.ask(mark)).read)
}

func TestTheTimeForInputIsForWhatIsNotRead(t *testing.T) {
	g := playing(t, "profiles: {p: {respond: 0, per_input_token: 1ms}}\nroutes: [{name: all, profile: p, reply: hello}]\n")
	q := g.query(system(block(long(), "5m")))
	require.Equal(t, time.Duration(q.Request.InputTokens)*ms, g.Decide(q).Timeline.Duration())
	again := g.Decide(q)
	require.Equal(t, time.Duration(used(t, again).input)*ms, again.Timeline.Duration())
}

func TestAMarkLooksTwentyBlocksBack(t *testing.T) {
	talk := func(blocks int) change {
		all := []string{block(long(), "")}
		for i := range blocks {
			all = append(all, block(fmt.Sprint("more ", i), ""))
		}
		all = append(all, block("last", "5m"))
		return system(all...)
	}
	for blocks, found := range map[int]bool{18: true, 19: true, 20: false} {
		g := playing(t, quick+all)
		first := used(t, g.ask(system(block(long(), "5m"))))
		again := used(t, g.ask(talk(blocks)))
		require.Equal(t, found, again.read > 0, "%d blocks between", blocks)
		if found {
			require.Equal(t, first.five, again.read)
		}
	}
}

func TestEachMarkIsWrittenForItsOwnTime(t *testing.T) {
	g := playing(t, quick+all)
	mark := system(block(long(), "1h"), block(long(), "5m"))
	u := used(t, g.ask(mark))
	require.Positive(t, u.hour)
	require.InDelta(t, u.hour, u.five, 2)
	later := used(t, g.ask(mark, at(10*time.Minute)))
	require.Equal(t, tally{u.input, u.five, 0, u.hour}, later, "the five minutes are over, the hour isn't")
}
