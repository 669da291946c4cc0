package journal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

// What conditions find without parsing must be what parsing finds.
func FuzzConditionsAgreeWithTheParsedRequest(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, ``, `{"model":"m"`, `{"model":"a","model":"m"}`, ` { "x" : [1,{"model":"no"}] , "model" : "m" } `,
		`{"mod\u0065l":"\u006d"}`, `{"x":"\\\"","model":"m"}`, `{"model":["m"]}`, `{"model":1e5,"tools":[{"name":"m"}]}`,
		`{"system":[{"type":"text","text":"a"},{"type":"text","text":"b"},{"type":"image","text":"c"}],"tools":[{"name":"t"},{"a":{"name":"x"}},3]}`,
		`{"messages":[{"role":"user","content":"m"},{"role":"assistant","content":"x"}],"n":null,"t":true}`,
		`{"messages":[{"role":"user","content":[{"type":"text","text":"}]\"{"},{"type":"text","text":"m"}]}]}`,
		`{"a":"\`, `{"a"`, `{"a":`, `{"a":[`, `"`, `{"":"m"}`, `{"model" "m"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		j := journal.New(0)
		j.Open(journal.Arrival{}).Read([]byte(body))
		parsed, err := j.Last().Request()
		for _, q := range []journal.Query{{Model: "m"}, {Tool: "m"}, {System: "m"}, {Text: "m"}} {
			j.Count(q) // which may find anything in what isn't JSON, but may not panic
		}
		if err != nil {
			return
		}
		said := func(q journal.Query, want string) {
			if want != "" && !strings.Contains(want, "\ufffd") {
				require.Equal(t, 1, j.Count(q).Seen, fmt.Sprint(q))
			}
		}
		said(journal.Query{Model: parsed.Model}, parsed.Model)
		said(journal.Query{System: parsed.System}, parsed.System)
		said(journal.Query{Text: parsed.LastText}, parsed.LastText)
		for _, tool := range parsed.Tools {
			said(journal.Query{Tool: tool}, tool)
		}
	})
}
