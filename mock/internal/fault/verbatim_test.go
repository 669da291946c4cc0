package fault_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	. "github.com/seed-954e9acd/orrery/mock/internal/fault"
)

func TestTheBytesOfEventsAreWrittenInOtherForms(t *testing.T) {
	stop := func(faults ...Fault) string {
		out := Apply(stream(), faults)
		require.Empty(t, out.Missed)
		require.Equal(t, names(stream()), names(out))
		return string(out.Pieces[4].Bytes)
	}
	for want, faults := range map[string][]Fault{
		"event: message_stop\r\ndata: {\"type\":\"message_stop\"}\r\n\r\n":            {LineEnding{Cycle: []Newline{CRLF}}},
		"event: message_stop\rdata: {\"type\":\"message_stop\"}\r\r":                  {LineEnding{Cycle: []Newline{CR}}},
		"event: message_stop\ndata: {\"type\":\"message_stop\"}\r\n\n":                {LineEnding{Cycle: []Newline{LF, CRLF}}},
		"data: {\"type\":\"message_stop\"}\n\n":                                       {EventLines{}},
		"data: {\"type\":\"message_stop\"}\r\n\r\n":                                   {LineEnding{Cycle: []Newline{CRLF}}, EventLines{Of: at("last")}},
		"event: message_stop\ndata: {\"type\":\ndata: \"message_stop\"}\n\n":          {DataLines{Form: Split}},
		"event:message_stop\ndata:{\"type\":\"message_stop\"}\n\n":                    {DataLines{Form: NoSpace}},
		"data: {\"type\":\"message_stop\"}\nevent: message_stop\n\n":                  {DataLines{Form: DataFirst}},
		"id: 1\nretry: 3\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n": {Fields{Lines: []Field{{"id", "1"}, {"retry", "3"}}, Of: at("last")}},
		"id: 1\revent: message_stop\rdata: {\"type\":\"message_stop\"}\r\r":           {LineEnding{Cycle: []Newline{CR}}, Fields{Lines: []Field{{"id", "1"}}}},
	} {
		require.Equal(t, want, stop(faults...))
	}
}

func TestAFormIsForTheEventsAtItsPlaceOnly(t *testing.T) {
	for _, f := range []Fault{EventLines{Of: at("1")}, DataLines{Of: at("1")}, Fields{Lines: []Field{{"id", "1"}}, Of: at("1")}} {
		out := Apply(stream(), []Fault{f})
		require.Equal(t, texts(stream())[1:], texts(out)[1:])
		require.NotEqual(t, texts(stream())[0], texts(out)[0])
	}
}

func TestMixedLinesGoOnOverEvents(t *testing.T) {
	out := Apply(stream(), []Fault{LineEnding{Cycle: []Newline{LF, CRLF}}})
	require.Equal(t, 15, strings.Count(body(out), "\n"))
	require.Equal(t, 7, strings.Count(body(out), "\r\n"))
	require.True(t, strings.HasPrefix(string(out.Pieces[1].Bytes), "event: content_block_delta\r\n"))
}

func TestDataIsSplitBehindACommaOutsideStrings(t *testing.T) {
	a := stream()
	a.Pieces = []Piece{piece(0, "x", `{"a,\",":1,"b":2}`, 0)}
	require.Equal(t, "event: x\ndata: {\"a,\\\",\":1,\ndata: \"b\":2}\n\n", body(Apply(a, []Fault{DataLines{}})))
	a.Pieces = []Piece{piece(0, "x", `"a,b"`, 0)}
	require.Equal(t, []string{"{data_lines: split}: the data there has neither comma nor colon to break it behind"}, Apply(a, []Fault{DataLines{}}).Missed)
}

func TestCommentsHaveTheStreamsNewlinesAndRawBytesTheirOwn(t *testing.T) {
	out := Apply(stream(), []Fault{
		LineEnding{Cycle: []Newline{CRLF}},
		Insert{Content: Comment{Text: "x", Blank: true}, After: at("start")}, Insert{Content: Raw{Bytes: []byte("y\n")}, After: at("start")},
	})
	require.Equal(t, []string{"y\n", ":x\r\n\r\n"}, texts(out)[:2])
}

func TestALargeDeltaHasTheFormsOfOthers(t *testing.T) {
	size := int64(90_001)
	for _, faults := range [][]Fault{
		{DataLines{Form: DataFirst}}, {DataLines{Form: Split}}, {DataLines{Form: NoSpace}}, {EventLines{}}, {LineEnding{Cycle: []Newline{CRLF}}},
		{Fields{Lines: []Field{{"id", "1"}}}}, {LineEnding{Cycle: []Newline{CR, LF}}, DataLines{Form: DataFirst}}, {Escape{}},
	} {
		large := body(Apply(stream(), append([]Fault{Insert{Content: Delta{Text: "é", Size: size}, After: at("1")}}, faults...)))
		small := body(Apply(stream(), append([]Fault{Insert{Content: Delta{Text: "é"}, After: at("1")}}, faults...)))
		one, many := `text":"é"`, `text":"`+strings.Repeat("é", 45_000)+`"`
		if _, is := faults[0].(Escape); is {
			one, many = `text":"\u00e9"`, `text":"`+strings.Repeat(`\u00e9`, 45_000)+`"`
		}
		require.Contains(t, small, one)
		require.True(t, large == strings.Replace(small, one, many, 1), faults[0].String())
	}
}

func TestWhatIsNotASCIIIsEscaped(t *testing.T) {
	a := stream()
	a.Pieces[1] = piece(200*ms, delta, "{\"a\":\"é\u2028🌍\xff\"}", 1)
	require.Contains(t, body(Apply(a, []Fault{Escape{}})), `data: {"a":"\u00e9\u2028\ud83c\udf0d\ufffd"}`+"\n\n")
	require.Contains(t, body(Apply(a, []Fault{Drop{At: at("1")}})), "é\u2028🌍", "nothing is escaped unasked")
	require.Equal(t, `{"a":{"b":1},"c":"\u00e9"}`, body(Apply(whole(), []Fault{Escape{}})))
}
