package fault_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	. "github.com/seed-954e9acd/orrery/mock/internal/fault"
)

func TestTheScriptIsEdited(t *testing.T) {
	ping := Insert{Content: Ping{}, After: at("message_start")}
	for name, c := range map[string]struct {
		faults []Fault
		names  string
		dues   []time.Duration
	}{
		"a ping behind":       {[]Fault{ping}, "message_start ping delta delta delta message_stop", []time.Duration{100 * ms, 100 * ms, 200 * ms, 300 * ms, 400 * ms, 500 * ms}},
		"a ping first":        {[]Fault{Insert{Content: Ping{}, After: at("start")}}, "ping message_start delta delta delta message_stop", []time.Duration{50 * ms, 100 * ms, 200 * ms, 300 * ms, 400 * ms, 500 * ms}},
		"a ping before":       {[]Fault{Insert{Content: Ping{}, Before: at("2")}}, "message_start ping delta delta delta message_stop", []time.Duration{100 * ms, 200 * ms, 200 * ms, 300 * ms, 400 * ms, 500 * ms}},
		"a ping at 250 ms":    {[]Fault{Insert{Content: Ping{}, After: at("250ms")}}, "message_start delta ping delta delta message_stop", []time.Duration{100 * ms, 200 * ms, 250 * ms, 300 * ms, 400 * ms, 500 * ms}},
		"two at the end":      {[]Fault{Insert{Content: Ping{}, After: at("end"), Count: 2}}, "message_start delta delta delta message_stop ping ping", []time.Duration{100 * ms, 200 * ms, 300 * ms, 400 * ms, 500 * ms, 500 * ms, 500 * ms}},
		"one behind each":     {[]Fault{Insert{Content: Ping{}, After: at("every content_block_delta 2")}}, "message_start delta delta ping delta message_stop", []time.Duration{100 * ms, 200 * ms, 300 * ms, 300 * ms, 400 * ms, 500 * ms}},
		"the last dropped":    {[]Fault{Drop{At: at("message_stop")}}, "message_start delta delta delta", []time.Duration{100 * ms, 200 * ms, 300 * ms, 400 * ms}},
		"all deltas dropped":  {[]Fault{Drop{At: at("every content_block_delta")}}, "message_start message_stop", []time.Duration{100 * ms, 500 * ms}},
		"one sent twice":      {[]Fault{Duplicate{At: at("content_block_delta 2")}}, "message_start delta delta delta delta message_stop", []time.Duration{100 * ms, 200 * ms, 300 * ms, 300 * ms, 400 * ms, 500 * ms}},
		"a start moved back":  {[]Fault{Move{At: at("1"), After: at("3")}}, "delta delta message_start delta message_stop", []time.Duration{200 * ms, 300 * ms, 300 * ms, 400 * ms, 500 * ms}},
		"a stop moved ahead":  {[]Fault{Move{At: at("last"), Before: at("content_block_delta 1")}}, "message_start message_stop delta delta delta", []time.Duration{100 * ms, 200 * ms, 200 * ms, 300 * ms, 400 * ms}},
		"a delta replaced":    {[]Fault{Replace{At: at("last content_block_delta"), With: Ping{}}}, "message_start delta delta ping message_stop", []time.Duration{100 * ms, 200 * ms, 300 * ms, 400 * ms, 500 * ms}},
		"in the file's order": {[]Fault{ping, Drop{At: at("2")}}, "message_start delta delta delta message_stop", []time.Duration{100 * ms, 200 * ms, 300 * ms, 400 * ms, 500 * ms}},
		"pings on a timer":    {[]Fault{Insert{Content: Ping{}, Every: 150 * ms}}, "message_start delta ping delta ping delta message_stop", []time.Duration{100 * ms, 200 * ms, 200 * ms, 300 * ms, 350 * ms, 400 * ms, 500 * ms}},
	} {
		t.Run(name, func(t *testing.T) {
			out := Apply(stream(), c.faults)
			require.Empty(t, out.Missed)
			require.Equal(t, c.names, names(out))
			require.Equal(t, c.dues, dues(out))
			require.Equal(t, 500*ms, out.EndDue)
		})
	}
}

func TestEachContentHasItsBytes(t *testing.T) {
	for want, c := range map[string]Content{
		"event: ping\ndata: {\"type\": \"ping\"}\n\n":           Ping{},
		"data: [DONE]\n\n":                                      Event{Data: new("[DONE]")},
		"event: done\nid: 1\nretry: 3000\ndata: a\ndata: b\n\n": Event{Name: "done", Data: new("a\nb"), ID: new("1"), Retry: new("3000")},
		"event: bare\n\n":                                       Event{Name: "bare"},
		":\n":                                                   Comment{},
		": keep\n\n":                                            Comment{Text: " keep", Blank: true},
		"\xff\x00":                                              Raw{Bytes: []byte("\xff\x00")},
		"event: error\ndata: broken{\n\n":                       ErrorEvent{Type: "x", Data: new("broken{")},
		`event: error` + "\n" + `data: {"type":"error","error":{"details":null,"type":"api_error","message":"M"},"request_id":"req_1"}` + "\n\n":                               ErrorEvent{Type: "api_error", Message: "M"},
		`event: content_block_delta` + "\n" + `data: {"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"` + strings.Repeat("ab", 3) + `"}}` + "\n\n": Delta{Text: "ab", Size: 6, Index: 2},
		`event: content_block_delta` + "\n" + `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"é"}}` + "\n\n":                               Delta{Text: "é", Size: 3},
	} {
		out := Apply(stream(), []Fault{Insert{Content: c, After: at("2")}})
		require.Empty(t, out.Missed)
		require.Equal(t, want, string(out.Pieces[2].Bytes))
	}
}

func TestACommentOrRawBytesCountAsNoEvent(t *testing.T) {
	for _, c := range []Content{Comment{Text: "x"}, Raw{Bytes: []byte("data: x\n\n")}} {
		out := Apply(stream(), []Fault{Insert{Content: c, After: at("start")}, Drop{At: at("1")}})
		require.Equal(t, " delta delta delta message_stop", names(out))
		require.True(t, out.Pieces[0].Cut)
	}
	out := Apply(stream(), []Fault{Insert{Content: Event{Data: new("x")}, After: at("start")}, Drop{At: at("message")}})
	require.Equal(t, names(stream()), names(out), "an event without a name is a message")
}

func TestALargeDeltaIsOneEventOfExactlyItsSize(t *testing.T) {
	for _, size := range []int64{32<<10 + 1, 65537, 1<<20 + 1, 40 << 20} {
		out := Apply(stream(), []Fault{Insert{Content: Delta{Text: "x", Size: size}, After: at("1")}})
		require.Len(t, out.Pieces, 8)
		var n, kept int64
		for i := 1; i < 4; i++ {
			n += out.Pieces[i].Len()
			kept += int64(len(out.Pieces[i].Bytes))
		}
		plain := Apply(stream(), []Fault{Insert{Content: Delta{Text: "x", Size: 1}, After: at("1")}})
		require.Equal(t, plain.Pieces[1].Len()-1+size, n)
		require.Less(t, kept, int64(80<<10))
		require.Equal(t, "message_start   delta delta delta delta message_stop", names(out))
	}
}

func TestALargeDeltaIsDroppedAndSentTwiceAsOne(t *testing.T) {
	large := Insert{Content: Delta{Text: "é\"", Size: 100_001}, After: at("1")}
	require.Equal(t, stream().Pieces, Apply(stream(), []Fault{large, Drop{At: at("2")}}).Pieces)
	out := Apply(stream(), []Fault{large, Duplicate{At: at("2")}, Drop{At: at("every content_block_delta 3")}})
	require.Contains(t, body(out), `"text":"`+strings.Repeat(`é\"`, 33333)+`é"`)
}

func TestTheShortErrorEventEndsTheStream(t *testing.T) {
	out := Apply(stream(), []Fault{
		Insert{Content: ErrorEvent{Type: "overloaded_error", Message: "Overloaded"}, After: at("3"), Ends: true},
		Stall{For: 100 * ms, After: at("end")}, Ending{End: Reset},
	})
	require.Empty(t, out.Missed)
	require.Equal(t, "message_start delta delta error", names(out))
	require.Equal(t, []time.Duration{100 * ms, 200 * ms, 300 * ms, 300 * ms}, dues(out))
	require.Equal(t, Reset, out.Ending.End)
	require.Equal(t, 400*ms, out.EndDue)
}

func TestATimerFiresInSilencesButNotInsideAnEvent(t *testing.T) {
	every := Insert{Content: Ping{}, Every: 100 * ms}
	out := Apply(stream(), []Fault{every, Stall{For: 300 * ms, After: at("message_start")}, Drop{At: at("every content_block_delta")}})
	require.Equal(t, "message_start ping ping ping ping ping ping ping message_stop", names(out))
	out = Apply(stream(), []Fault{every, Stall{For: 300 * ms, Inside: at("message_start")}, Drop{At: at("every content_block_delta")}})
	require.Equal(t, " message_start ping ping ping ping message_stop", names(out))
	require.Equal(t, []time.Duration{100 * ms, 400 * ms, 450 * ms, 550 * ms, 650 * ms, 750 * ms, 800 * ms}, dues(out))
	out = Apply(stream(), []Fault{every, Stall{For: Never, After: at("1")}})
	require.Len(t, out.Pieces, 5+10_000, "a silence without an end is bounded")
	require.Equal(t, 50*ms+10_000*100*ms, out.Pieces[10_000].Due)
	require.Equal(t, Never, out.Pieces[10_001].Due)
	out = Apply(stream(), []Fault{Insert{Content: Ping{}, Every: 1}, Stall{For: 1 << 60, Inside: at("1")}, Stall{For: 1 << 50, After: at("1")}})
	require.Equal(t, []string{"{insert: ping, every: 1ns}: it would make more than 1,000,000 pieces: make its place rarer or its size larger"}, out.Missed)
}

func TestJSONIsEditedInPlace(t *testing.T) {
	edit := func(a Answer, e Edit) string {
		out := Apply(a, []Fault{e})
		require.Empty(t, out.Missed)
		return body(out)
	}
	set := func(path, json string) []Setting { return []Setting{{Path: path, JSON: json}} }
	start := `event: message_start` + "\n" + `data: {"type":"message_start","message":{"usage":`
	require.Contains(t, edit(stream(), Edit{At: at("1"), Set: set("message.usage.input_tokens", "null")}), start+`{"input_tokens":null,"output_tokens":1}}}`+"\n\n")
	require.Contains(t, edit(stream(), Edit{At: at("1"), Unset: []string{"message.usage.input_tokens"}}), start+`{"output_tokens":1}}}`+"\n\n")
	require.Contains(t, edit(stream(), Edit{At: at("message_stop"), Set: set("x", `{"b":1,"a":2}`)}), `data: {"type":"message_stop","x":{"b":1,"a":2}}`+"\n\n")
	require.Equal(t, 3, strings.Count(edit(stream(), Edit{At: at("every content_block_delta"), Set: set("index", "7")}), `"index":7`))
	require.Equal(t, `{"a":{"b":2},"c":"é"}`, edit(whole(), Edit{Body: true, Set: set("a.b", "2")}))
	require.Equal(t, body(whole()), edit(whole(), Edit{At: at("1"), Set: set("a", "2")}), "it is for streams")
	require.Equal(t, body(stream()), edit(stream(), Edit{Body: true, Set: set("a", "2")}), "it is for whole bodies")
}

func TestAFaultThatCannotBeChangesNothingAndSaysWhy(t *testing.T) {
	for want, f := range map[string]Fault{
		"{drop: ping}: its place isn't in this answer":                                                        Drop{At: at("ping")},
		"{drop: content_block_delta 4}: its place isn't in this answer":                                       Drop{At: at("content_block_delta 4")},
		"{drop: start}: its place names no events":                                                            Drop{At: at("start")},
		"{drop: byte 3}: its place names no events":                                                           Drop{At: at("byte 3")},
		"{insert: ping}: it needs exactly one of before and after: give one":                                  Insert{Content: Ping{}},
		"{insert: ping, after: 9s}: its place isn't in this answer":                                           Insert{Content: Ping{}, After: at("9s")},
		"{insert: ping, after: 1, count: -1}: a number of its is below 0: raise it":                           Insert{Content: Ping{}, After: at("1"), Count: -1},
		"{insert: {delta: x, size: 1073741825}, after: 1}: its size is below 0 or above 1 GiB: lower it":      Insert{Content: Delta{Text: "x", Size: 1<<30 + 1}, After: at("1")},
		"{insert: {delta: \"\", size: 5}, after: 1}: its text is empty, so it can't be repeated: give it one": Insert{Content: Delta{Size: 5}, After: at("1")},
		"{edit: 1, set: {a: {}}: the value for a isn't JSON: write it as JSON":                                Edit{At: at("1"), Set: []Setting{{"a", "{"}}},
		"{edit: 1, unset: [a.b]}: none of its paths to unset is there":                                        Edit{At: at("1"), Unset: []string{"a.b"}},
		"{stall: 1s}: it needs exactly one of after, before and inside: give one":                             Stall{For: time.Second},
		"{stall: 1s, after: 9}: its place isn't in this answer":                                               Stall{For: time.Second, After: at("9")},
		"{stall: 1s, inside: start}: inside takes an event or a line: write after":                            Stall{For: time.Second, Inside: at("start")},
		"{stall: 1s, after: line 1}: a stream has events, not lines: name an event":                           Stall{For: time.Second, After: at("line 1")},
		"{stall: 1s, after: byte 9999}: its place isn't in this answer":                                       Stall{For: time.Second, After: at("byte 9999")},
		"{end: cut, after: 2s}: its place isn't in this answer":                                               Ending{End: Cut, After: at("2s")},
		"{end: cut, after: ping}: its place isn't in this answer":                                             Ending{End: Cut, After: at("ping")},
		"{pace: 0}: its factor isn't between 0.01 and 1000: choose one that is":                               Pace{},
		"{cut: inside-crlf}: no write has such a spot":                                                        Cuts{At: InsideCRLF},
		"{cut: byte 9999}: its place isn't in this answer":                                                    Cuts{At: AtByte, Byte: 9999},
		"{write_size: 0}: its size isn't above 0: raise it":                                                   WriteSize{},
		"{line_ending: []}: it names no newline: give lf, crlf or cr":                                         LineEnding{},
	} {
		in := stream()
		out := Apply(in, []Fault{f})
		require.Equal(t, []string{want}, out.Missed)
		out.Missed = nil
		require.Equal(t, in, normal(out))
	}
}

// normal writes once as 0 times, as the pieces that came in have it.
func normal(a Answer) Answer {
	for i := range a.Pieces {
		if a.Pieces[i].Times == 1 {
			a.Pieces[i].Times = 0
		}
	}
	return a
}

func TestWhatWouldGrowTooLargeIsNotMade(t *testing.T) {
	out := Apply(stream(), []Fault{
		Insert{Content: Ping{}, After: at("1"), Count: 999_996}, Insert{Content: Ping{}, After: at("all"), Count: 200_000},
		Insert{Content: Delta{Text: "x", Size: 1 << 20}, After: at("1"), Count: 1 << 40},
	})
	require.Equal(t, []string{
		"{insert: ping, after: 1, count: 999996}: it would make more than 1,000,000 pieces: make its place rarer or its size larger",
		"{insert: ping, after: all, count: 200000}: it would make more than 1,000,000 pieces: make its place rarer or its size larger",
		"{insert: {delta: x, size: 1048576}, after: 1, count: 1099511627776}: it would make more than 1,000,000 pieces: make its place rarer or its size larger",
	}, out.Missed)
	raw := Raw{Bytes: make([]byte, 40<<20)}
	out = Apply(stream(), []Fault{Insert{Content: raw, After: at("1")}, Insert{Content: raw, After: at("1")}, WriteSize{Size: 1 << 20}})
	require.Len(t, out.Missed, 2)
	require.Contains(t, out.Missed[1], "it would make more than 64 MiB of bytes: make it smaller")
}

func TestTheScriptsFaultsPassAWholeBodyBy(t *testing.T) {
	out := Apply(whole(), []Fault{
		Insert{Content: Ping{}, After: at("1")}, Drop{At: at("all")}, Duplicate{At: at("1")}, Move{At: at("1"), After: at("2")},
		Replace{At: at("1"), With: Ping{}}, LineEnding{Cycle: []Newline{CRLF}}, EventLines{}, DataLines{}, Fields{},
	})
	require.Equal(t, whole(), normal(out))
}
