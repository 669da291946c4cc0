package run_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

const cached = quick + `
facts: {reads: cache.read_tokens, almost: cache.near}
routes:
  - {name: refused, when: stream, error: {status: 529}}
  - {name: near miss, when: cache.near, profile: quick, reply: drifted, usage: {cache_creation_input_tokens: input_tokens}}
  - name: hit
    when: cache.read_tokens > 0
    profile: quick
    usage: {input_tokens: input_tokens - cache.read_tokens, cache_read_input_tokens: cache.read_tokens}
  - {name: new, profile: quick, usage: {cache_creation_input_tokens: input_tokens}}
`

func TestAPromptThatWasThereIsReadFromTheCacheWhole(t *testing.T) { // CLAIMS.md Z18
	g := playing(t, cached)
	prompt := saying("The moon pulls, and the sea follows.")
	first := g.ask(prompt)
	tokens := g.query(prompt).Request.InputTokens
	require.Equal(t, "new", first.Route())
	require.Equal(t, tokens, first.Timeline.Message.Usage.CacheCreation)

	again := g.ask(prompt, with(`"service_tier":"auto"`), from("another"))
	require.Equal(t, "hit", again.Route())
	require.Equal(t, tokens, again.Facts()["cache.read_tokens"])
	require.Zero(t, again.Timeline.Message.Usage.Input)
	require.Equal(t, tokens, again.Timeline.Message.Usage.CacheRead)
}

func TestOneMoreSpaceMissesAndIsANearMiss(t *testing.T) {
	g := playing(t, cached)
	g.ask(saying("The moon pulls, and the sea follows."), prompted("Be brief."))
	for _, c := range []struct{ system, text, route string }{
		{"Be brief.", "The moon  pulls, and the sea follows.", "near miss"},
		{"Be\nbrief.", "The moon pulls, and the sea follows.", "near miss"},
		{"Be brief.", "Themoonpulls,andtheseafollows.", "near miss"},
		{"Be brief.", "The moon pulls, and the sea follows!", "new"},
		{"Be brief.", "The moon pulls and the sea follows.", "new"},
		{"Be brief. The", "moon pulls, and the sea follows.", "new"},
		{"Be brief.", "The moon pulls, and the sea follows.", "hit"},
		{"Be brief.", "The moon  pulls, and the sea follows.", "hit"},
	} {
		require.Equal(t, c.route, g.ask(saying(c.text), prompted(c.system)).Route(), "%q %q", c.system, c.text)
	}
}

// asking is a request with a body of its own, but for max_tokens.
func (g *game) asking(fields string) run.Query {
	g.t.Helper()
	request, problem := g.reader.Read([]byte(`{"max_tokens":100,`+fields+`}`), wire.ReadOptions{Version: wire.Version2023})
	require.Nil(g.t, problem)
	q := g.query()
	q.Request = request
	return q
}

func TestAConversationThatGoesOnReadsWhatWasThereBefore(t *testing.T) {
	g := playing(t, quick+all+"facts: {reads: cache.read_tokens}\n")
	turns := func(n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`{"role":%q,"content":"turn %d"}`, []string{"user", "assistant"}[i%2], i))
		}
		return `"model":"claude-sonnet-5","messages":[` + strings.Join(all, ",") + `]`
	}
	ask := func(n int) (reads, tokens int) {
		q := g.asking(turns(n))
		return g.Decide(q).Facts()["cache.read_tokens"].(int), q.Request.InputTokens
	}
	reads, short := ask(1)
	require.Zero(t, reads)
	reads, long := ask(5)
	require.Equal(t, short, reads)
	reads, _ = ask(7)
	require.Equal(t, long, reads)
	reads, _ = ask(3)
	require.Equal(t, short, reads, "what comes after doesn't matter")
}

func TestAPromptThatWasRefusedIsNotCached(t *testing.T) {
	g := playing(t, cached)
	require.Equal(t, []string{"refused", "refused"}, g.routes(2, streamed()))
	require.Equal(t, "new", g.ask().Route())
	require.Equal(t, "hit", g.ask().Route())
}

func TestAnotherModelOrAnotherImageIsAnotherPrompt(t *testing.T) {
	g := playing(t, cached)
	text := func(model string) string {
		return `"model":"` + model + `","messages":[{"role":"user","content":"hi"}]`
	}
	image := func(data string) string {
		return `"model":"claude-sonnet-5","messages":[{"role":"user","content":[
			{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"` + data + `"}}]}]`
	}
	for i, c := range []struct{ fields, route string }{
		{text("claude-sonnet-5"), "new"},
		{text("claude-haiku-4-5"), "new"},
		{text("claude-sonnet-5"), "hit"},
		{text("claude-sonnet-5") + `,"tools":[{"name":"clock","input_schema":{"type":"object"}}]`, "new"},
		{image("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"), "new"},
		{image("R0lGODlhAgABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"), "new"},
		{image("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"), "hit"},
	} {
		require.Equal(t, c.route, g.Decide(g.asking(c.fields)).Route(), i)
	}
}

func TestTheCacheForgetsTheOldest(t *testing.T) {
	g := playing(t, cached)
	q := g.query()
	ask := func(text string) string {
		q.Request.Messages[0].Content[0].Text = text
		return g.Decide(q).Route()
	}
	ask("first")
	for i := range 10_000 {
		require.Equal(t, "new", ask(fmt.Sprint("prompt number ", i, ".")))
	}
	require.Equal(t, "hit", ask("prompt number 9999."))
	require.Equal(t, "new", ask("first"), "forgotten (R15)")
}

func TestTemplateTokensAreThoseOfWhatStoodInThePromptBefore(t *testing.T) {
	const line = "Answer in one short sentence, and in plain words." // 12 tokens by the rule of this mock
	for name, c := range map[string]struct {
		system, text string
		want         int
	}{
		"nothing twice":            {"You are terse.", "Why is the sky blue?", 0},
		"a line twice":             {line + "\n" + line, "Why?", tokensOf("\n" + line)},
		"a line three times":       {line + "\n" + line, line, tokensOf("\n"+line) + tokensOf(line)},
		"a sentence twice":         {"One moon. Two tides. One moon.", "Why?", tokensOf(" One moon.")},
		"white space aside":        {"One moon.  \n\n  One moon. ", "Why?", tokensOf("  \n\n  One moon.")},
		"another spelling":         {"One moon. one moon.", "Why?", 0},
		"in system and in message": {line, line, tokensOf(line)},
		"no sentence, a number":    {"It is 3.5 m. It is 3.7 m.", "Why?", 0},
		"Chinese":                  {"月亮。潮汐。月亮。", "Why?", tokensOf("月亮。")},
		"no end":                   {"and so on", "and so on", tokensOf("and so on")},
	} {
		g := playing(t, quick+all+"facts: {n: template_tokens}\n")
		require.Equal(t, c.want, g.fact("template_tokens", prompted(c.system), saying(c.text)), name)
	}
}

func TestAPromptOf2048TokensHas892OfTemplate(t *testing.T) { // CLAIMS.md Z17
	g := playing(t, quick+`
routes:
  - {name: all, profile: quick, usage: {cache_creation_input_tokens: input_tokens - template_tokens}}
`)
	// A line of 223 tokens with its line end, five times: four of them are template.
	line := "Note" + strings.Repeat(" so", 221)
	require.Equal(t, 223, tokensOf("\n"+line))
	system := line + strings.Repeat("\n"+line, 4)
	rest := 2048 - g.query(prompted(system), saying("Why")).Request.InputTokens
	question := "Why" + strings.Repeat(" why", rest)
	q := g.query(prompted(system), saying(question))
	require.Equal(t, 2048, q.Request.InputTokens)
	d := g.Decide(q)
	require.Equal(t, 892, d.Facts()["template_tokens"])
	require.Equal(t, 2048, d.Timeline.Message.Usage.Input)
	require.Equal(t, 1156, d.Timeline.Message.Usage.CacheCreation)
}

func TestThePiecesTokensAddUpToTheTexts(t *testing.T) {
	// Each prompt said twice: the second time, all of it is template.
	for _, text := range []string{
		"One moon. Two tides! Three?\n\nAnd so on...\r\n  - a list\n\t- of things", "a.b c. d", "月亮。潮汐！ok", " leading", "trailing. ", "…",
	} {
		g := playing(t, quick+all+"facts: {n: template_tokens}\n")
		want := tokensOf(strings.TrimRight(text, " "))
		require.Equal(t, want, g.fact("template_tokens", prompted(text), saying(text)), "%q", text)
	}
}

func TestAPromptOfManyPiecesLeavesNothingBehind(t *testing.T) {
	g := playing(t, quick+all+"facts: {n: template_tokens}\n")
	var many strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&many, "line %d\n", i)
	}
	require.Equal(t, 0, g.fact("template_tokens", saying(many.String())))
	require.Equal(t, 0, g.fact("template_tokens", saying("line 7")))
}
