package fault_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	. "github.com/seed-954e9acd/orrery/mock/internal/fault"
)

func TestSilenceMovesEverythingBehindIt(t *testing.T) {
	d := func(all ...int) (due []time.Duration) {
		for _, n := range all {
			due = append(due, time.Duration(n)*ms)
		}
		return due
	}
	size := int64(len(stream().Pieces[0].Bytes))
	for name, c := range map[string]struct {
		stall Stall
		head  int
		dues  []time.Duration
		end   int
	}{
		"headers": {Stall{Before: at("headers")}, 1050, d(1100, 1200, 1300, 1400, 1500), 1500},
		"behind":  {Stall{After: at("headers")}, 50, d(1100, 1200, 1300, 1400, 1500), 1500},
		"start":   {Stall{After: at("start")}, 50, d(1100, 1200, 1300, 1400, 1500), 1500},
		"before":  {Stall{Before: at("1")}, 50, d(1100, 1200, 1300, 1400, 1500), 1500},
		"after":   {Stall{After: at("content_block_delta 2")}, 50, d(100, 200, 300, 1400, 1500), 1500},
		"end":     {Stall{After: at("end")}, 50, d(100, 200, 300, 400, 500), 1500},
		"last":    {Stall{After: at("last")}, 50, d(100, 200, 300, 400, 500), 1500},
		"inside":  {Stall{Inside: at("2")}, 50, d(100, 200, 1200, 1300, 1400, 1500), 1500},
		"every":   {Stall{After: at("every content_block_delta")}, 50, d(100, 200, 1300, 2400, 3500), 3500},
		"byte":    {Stall{After: Place{AtByte: true, Byte: size}}, 50, d(100, 1200, 1300, 1400, 1500), 1500},
		"in byte": {Stall{After: Place{AtByte: true, Byte: size + 1}}, 50, d(100, 200, 1200, 1300, 1400, 1500), 1500},
		"instant": {Stall{After: at("300ms")}, 50, d(100, 200, 1300, 1400, 1500), 1500},
		"early":   {Stall{After: at("20ms")}, 1050, d(1100, 1200, 1300, 1400, 1500), 1500},
	} {
		t.Run(name, func(t *testing.T) {
			c.stall.For = time.Second
			out := Apply(stream(), []Fault{c.stall})
			require.Empty(t, out.Missed)
			require.Equal(t, time.Duration(c.head)*ms, out.Head)
			require.Equal(t, c.dues, dues(out))
			require.Equal(t, time.Duration(c.end)*ms, out.EndDue)
			require.Equal(t, body(stream()), body(out))
			require.Equal(t, 6, tokens(out))
		})
	}
}

func TestASilenceWithoutAnEndIsForAllBehindIt(t *testing.T) {
	out := Apply(stream(), []Fault{Stall{For: Never, After: at("3")}, Stall{For: Never, After: at("4")}, Pace{Factor: 1000}})
	require.Equal(t, []time.Duration{100 * time.Second, 200 * time.Second, 300 * time.Second, Never, Never}, dues(out))
	require.Equal(t, Never, out.EndDue)
	out = Apply(stream(), []Fault{Stall{For: Never, Before: at("headers")}})
	require.Equal(t, Never, out.Head)
}

func TestAGateTakesNoPlannedTime(t *testing.T) {
	gate := func(s Stall) Answer {
		s.Gate = "g"
		out := Apply(stream(), []Fault{s})
		require.Empty(t, out.Missed)
		require.Equal(t, 500*ms, out.EndDue)
		return out
	}
	require.Equal(t, "g", gate(Stall{After: at("2")}).Pieces[2].Gate)
	require.Equal(t, "g", gate(Stall{Before: at("2")}).Pieces[1].Gate)
	require.Equal(t, "g", gate(Stall{After: at("start")}).Pieces[0].Gate)
	require.Equal(t, "g", gate(Stall{After: at("byte 5")}).Pieces[1].Gate)
	require.Equal(t, "g", gate(Stall{Inside: at("2")}).Pieces[2].Gate)
	require.Equal(t, "g", gate(Stall{After: at("end")}).Gate)
	require.Equal(t, "g", gate(Stall{After: at("last")}).Gate)
	require.Equal(t, "g", gate(Stall{Before: at("headers")}).HeadGate)
	out := Apply(stream(), []Fault{Stall{Gate: "a", After: at("2")}, Stall{Gate: "b", Before: at("3")}})
	require.Equal(t, []string{"{stall: {gate: b}, before: 3}: two gates would stand at one place: take one away"}, out.Missed)
}

func TestAnEventThatIsSilentInsideIsCutInTheMiddle(t *testing.T) {
	out := Apply(stream(), []Fault{Stall{For: time.Second, Inside: at("2")}, LineEnding{Cycle: []Newline{CRLF}}})
	whole := Apply(stream(), []Fault{LineEnding{Cycle: []Newline{CRLF}}}).Pieces[1].Bytes
	require.Equal(t, string(whole[:len(whole)/2]), string(out.Pieces[1].Bytes))
	require.Equal(t, string(whole[len(whole)/2:]), string(out.Pieces[2].Bytes))
	require.Equal(t, Piece{Due: 1200 * ms, Bytes: out.Pieces[2].Bytes, Times: 1, Event: delta, Tokens: 2, Cut: true, Alone: true}, out.Pieces[2])
}

func TestPaceTakesSilenceWithIt(t *testing.T) {
	out := Apply(stream(), []Fault{Stall{For: 100 * ms, Inside: at("1")}, Pace{Factor: 2.5}, Stall{For: 100 * ms, After: at("4")}})
	require.Equal(t, 125*ms, out.Head)
	require.Equal(t, []time.Duration{250 * ms, 500 * ms, 750 * ms, 1000 * ms, 1250 * ms, 1600 * ms}, dues(out))
}

func TestAWholeBodyIsSilentBetweenAndInsideLines(t *testing.T) {
	lines := Answer{EndDue: 10 * ms, Pieces: []Piece{{Due: 10 * ms, Bytes: []byte("{1}\n{2}\n{3}\n")}}}
	for name, c := range map[string]struct {
		stall Stall
		texts []string
	}{
		"after":  {Stall{After: at("line 1")}, []string{"{1}\n", "{2}\n{3}\n"}},
		"before": {Stall{Before: at("line 3")}, []string{"{1}\n{2}\n", "{3}\n"}},
		"inside": {Stall{Inside: at("line 2")}, []string{"{1}\n", "{2", "}\n", "{3}\n"}},
		"byte":   {Stall{After: at("byte 5")}, []string{"{1}\n{", "2}\n{3}\n"}},
	} {
		c.stall.For = time.Second
		out := Apply(lines, []Fault{c.stall})
		require.Equal(t, c.texts, texts(out), name)
		require.Equal(t, 1010*ms, out.Pieces[len(out.Pieces)-1].Due)
	}
	require.Len(t, Apply(lines, []Fault{Stall{For: 1, After: at("line 4")}}).Missed, 1)
	out := Apply(lines, []Fault{Ending{End: Reset, After: at("line 2")}})
	require.Equal(t, "{1}\n{2}\n", body(out))
}

func TestNothingIsSentBehindTheEnd(t *testing.T) {
	for name, c := range map[string]struct {
		faults []Fault
		end    Ending
		sent   int // pieces
		due    time.Duration
	}{
		"its own":         {[]Fault{Ending{End: Cut}}, Ending{End: Cut}, 5, 500 * ms},
		"at the end":      {[]Fault{Ending{End: Cut, After: at("end")}}, Ending{End: Cut}, 5, 500 * ms},
		"an event":        {[]Fault{Ending{End: Reset, After: at("3")}}, Ending{End: Reset}, 3, 300 * ms},
		"no event":        {[]Fault{Ending{End: Finish, After: at("start")}}, Ending{}, 0, 50 * ms},
		"silence before":  {[]Fault{Stall{For: 70 * ms, After: at("3")}, Ending{End: Reset, After: at("3")}}, Ending{End: Reset}, 3, 370 * ms},
		"silence behind":  {[]Fault{Ending{End: Reset, After: at("3")}, Stall{For: 70 * ms, After: at("3")}}, Ending{End: Reset}, 3, 370 * ms},
		"held open":       {[]Fault{Ending{End: KeepOpen, After: at("3")}}, Ending{End: KeepOpen}, 3, Never},
		"an instant":      {[]Fault{Ending{End: Close, After: at("350ms")}}, Ending{End: Close}, 3, 350 * ms},
		"in a silence":    {[]Fault{Stall{For: Never, After: at("2")}, Ending{End: Cut, After: at("2s")}}, Ending{End: Cut}, 2, 2 * time.Second},
		"a byte":          {[]Fault{Ending{End: Cut, After: at("byte 5")}}, Ending{End: Cut}, 1, 100 * ms},
		"no byte":         {[]Fault{Ending{End: Cut, After: at("byte 0")}}, Ending{End: Cut}, 0, 50 * ms},
		"a byte's stall":  {[]Fault{Stall{For: 70 * ms, After: at("byte 5")}, Ending{End: Cut, After: at("byte 5")}}, Ending{End: Cut}, 1, 170 * ms},
		"with its values": {[]Fault{Ending{End: GoAway, Code: 2, LastBefore: true, After: at("1")}}, Ending{End: GoAway, Code: 2, LastBefore: true}, 1, 100 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			out := Apply(stream(), c.faults)
			require.Empty(t, out.Missed)
			require.Len(t, out.Pieces, c.sent)
			require.Equal(t, c.end, out.Ending)
			require.Equal(t, c.due, out.EndDue)
			require.False(t, out.Headless)
			require.Zero(t, out.Length)
		})
	}
}

func TestAnEndBeforeTheHeadersSendsNone(t *testing.T) {
	out := Apply(stream(), []Fault{Stall{For: time.Second, Before: at("headers")}, Ending{End: Reset, After: at("headers")}})
	require.True(t, out.Headless)
	require.Empty(t, out.Pieces)
	require.Equal(t, 1050*ms, out.EndDue)
	out = Apply(stream(), []Fault{Ending{End: Reset, After: at("20ms")}})
	require.True(t, out.Headless)
	require.Equal(t, 20*ms, out.EndDue)
}

func TestAGateBeforeTheEndHoldsTheEnd(t *testing.T) {
	out := Apply(stream(), []Fault{Stall{Gate: "g", After: at("3")}, Ending{End: Cut, After: at("3")}})
	require.Equal(t, "g", out.Gate)
	require.Equal(t, 300*ms, out.EndDue)
}

func TestAShortBodyDeclaresWhatItWouldHaveHad(t *testing.T) {
	all := int64(len(body(stream())))
	require.Equal(t, all, Apply(stream(), []Fault{Ending{End: Short, After: at("3")}}).Length)
	require.Equal(t, all, Apply(stream(), []Fault{Ending{End: Short, After: at("byte 9")}}).Length)
	require.Equal(t, all+1, Apply(stream(), []Fault{Ending{End: Short}}).Length)
}

func TestTheOrderIsThatOfAPathFromModelToClient(t *testing.T) {
	faults := []Fault{
		WriteSize{Size: 50}, Gzip{}, LineEnding{Cycle: []Newline{CRLF}}, Ending{End: Cut, After: at("byte 120")}, Insert{Content: Ping{}, After: at("1")},
	}
	out := Apply(stream(), faults)
	require.Empty(t, out.Missed)
	require.Equal(t, []int{50, 50, 20}, []int{len(out.Pieces[0].Bytes), len(out.Pieces[1].Bytes), len(out.Pieces[2].Bytes)})
	plain := unzipped(t, body(out))
	require.Contains(t, body(Apply(stream(), []Fault{faults[2], faults[4]})), plain)
	require.NotEmpty(t, plain)
}

func TestAHeadlessAnswerHasNoTrailer(t *testing.T) {
	out := Apply(stream(), []Fault{Ending{End: Finish, After: at("headers")}, Gzip{}})
	require.True(t, out.Headless)
	require.Empty(t, out.Pieces)
}
