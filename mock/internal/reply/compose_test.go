package reply

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/latency"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

const weather = `"tools":[{"name":"get_weather","input_schema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}},{"name":"get_time","input_schema":{"type":"object"}}]`

func composed(t testing.TB, l *Library, spec *scenario.Reply, q *wire.Request) Answer {
	t.Helper()
	answer, err := l.Compose(Ask{Spec: For(spec, q), Request: q, Chance: latency.NewPlace(1, "test"), Ordinal: 7})
	require.NoError(t, err)
	requireSum(t, answer)
	return answer
}

// requireSum checks that the tokens add up over the blocks.
func requireSum(t testing.TB, a Answer) {
	t.Helper()
	output, thinking := 0, 0
	for _, b := range a.Blocks {
		n := b.Unseen
		if b.Raw == nil && b.Type != "redacted_thinking" {
			n += wire.CountTokens(b.Text)
		}
		require.Equal(t, n, b.Cost(), "%s %q", b.Type, b.Text)
		output += n
		if strings.HasSuffix(b.Type, "thinking") {
			thinking += n
		}
	}
	require.Equal(t, []int{output, thinking}, []int{a.Output, a.Thinking})
}

func kinds(a Answer) string {
	var all []string
	for _, b := range a.Blocks {
		all = append(all, b.Type)
	}
	return strings.Join(all, " ") + " / " + a.StopReason
}

// talkWith is a request whose messages are these.
func talkWith(t testing.TB, messages, fields string) *wire.Request {
	t.Helper()
	body := `{"model":"claude-sonnet-5","max_tokens":4000,"messages":[` + messages + `]`
	if fields != "" {
		body += "," + fields
	}
	q, problem := wire.NewReader().Read([]byte(body+"}"), wire.ReadOptions{Version: wire.Version2026, Validation: wire.Off})
	require.Nil(t, problem)
	return q
}

const answered = `{"role":"user","content":"Weather?"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"get_weather","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"Rain"}]}`

func TestWhatARequestAsksForIsAnswered(t *testing.T) {
	l := builtIn(t)
	for name, c := range map[string]struct {
		spec   scenario.Reply
		fields string
		want   string
	}{
		"text":                          {scenario.Reply{}, ``, "text / end_turn"},
		"thinking":                      {scenario.Reply{}, `"thinking":{"type":"adaptive"}`, "thinking text / end_turn"},
		"no thinking":                   {scenario.Reply{}, `"thinking":{"type":"disabled"}`, "text / end_turn"},
		"a tool":                        {scenario.Reply{}, weather, "tool_use / tool_use"},
		"thinking and a tool":           {scenario.Reply{}, weather + `,"thinking":{"type":"adaptive"}`, "thinking tool_use / tool_use"},
		"any tool":                      {scenario.Reply{}, weather + `,"tool_choice":{"type":"any"}`, "tool_use / tool_use"},
		"no tool":                       {scenario.Reply{}, weather + `,"tool_choice":{"type":"none"}`, "text / end_turn"},
		"never a tool":                  {scenario.Reply{Tools: "never"}, weather, "text / end_turn"},
		"two tools":                     {scenario.Reply{Tools: "parallel"}, weather, "tool_use tool_use / tool_use"},
		"not two tools":                 {scenario.Reply{Tools: "parallel"}, weather + `,"tool_choice":{"type":"auto","disable_parallel_tool_use":true}`, "tool_use / tool_use"},
		"an own text":                   {scenario.Reply{Text: "hi"}, weather + `,"thinking":{"type":"adaptive"}`, "text / end_turn"},
		"an own text and a tool":        {scenario.Reply{Text: "hi", Tools: "always"}, weather, "text tool_use / tool_use"},
		"a tool that the scenario says": {scenario.Reply{Tool: &scenario.ToolCall{Name: "x"}}, ``, "tool_use / tool_use"},
		"a server tool offered":         {scenario.Reply{}, `"tools":[{"type":"web_search_20250305","name":"web_search"}]`, "text / end_turn"},
		"a server tool demanded":        {scenario.Reply{}, `"tools":[{"type":"web_fetch_20250910","name":"web_fetch"}],"tool_choice":{"type":"any"}`, "server_tool_use web_fetch_tool_result text / end_turn"},
		"code run":                      {scenario.Reply{Tools: "always"}, `"tools":[{"type":"code_execution_20250825","name":"code_execution"}]`, "server_tool_use bash_code_execution_tool_result text / end_turn"},
		"older code run":                {scenario.Reply{Tools: "always"}, `"tools":[{"type":"code_execution_20250522","name":"code_execution"}]`, "server_tool_use code_execution_tool_result text / end_turn"},
		"a thought of the scenario's":   {scenario.Reply{Thinking: &scenario.Thinking{Text: "Hm.", Redacted: true}}, ``, "thinking redacted_thinking text / end_turn"},
		"a refusal":                     {scenario.Reply{Refusal: &scenario.Refusal{}}, weather, " / refusal"},
		"a refusal with a text":         {scenario.Reply{Text: "No.", Refusal: &scenario.Refusal{}}, ``, "text / refusal"},
		"a pause":                       {scenario.Reply{StopReason: "pause_turn"}, ``, "text / pause_turn"},
		"a full window":                 {scenario.Reply{StopReason: "model_context_window_exceeded"}, ``, "text / model_context_window_exceeded"},
		"blocks": {scenario.Reply{Blocks: []scenario.Block{
			{Type: "thinking", Text: "a"}, {Type: "redacted_thinking"}, {Type: "text", Text: "b"}, {Type: "raw", Text: `{"type":"container_upload","file_id":"f"}`}, {Type: "tool_use", ToolCall: scenario.ToolCall{Name: "f"}},
		}}, ``, "thinking redacted_thinking text raw tool_use / tool_use"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, kinds(composed(t, l, &c.spec, requestWith(t, c.fields))))
		})
	}
	require.Equal(t, "text / end_turn", kinds(composed(t, l, &scenario.Reply{}, talkWith(t, answered, weather))), "on a result comes text")
	require.Equal(t, "tool_use / tool_use", kinds(composed(t, l, &scenario.Reply{Tools: "always"}, talkWith(t, answered, weather))))
}

func TestAThoughtKeepsToItsBudgetAndItsSignatureIsOfWhatIsShown(t *testing.T) {
	l := builtIn(t)
	spec := &scenario.Reply{Thinking: &scenario.Thinking{Tokens: scenario.Range{Min: 2000, Max: 2000}}}
	shown := composed(t, l, spec, requestWith(t, `"thinking":{"type":"enabled","budget_tokens":1024}`))
	require.Equal(t, 1024, shown.Thinking)
	require.True(t, wire.Signed(shown.Blocks[0].Text, shown.Blocks[0].Signature))
	require.False(t, wire.Signed(shown.Blocks[0].Text+".", shown.Blocks[0].Signature))

	hidden := composed(t, l, spec, requestWith(t, `"thinking":{"type":"adaptive","display":"omitted"}`))
	require.Equal(t, 2000, hidden.Thinking)
	require.Empty(t, hidden.Blocks[0].Text)
	require.True(t, wire.Signed("", hidden.Blocks[0].Signature))
}

func TestMaxTokensCutsWhateverReachesIt(t *testing.T) {
	l := builtIn(t)
	spec := &scenario.Reply{Blocks: []scenario.Block{
		{Type: "thinking", Text: "One two three."}, {Type: "text", Text: "Four five six."},
		{Type: "tool_use", ToolCall: scenario.ToolCall{Name: "f", Input: `{"city": "Oslo", "days": 3}`}},
	}}
	whole := composed(t, l, spec, requestWith(t, ""))
	for limit := range whole.Output + 1 {
		q := requestWith(t, "")
		q.MaxTokens = limit
		cut := composed(t, l, spec, q)
		require.Equal(t, limit, cut.Output)
		if limit == whole.Output {
			require.Equal(t, "tool_use", cut.StopReason)
			continue
		}
		require.Equal(t, "max_tokens", cut.StopReason, limit)
		for i, b := range cut.Blocks {
			require.True(t, strings.HasPrefix(whole.Blocks[i].Text, b.Text))
		}
		body := wire.AppendMessage(nil, &wire.Message{Blocks: cut.Blocks})
		require.True(t, json.Valid(body), "%s", body)
	}
}

func TestAPrefillIsContinued(t *testing.T) {
	l := builtIn(t)
	q := talkWith(t, `{"role":"user","content":"Count."},{"role":"assistant","content":"One two"}`, "")
	require.Equal(t, " three", composed(t, l, &scenario.Reply{Text: "One two three"}, q).Blocks[0].Text)
	require.Equal(t, "Four", composed(t, l, &scenario.Reply{Text: "Four"}, q).Blocks[0].Text)
}

func TestEchoAndTemplatesSpeakOfTheRequest(t *testing.T) {
	l := builtIn(t)
	q := requestWith(t, `"system":"Be brief."`)
	require.Equal(t, "What is the weather?", composed(t, l, &scenario.Reply{Echo: true}, q).Blocks[0].Text)
}

func TestADialogueAnswersByTheFirstThatMatches(t *testing.T) {
	l := builtIn(t)
	say := func(text string) *scenario.Reply { return &scenario.Reply{Text: text} }
	spec := &scenario.Reply{Text: "else", Dialogue: []scenario.Turn{
		{ToolResult: "get_weather", Reply: say("wet")},
		{Contains: "Weather", Turn: scenario.Range{Min: 1, Max: 1}, Reply: &scenario.Reply{Tool: &scenario.ToolCall{Name: "get_weather", Input: `{"city": "Oslo"}`}}},
		{Turn: scenario.Range{Min: 3, Max: 4}, Reply: say("third")},
	}}
	said := func(messages string) Answer { return composed(t, l, spec, talkWith(t, messages, "")) }
	require.Equal(t, "wet", said(answered).Blocks[0].Text)
	require.Equal(t, `{"city": "Oslo"}`, said(`{"role":"user","content":"Weather?"}`).Blocks[0].Text)
	require.Equal(t, "else", said(`{"role":"user","content":"Hello"}`).Blocks[0].Text)
	long := strings.Repeat(`{"role":"user","content":"a"},{"role":"assistant","content":"b"},`, 2) + `{"role":"user","content":"c"}`
	require.Equal(t, "third", said(long).Blocks[0].Text)
}

func TestAPromptIsAnsweredInItsLanguage(t *testing.T) {
	l := builtIn(t)
	for prompt, language := range map[string]string{
		"What is the weather like in the north?": "en", "": "en", "hi": "en", "xyzzy 12": "en",
		"Wie ist das Wetter und warum?": "de", "Quel temps fait-il dans le nord ?": "fr", "¿Cómo es el tiempo en la costa?": "es",
		"Che tempo fa, e perché non piove?": "it", "Como está o tempo? Você não sabe?": "pt", "Jaka jest pogoda i dlaczego nie pada?": "pl",
		"Bugün hava nasıl ve neden çok sıcak?": "tr", "Какая погода?": "ru", "Τι καιρό κάνει;": "el", "מה מזג האוויר?": "he",
		"كيف الطقس اليوم؟": "ar", "मौसम कैसा है?": "hi", "天気はどうですか。": "ja", "오늘 날씨 어때요?": "ko", "今天天气怎么样？": "zh",
		"Translate 天气 into English, please, and tell me what it is": "en",
	} {
		require.Equal(t, language, l.languageOf(prompt), prompt)
		q := requestWith(t, "")
		q.Messages[0].Content[0].Text = prompt
		text := composed(t, l, &scenario.Reply{Language: "prompt"}, q).Blocks[0].Text
		require.Contains(t, fmt.Sprint(l.tongues[language]), l.named(text))
	}
}

// named is the name of the fixture that is this text.
func (l *Library) named(text string) string {
	for i, name := range l.names {
		if l.from(i, l.places[i].tokens).Text == text {
			return name
		}
	}
	return "no fixture"
}

func TestSourcesAreCitedWhereTheyStand(t *testing.T) {
	l := builtIn(t)
	q := talkWith(t, `{"role":"user","content":[
		{"type":"document","source":{"type":"text","media_type":"text/plain","data":"Not this."}},
		{"type":"document","title":"T","citations":{"enabled":true},"source":{"type":"text","media_type":"text/plain","data":"Ünder. More."}},
		{"type":"document","citations":{"enabled":true},"source":{"type":"base64","media_type":"application/pdf","data":""}},
		{"type":"document","citations":{"enabled":true},"source":{"type":"content","content":[{"type":"text","text":"Block."}]}},
		{"type":"search_result","source":"s","title":"R","citations":{"enabled":true},"content":[{"type":"text","text":"Found."}]},
		{"type":"text","text":"Well?"}]}`, "")
	a := composed(t, l, &scenario.Reply{Fixtures: []string{"en-tides"}}, q)
	require.Equal(t, "text text / end_turn", kinds(a))
	cited := a.Blocks[1].Citations
	for i := range cited {
		require.LessOrEqual(t, cited[i].After, a.Blocks[1].Tokens())
		cited[i].After = 0
	}
	require.Equal(t, []wire.Citation{
		{Type: "char_location", Cited: "Ünder.", Title: "T", Index: 1, End: 6},
		{Type: "page_location", Cited: "Page 1", Index: 2, Start: 1, End: 2},
		{Type: "content_block_location", Cited: "Block.", Index: 3, End: 1},
		{Type: "search_result_location", Cited: "Found.", Title: "R", Source: "s", End: 1},
	}, cited)
	require.Equal(t, l.from(l.index["en-tides"], 1<<10).Text[:200], (a.Blocks[0].Text + a.Blocks[1].Text)[:200])
}

func TestAFileIsCitedAsWhatItIs(t *testing.T) {
	body := `{"model":"claude-sonnet-5","max_tokens":4000,"messages":[{"role":"user","content":[
		{"type":"document","citations":{"enabled":true},"source":{"type":"file","file_id":"text"}},
		{"type":"document","citations":{"enabled":true},"source":{"type":"file","file_id":"pdf"}},
		{"type":"text","text":"Well?"}]}]}`
	q, problem := wire.NewReader().Read([]byte(body), wire.ReadOptions{Version: wire.Version2026, Open: func(id string) (string, io.ReadCloser) {
		if id == "text" {
			return "text/plain", io.NopCloser(strings.NewReader("Ünder. More."))
		}
		return "application/pdf", io.NopCloser(strings.NewReader("%PDF-1.7"))
	}})
	require.Nil(t, problem)
	a := composed(t, builtIn(t), &scenario.Reply{Fixtures: []string{"en-tides"}}, q)
	cited := a.Blocks[1].Citations
	for i := range cited {
		cited[i].After = 0
	}
	require.Equal(t, []wire.Citation{
		{Type: "char_location", Cited: "Ünder.", End: 6, FileID: "text"},
		{Type: "page_location", Cited: "Page 1", Index: 1, Start: 1, End: 2, FileID: "pdf"},
	}, cited)
}

func TestStructuredOutputSatisfiesTheSchema(t *testing.T) {
	l := builtIn(t)
	random := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		schema := randomSchema(random, 2)
		schema["$defs"] = map[string]any{"leaf": map[string]any{"type": "integer"}, "tree": map[string]any{"type": "null"}}
		text, err := json.Marshal(schema)
		require.NoError(t, err)
		q := requestWith(t, `"output_config":{"format":{"type":"json_schema","schema":`+string(text)+`}}`)
		a := composed(t, l, &scenario.Reply{}, q)
		requireFits(t, string(text), a.Blocks[0].Text)
	}
}

func BenchmarkCompose(b *testing.B) {
	l := builtIn(b)
	for name, c := range map[string]struct {
		spec   scenario.Reply
		fields string
	}{
		"text": {scenario.Reply{}, ``}, "language": {scenario.Reply{Language: "prompt"}, ``}, "tool": {scenario.Reply{}, weather},
	} {
		ask := Ask{Spec: &c.spec, Request: requestWith(b, c.fields), Choice: latency.Whole / 3, Chance: latency.NewPlace(1, "b")}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := l.Compose(ask); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
