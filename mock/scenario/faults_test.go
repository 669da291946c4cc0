package scenario_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/fault"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// route is the route of that name.
func route(t *testing.T, s *scenario.Scenario, name string) *scenario.Route {
	t.Helper()
	for _, r := range s.Routes {
		if r.Name == name {
			return r
		}
	}
	t.Fatalf("no route %q", name)
	return nil
}

func pointer(s string) *string { return &s }

func event(name string) fault.Place { return fault.Place{Event: name} }

func TestEachFaultOfTheScriptIsRead(t *testing.T) {
	require.Equal(t, []fault.Fault{
		fault.Insert{Content: fault.Ping{}, After: event("message_start"), Count: 3},
		fault.Insert{Content: fault.Ping{}, Every: 200 * time.Millisecond},
		fault.Insert{Content: fault.Event{Name: "done", Data: pointer(`{"b":1,"a":[true,null]}`), ID: pointer("7"), Retry: pointer("3000")}, Before: fault.Place{Nth: 3}},
		fault.Insert{Content: fault.Event{Data: pointer("[DONE]")}, After: fault.Place{End: true}},
		fault.Insert{Content: fault.Comment{Text: " keepalive", Blank: true}, Before: fault.Place{Event: "content_block_delta", Every: true}},
		fault.Insert{Content: fault.Comment{}, After: fault.Place{Start: true}},
		fault.Insert{Content: fault.Raw{Bytes: []byte("data: x\r\n\r\n")}, After: event("done")},
		fault.Insert{Content: fault.Raw{Bytes: []byte{0xff, 0, 0xfe}}, After: fault.Place{Event: "content_block_delta", Last: true}},
		fault.Insert{Content: fault.Delta{Text: "x", Size: 40 << 20, Index: 1}, After: fault.Place{Event: "content_block_start", Nth: 2}},
		fault.Insert{Content: fault.ErrorEvent{Type: "overloaded_error", Message: "Overloaded"}, After: fault.Place{Nth: 4}},
		fault.Insert{Content: fault.ErrorEvent{Type: "own_error", Data: pointer("plain")}, After: fault.Place{Nth: 5}},
		fault.Insert{Content: fault.ErrorEvent{Type: "overloaded_error", Message: "Overloaded"}, After: fault.Place{Nth: 3}, Ends: true},
		fault.Insert{Content: fault.ErrorEvent{Type: "api_error", Message: "Oops"}, After: fault.Place{Start: true}, Ends: true},
		fault.Insert{Content: fault.ErrorEvent{Data: pointer(`{"error":{"type":null}}`)}, After: fault.Place{Event: "message_delta", Last: true}, Ends: true},
		fault.Drop{At: event("message_stop")},
		fault.Duplicate{At: fault.Place{Nth: 3, Every: true}},
		fault.Move{At: event("content_block_stop"), Before: event("content_block_start")},
		fault.Move{At: event("ping"), After: fault.Place{End: true}},
		fault.Replace{At: fault.Place{Event: "content_block_delta", Nth: 2}, With: fault.Event{Name: "odd", Data: pointer("{")}},
		fault.Replace{At: event("message_stop"), With: fault.Ping{}},
		fault.Edit{At: fault.Place{Every: true}, Unset: []string{"usage", "delta.stop_reason"}},
		fault.Edit{At: event("message_delta"), Set: []fault.Setting{
			{Path: "delta.stop_reason", JSON: `"future_reason"`}, {Path: "usage.input_tokens", JSON: "null"}, {Path: "usage.x", JSON: `{"y":[1.5]}`},
		}},
		fault.Edit{Body: true, Set: []fault.Setting{{Path: "content.0.text", JSON: `"é"`}}},
	}, route(t, good(t, "faults"), "script").Faults)
}

func TestEachFaultOfTheBytesIsRead(t *testing.T) {
	s := good(t, "faults")
	require.Equal(t, []fault.Fault{
		fault.LineEnding{Cycle: []fault.Newline{fault.LF, fault.CRLF}},
		fault.EventLines{},
		fault.EventLines{Of: fault.Place{Event: "ping", Every: true}},
		fault.DataLines{Form: fault.Split},
		fault.DataLines{Form: fault.NoSpace, Of: event("message_stop")},
		fault.DataLines{Form: fault.DataFirst, Of: fault.Place{Nth: 2}},
		fault.Fields{Lines: []fault.Field{{Name: "id", Value: "1"}, {Name: "retry", Value: "3000"}}, Of: event("message_start")},
		fault.Escape{},
		fault.Gzip{Mode: fault.Truncated, Always: true},
		fault.Hold{Bytes: 4096},
		fault.WriteSize{Size: 7, Gap: 10 * time.Millisecond, Within: true},
		fault.Cuts{At: fault.InsideCharacter, Gap: 50 * time.Millisecond},
		fault.Cuts{At: fault.BeforeBlankLine, Of: event("message_stop")},
		fault.Cuts{At: fault.AtByte, Byte: 100},
		fault.Pace{Factor: 2.5},
	}, route(t, s, "bytes").Faults)
	require.Equal(t, []fault.Fault{
		fault.LineEnding{Cycle: []fault.Newline{fault.LF, fault.CRLF, fault.CR}}, fault.Gzip{Mode: fault.Flushed}, fault.Hold{End: true},
		fault.Coalesce{Events: 3}, fault.Cuts{At: fault.InsideCRLF},
	}, route(t, s, "cycle").Faults)
	require.Equal(t, []fault.Fault{
		fault.LineEnding{Cycle: []fault.Newline{fault.CR}}, fault.Hold{Every: 3 * time.Second}, fault.Coalesce{All: true}, fault.Cuts{At: fault.InsideEvent},
	}, route(t, s, "timer").Faults)
	require.Equal(t, []fault.Fault{fault.Gzip{Mode: fault.Unflushed}, fault.Hold{Events: 5}}, route(t, s, "count").Faults)
}

func TestEachStallAndEndIsRead(t *testing.T) {
	s := good(t, "faults")
	atByte := fault.Place{AtByte: true, Byte: 100}
	require.Equal(t, []fault.Fault{
		fault.Stall{For: 10 * time.Second, After: fault.Place{Nth: 3}},
		fault.Stall{For: fault.Never, Before: fault.Place{Headers: true}},
		fault.Stall{Gate: "later", Inside: event("content_block_delta")},
		fault.Stall{For: time.Millisecond, After: atByte},
		fault.Stall{For: time.Millisecond, Before: fault.Place{Line: 2}},
		fault.Stall{For: time.Millisecond, After: fault.Place{After: 2 * time.Second}},
	}, route(t, s, "time").Faults)
	for name, end := range map[string]fault.Ending{
		"cut":          {End: fault.Cut, After: fault.Place{Event: "content_block_delta", Nth: 5}},
		"reset":        {End: fault.Reset, After: atByte},
		"close":        {End: fault.Close, After: fault.Place{After: 2 * time.Second}},
		"short":        {End: fault.Short},
		"unsent":       {End: fault.KeepOpen, After: fault.Place{Headers: true}},
		"h2 goaway":    {End: fault.GoAway, Code: 11, LastBefore: true},
		"h2 unsent":    {End: fault.GoAway, LastBefore: true, After: fault.Place{Headers: true}},
		"h2 reset":     {End: fault.StreamReset, Code: 2, After: fault.Place{Nth: 2}},
		"h2 idle":      {End: fault.IdleClose, Idle: 2 * time.Second, After: fault.Place{Nth: 9}},
		"h3 reset":     {End: fault.StreamReset, Code: 0x102, After: fault.Place{Nth: 2}},
		"h3 named":     {End: fault.StreamReset, Code: 0x10b, After: fault.Place{Nth: 3}},
		"h3 numbered":  {End: fault.StreamReset, Code: 9},
		"h1 delimited": {End: fault.Delimited},
		"h1 next":      {End: fault.ResetNext, After: fault.Place{Nth: 4}},
		"h1 open":      {End: fault.KeepOpen, After: fault.Place{Nth: 3}},
	} {
		require.Equal(t, []fault.Fault{end}, route(t, s, name).Faults, name)
	}
}

// A fault's own text, which messages show, reads as the same fault.
func TestEveryFaultCanBeReadFromItsText(t *testing.T) {
	for _, r := range good(t, "faults").Routes {
		protocol := map[string]string{"": "", "HTTP/1.1": "protocol: http/1.1, ", "HTTP/2.0": "protocol: h2, ", "HTTP/3.0": "protocol: h3, "}[r.Protocol]
		for _, f := range r.Faults {
			text := "orrery: 1\nname: a\nprofiles: {p: {respond: 1ms}}\nroutes:\n  - {name: r, " + protocol + "profile: p, faults: [" + f.String() + "]}\n"
			if named, ok := f.(fault.Insert); ok && named.After == event("done") || r.Endpoint != "" {
				continue // it speaks of another fault's event, or of lines
			}
			s, err := scenario.Loader{}.Load("test.yaml", []byte(text))
			require.NoError(t, err, text)
			require.Equal(t, []fault.Fault{f}, s.Routes[0].Faults, f.String())
		}
	}
}

func TestAnAnswerAsItStandsIsRead(t *testing.T) {
	s := good(t, "faults")
	page := route(t, s, "page")
	require.Equal(t, &scenario.HTTP{Status: 520, ContentType: "text/html; charset=utf-8", Body: "<html>", Size: 5120}, page.HTTP)
	require.Len(t, page.HTTP.Bytes(), 5120)
	require.Equal(t, "<html><html><h", string((&scenario.HTTP{Body: "<html>", Size: 14}).Bytes()))
	require.Equal(t, "<ht", string((&scenario.HTTP{Body: "<html>", Size: 3}).Bytes()))
	require.Empty(t, (&scenario.HTTP{}).Bytes())
	require.Nil(t, page.Reply)
	require.NotNil(t, page.Profile)
	body := `{"type":"error","error":{"type":"x"}}`
	require.Equal(t, &scenario.HTTP{Status: 200, ContentType: "application/json", Body: body, Size: int64(len(body))}, route(t, s, "json").HTTP)
	require.Equal(t, &scenario.HTTP{Status: 502, Body: "bad", Size: 3}, route(t, s, "untyped").HTTP)
	require.Equal(t, &scenario.HTTP{Status: 204}, route(t, s, "empty").HTTP)
	require.Equal(t, 308, route(t, s, "moved").Error.Status)
}

func TestAHeaderIsSentSeveralTimesEmptyOrNotAtAll(t *testing.T) {
	s := good(t, "faults")
	type sent struct {
		name, value   string
		remove, empty bool
	}
	var got []sent
	for _, h := range route(t, s, "page").Headers {
		text, constant := h.Value.Constant()
		if !constant {
			text = "…"
		}
		got = append(got, sent{h.Name, text, h.Remove, h.Empty})
	}
	require.Equal(t, []sent{
		{"server", "cloudflare", false, false}, {"set-cookie", "a=1", false, false}, {"set-cookie", "", false, true}, {"set-cookie", "…", false, false},
		{"request-id", "", true, false}, {"x-late", "…", false, false},
	}, got)
	verbatim := route(t, s, "verbatim")
	require.True(t, verbatim.VerbatimHead)
	require.Equal(t, []scenario.Header{
		{Name: "Request-Id", Value: scenario.Text("  padded ")}, {Name: "request-ID", Value: scenario.Text("second")},
	}, verbatim.Headers)
}

func TestARouteTakesOneEndpointAndOneProtocol(t *testing.T) {
	s := good(t, "faults")
	require.Equal(t, []string{"", ""}, []string{route(t, s, "others").Endpoint, route(t, s, "others").Protocol})
	require.False(t, route(t, s, "others").RawText)
	require.True(t, route(t, s, "text").RawText)
	require.Equal(t, "HTTP/3.0", route(t, s, "h3 reset").Protocol)
	require.Equal(t, "HTTP/1.1", route(t, s, "h1 delimited").Protocol)
	models := route(t, s, "models")
	require.Equal(t, []string{"models", "HTTP/2.0"}, []string{models.Endpoint, models.Protocol})
	require.True(t, models.Never)
	own := route(t, s, "counted well")
	require.True(t, own.Profile == nil && own.Reply == nil && own.Error == nil && own.HTTP == nil, "the endpoint's own answer")
	require.Equal(t, []fault.Fault{
		fault.Stall{For: time.Second, After: fault.Place{Line: 2}}, fault.Ending{End: fault.Reset, After: fault.Place{Line: 3}},
		fault.Edit{Body: true, Set: []fault.Setting{{Path: "x", JSON: "1"}}},
	}, route(t, s, "results").Faults)
}

func TestUploadsAndOutagesAreRead(t *testing.T) {
	s := good(t, "faults")
	require.Equal(t, &scenario.Upload{Limit: 8192, Early: true, Rate: 10240, Continue: 2 * time.Second}, s.Upload)
	require.Equal(t, []scenario.Window{{From: 2 * time.Second, To: 5 * time.Second}, {From: 20 * time.Second, To: 30 * time.Second}}, s.Freeze)
	require.Equal(t, &scenario.Upload{NoContinue: true}, load(t, "orrery: 1\nname: a\nupload: {continue: never}\n").Upload)
	require.Nil(t, load(t, frame).Upload)
}

func TestTheGatesOfAScenarioAreThoseOfItsStalls(t *testing.T) {
	s := good(t, "faults")
	require.Equal(t, []string{"later"}, s.Gates())
	require.Equal(t, []string{"later"}, route(t, s, "time").Gates())
	require.Empty(t, route(t, s, "short").Gates())
}
