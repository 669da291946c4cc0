package wire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const smallBody = `{"model":"acme","max_tokens":1024,"stream":true,"system":"You are terse.","messages":[{"role":"user","content":"What is the capital of Peru?"}]}`

// longBody is a prompt of about 500 KB in 40 blocks.
func longBody() []byte {
	block := strings.Repeat("The quick brown fox jumps over the lazy dog, \\\"twice\\\" on Tuesdays.\\n", 170)
	if len(block) > 12_700 {
		block = strings.TrimSuffix(block[:12_600], `\`)
	}
	var turns []string
	for i := range 20 {
		turns = append(turns, fmt.Sprintf(`{"role":"user","content":[{"type":"text","text":"%d %s"}]},{"role":"assistant","content":[{"type":"text","text":"%s."}]}`, i, block, block))
	}
	turns = append(turns, `{"role":"user","content":"And?"}`)
	return []byte(`{"model":"acme","max_tokens":1024,"messages":[` + strings.Join(turns, ",") + `]}`)
}

func read(t testing.TB, body string, o ReadOptions) *Request {
	t.Helper()
	req, problem := NewReader().Read([]byte(body), o)
	require.Nil(t, problem, body)
	return req
}

func TestARequestHoldsWhatWasSent(t *testing.T) {
	req := read(t, `{"model":"claude-haiku-4-5","max_tokens":3e2,"stream":true,"stop_sequences":["END","\n."],
		"system":[{"type":"text","text":"Be brief."},{"type":"text","text":"Be kind."}],
		"tools":[{"name":"f","input_schema":{"type":"object"}},{"type":"bash_20250124","name":"bash"}],
		"tool_choice":{"type":"tool","name":"f"},
		"messages":[
			{"role":"user","content":"one"},
			{"role":"assistant","content":[{"type":"tool_use","id":"a1","name":"f","input":{"x": [1, 2]}}]},
			{"role":"user","content":[
				{"type":"tool_result","tool_use_id":"a1","content":[{"type":"text","text":"r1"},{"type":"image","source":{"type":"url","url":"u"}},{"type":"text","text":"r2"}]},
				{"type":"document","source":{"type":"text","media_type":"text/plain","data":"paper"}},
				{"type":"text","text":"two"},{"type":"text","text":"three"}]}]}`, ReadOptions{Version: Version2023})
	require.Equal(t, &Request{
		Version: Version2023, Model: "claude-haiku-4-5", Answering: Answering{"claude-haiku-4-5-20251001", Older, 20251015}, MaxTokens: 300, Stream: true, StopSequences: []string{"END", "\n."},
		System: "Be brief.\nBe kind.", Tools: []Tool{{"custom", "f"}, {"bash_20250124", "bash"}}, ToolChoice: "tool", ChosenTool: "f",
		Messages: []Turn{
			{"user", []Content{{Type: "text", Text: "one"}}},
			{"assistant", []Content{{Type: "tool_use", ID: "a1", Name: "f", Input: `{"x":[1,2]}`}}},
			{"user", []Content{
				{Type: "tool_result", ID: "a1", Text: "r1\nr2"}, {Type: "document", Text: "paper"},
				{Type: "text", Text: "two"}, {Type: "text", Text: "three"},
			}},
		},
		Blocks:       BlockCounts{Text: 5, Image: 1, Document: 1, ToolUse: 1, ToolResult: 1},
		SystemTokens: CountTokens("Be brief.\nBe kind."), InputTokens: req.InputTokens, Identity: req.Identity, Body: req.Body,
	}, req)
	require.Equal(t, "object", req.Body.Get("tools").Members()[0].Value.Get("input_schema").Get("type").Text())
	require.Equal(t, "two\nthree", req.LastUserText())
}

func TestTheTextIsTheLastUserTurns(t *testing.T) {
	req := read(t, string(bodyWith(t, talk(userHi+`,`+assistHi+`,{"role":"system","content":"x"}`))), ReadOptions{})
	require.Equal(t, "hi", req.LastUserText())
	require.Empty(t, read(t, string(bodyWith(t, talk(assistHi))), ReadOptions{}).LastUserText())
}

func TestAScenariosOwnParametersAreTakenAndChecked(t *testing.T) {
	mode := ExtraField{Name: "mode", Check: func(v *Value) *Error {
		if v.Text() != "strict" {
			return Invalid("mode: Input should be 'strict'")
		}
		return nil
	}}
	o := ReadOptions{Extra: []ExtraField{mode, {Name: "warm"}, {Name: "share"}, {Name: "none"}, {Name: "list"}, {Name: "unsent"}}}
	req := read(t, string(bodyWith(t, `"mode":"strict","warm":true,"share":0.25,"none":null,"list":[1]`)), o)
	list := req.Extra["list"].(*Value)
	require.Equal(t, "[1]", string(list.Append(nil)))
	require.Equal(t, map[string]any{"mode": "strict", "warm": true, "share": 0.25, "none": nil, "list": list}, req.Extra)
	require.Nil(t, read(t, string(bodyWith(t, ``)), o).Extra)

	requireRefused := func(fragment, message string) {
		t.Helper()
		_, problem := NewReader().Read(bodyWith(t, fragment), o)
		require.Equal(t, Invalid(message), problem)
	}
	requireRefused(`"mode":"loose"`, "mode: Input should be 'strict'")
	requireRefused(`"mode":"loose","stream":4`, "stream: Input should be a valid boolean")
	requireRefused(`"zzz":1,"mode":"loose"`, "mode: Input should be 'strict'")
	requireRefused(`"zzz":1,"mode":"strict"`, "zzz: Extra inputs are not permitted")
	requireRefused(`"metadata":{"mode":"strict"}`, "metadata.mode: Extra inputs are not permitted")
}

func TestWarnLetsAFaultPassAndSaysWhichWasFirst(t *testing.T) {
	body := bodyWith(t, `"zzz":1,"stream":"yes","max_tokens":"many"`)
	req, problem := NewReader().Read(body, ReadOptions{Validation: Warn})
	require.Nil(t, problem)
	require.Equal(t, []string{"max_tokens: Input should be a valid integer"}, req.Warnings)
	require.Equal(t, "acme", req.Model)
	require.Zero(t, req.MaxTokens)
	require.False(t, req.Stream)
	require.Equal(t, "hi", req.LastUserText())
	require.Empty(t, read(t, string(bodyWith(t, ``)), ReadOptions{Validation: Warn}).Warnings)

	req, problem = NewReader().Read(body, ReadOptions{Validation: Off})
	require.Nil(t, problem)
	require.Empty(t, req.Warnings)
}

func TestEvenUncheckedABodyNeedsAModelAndMessages(t *testing.T) {
	for _, v := range []Validation{Warn, Off} {
		for _, c := range []faultCase{
			{`"model":"(absent)"`, "model: Field required"},
			{`"model":4`, "model: Input should be a valid string"},
			{`"messages":"(absent)"`, "messages: Field required"},
			{`"messages":"x"`, "messages: Input should be a valid array"},
		} {
			_, problem := NewReader().Read(bodyWith(t, c.fragment), ReadOptions{Validation: v})
			require.Equal(t, Invalid(c.message), problem)
		}
		odd := `"system":[4,{"text":5}],"tools":[null,"x",{"type":7}],"stop_sequences":[1],"tool_choice":[],` +
			talk(`null,4,{"role":5,"content":6},{"content":[null,"x",{"type":"tool_use"},{"type":"tool_result","content":[7]},{"type":"document"},{"type":"new","content":[]}]}`)
		_, problem := NewReader().Read(bodyWith(t, odd), ReadOptions{Validation: v})
		require.Nil(t, problem)
	}
}

// FuzzRead looks for a body that makes reading panic, or that has another identity or count once
// it is written down anew.
func FuzzRead(f *testing.F) {
	for _, fragment := range []string{
		``, `"stream":true`, `"system":[{"type":"text","text":"\u00e9\ud83d\ude00"}]`, `"temperature":1e-1,"top_p":0.50`,
		`"tools":[{"name":"f","strict":true,"input_schema":{"type":"object","additionalProperties":false}}],"tool_choice":{"type":"tool","name":"f"}`,
		talk(userHi + `,` + calls), talk(`{"role":"system","content":[]},` + assistHi), `"metadata":{"user_id":"x"},"container":{"id":null}`,
		`"thinking":{"type":"enabled","budget_tokens":1024},"output_config":{"effort":"low"}`,
		inUserTurn(`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="},"cache_control":{"type":"ephemeral"}}`),
		inUserTurn(`{"type":"document","source":{"type":"content","content":"a"},"citations":{"enabled":true}}`),
		inUserTurn(`{"type":"tool_result","tool_use_id":"a","content":[{"type":"search_result","source":"s","title":"t","content":[]}]}`),
	} {
		f.Add(bodyWith(f, fragment), uint8(0))
		f.Add(bodyWith(f, fragment), uint8(255))
	}
	for i, body := range []string{``, `{`, `[]`, `{"model":"m","messages":[{}]}`, `{"a":"\ud800"}`, `{"model":"m","messages":[],"n":-1.50E+2}`} {
		f.Add([]byte(body), uint8(i))
	}
	r := NewReader()
	f.Fuzz(func(t *testing.T, body []byte, how uint8) {
		o := ReadOptions{Version: Version2023, Validation: Validation(how % 3), CountOnly: how&4 != 0, Listed: how&8 != 0,
			Extra: []ExtraField{{Name: "n"}}}
		if how&16 != 0 {
			o.Version = Version2026
		}
		req, problem := r.Read(body, o)
		if problem != nil {
			require.Nil(t, req)
			require.NotEmpty(t, problem.Message)
			return
		}
		v, err := r.parsers.parse(body)
		require.NoError(t, err)
		again, problem := r.Read(v.Append(nil), o)
		require.Nil(t, problem)
		require.Equal(t, req.Identity, again.Identity)
		require.Equal(t, req.InputTokens, again.InputTokens)
	})
}

func BenchmarkRead(b *testing.B) {
	r := NewReader()
	for _, bench := range []struct {
		name string
		body []byte
	}{{"150 bytes", []byte(smallBody)}, {"500 KB", longBody()}} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Read(bench.body, ReadOptions{Version: Version2023}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkNewReader(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		NewReader()
	}
}

func TestAReaderIsSharedByManyRequests(t *testing.T) {
	r := NewReader()
	want := read(t, smallBody, ReadOptions{})
	for range 8 {
		t.Run("at once", func(t *testing.T) {
			t.Parallel()
			for range 100 {
				got, problem := r.Read([]byte(smallBody), ReadOptions{})
				require.Nil(t, problem)
				require.Equal(t, want, got)
			}
		})
	}
}

func TestNoThreadIsHeld(t *testing.T) {
	const rest = `"model":"acme","max_tokens":9,"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"Sunny"}]}]}`
	o := ReadOptions{Version: Version2026, Betas: []string{"message-threads-2026-08-12"}}
	_, problem := NewReader().Read([]byte(`{"thread":{"type":"continue","previous_message_id":"msg_1"},`+rest), o)
	require.Equal(t, 404, problem.Status)
	require.Equal(t, `{"error_code":"thread_not_found"}`, string(problem.Details))
	_, problem = NewReader().Read([]byte(`{"thread":{"type":"create"},`+rest), o)
	require.Equal(t, 400, problem.Status, "its own conversation is wrong")
	require.Nil(t, problem.Details)
}
