package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// absent, as a value in a fragment, takes the member away.
const absent = `"(absent)"`

// bodyWith is a good body with the members of a fragment set or taken away.
func bodyWith(t testing.TB, fragment string) []byte {
	t.Helper()
	const good = `{"model":"acme","max_tokens":4096,"messages":[{"role":"user","content":"hi"}]}`
	var ps parsers
	base, err := ps.parse([]byte(good))
	require.NoError(t, err)
	edits, err := ps.parse([]byte(`{` + fragment + `}`))
	require.NoError(t, err, fragment)
	for _, edit := range edits.items {
		kept := base.items[:0:0]
		for _, m := range base.items {
			if m.Name != edit.Name {
				kept = append(kept, m)
			}
		}
		if string(edit.Value.Append(nil)) != absent {
			kept = append(kept, edit)
		}
		base.items = kept
	}
	return base.Append(nil)
}

// faultCase is a fragment of a body and the whole message that it causes; "" for none.
type faultCase struct{ fragment, message string }

func requireFaults(t *testing.T, o ReadOptions, cases []faultCase) {
	t.Helper()
	r := NewReader()
	for _, c := range cases {
		_, problem := r.Read(bodyWith(t, c.fragment), o)
		if c.message == "" {
			require.Nil(t, problem, "%s", c.fragment)
			continue
		}
		require.NotNil(t, problem, "%s should be refused", c.fragment)
		require.Equal(t, c.message, problem.Message, "%s", c.fragment)
		require.Equal(t, 400, problem.Status)
		require.Equal(t, "invalid_request_error", problem.Type)
	}
}

// spot is a rule of the table with the path by which faults name it, and a good value for it
// inside of a whole body.
type spot struct {
	path string
	rule *rule
	body func(value string) string
}

// spots walks the whole table, along every field, element and variant.
func spots(at spot, visit func(spot)) {
	visit(at)
	r := at.rule
	switch r.shape {
	case anObject:
		for i := range r.fields {
			f := &r.fields[i]
			spots(spot{join(at.path, f.name), f.rule, func(value string) string {
				return at.body(sampleObject(r, f.name, value))
			}}, visit)
		}
	case anArray:
		spots(spot{join(at.path, "0"), r.of, func(value string) string { return at.body(`[` + value + `]`) }}, visit)
	case aTextOr:
		spots(spot{at.path, r.of, at.body}, visit)
	case aUnion:
		for _, v := range r.variants {
			spots(spot{join(at.path, v.tag), v.rule, func(value string) string {
				return at.body(strings.Replace(value, `{`, `{"type":"`+v.tag+`",`, 1))
			}}, visit)
		}
	}
}

func join(path, step string) string {
	if path == "" {
		return step
	}
	return path + "." + step
}

// sampleObject is an object with its required fields and the one named.
func sampleObject(r *rule, name, value string) string {
	var members []string
	for _, f := range r.fields {
		switch {
		case f.name == name:
			members = append(members, `"`+name+`":`+value)
		case f.required:
			members = append(members, `"`+f.name+`":`+sample(f.rule))
		}
	}
	return `{` + strings.Join(members, ",") + `}`
}

// sample is a value that a rule takes.
func sample(r *rule) string {
	switch r.shape {
	case aText, aTextOr:
		if r.pattern != nil && !r.pattern.MatchString("user") {
			return `"srvtoolu_1"`
		}
		return `"user"`
	case aWhole:
		return `1024`
	case aNumber:
		return `1`
	case aBoolean:
		return `true`
	case aChoice:
		return `"` + r.choices[0] + `"`
	case anObject:
		return sampleObject(r, "", "")
	case anArray:
		if r.least > 0 {
			return `[` + sample(r.of) + `]`
		}
		return `[]`
	case aUnion:
		v := r.variants[0]
		return strings.Replace(sample(v.rule), `{`, `{"type":"`+v.tag+`",`, 1)
	}
	return `{}`
}

func wholeTable(version string, visit func(spot)) {
	r := NewReader()
	spots(spot{"", r.rules(ReadOptions{Version: version}), func(value string) string { return value }}, visit)
}

func faultText(t *testing.T, r *Reader, body, version string) string {
	t.Helper()
	betas := []string{"task-budgets-2026-03-13", "thinking-display-updates-2026-08-18", "structured-outputs-2025-11-13",
		"context-management-2025-06-27", "mcp-client-2025-11-20", "compact-2026-09-04", "server-side-fallback-2026-07-01",
		"fallback-credit-2026-07-01", "message-threads-2026-08-12", "user-profiles-billing-2026-10-01",
		"advisor-tool-2026-03-01", "mid-conversation-tool-changes-2026-07-01",
		"mid-conversation-output-config-2026-07-01", "mid-conversation-system-clear-at-2026-08-21", "mcp-client-2026-09-15",
		"computer-use-2024-10-22", "computer-use-2025-01-24", "computer-use-2025-11-24"}
	body = strings.ReplaceAll(body, ",}", "}")
	_, problem := r.Read([]byte(body), ReadOptions{Version: version, Betas: betas})
	if problem == nil {
		return ""
	}
	return problem.Message
}

func TestNullIsRefusedWhereverTheTableDoesNotListIt(t *testing.T) {
	r := NewReader()
	for _, version := range []string{Version2023, Version2026} {
		seen := 0
		wholeTable(version, func(s spot) {
			if s.rule.shape == anything || s.path == "" || strings.HasSuffix(s.path, ".container") {
				return
			}
			if s.rule.shape == anObject && strings.Count(s.path, ".") > 0 && unionMember(s) {
				return // a union's member can't be null apart from the union
			}
			seen++
			got := faultText(t, r, s.body("null"), version)
			if s.rule.nullable {
				require.NotContains(t, got, s.path+": "+s.rule.wrong)
				return
			}
			require.Equal(t, s.path+": "+s.rule.wrong, got)
		})
		require.Greater(t, seen, 300)
	}
}

func unionMember(s spot) bool {
	return len(s.rule.fields) > 0 && s.rule.fields[0].name == "type" && s.rule.fields[0].rule.shape == anything
}

func TestUnknownKeysAreRefusedAtAnyDepth(t *testing.T) {
	r := NewReader()
	seen := 0
	wholeTable(Version2023, func(s spot) {
		if s.rule.shape != anObject {
			return
		}
		body := s.body(sampleObject(s.rule, "", ""))
		with := s.body(strings.Replace(strings.TrimSuffix(sampleObject(s.rule, "", ""), "}")+`,"zzz":1}`, `{,`, `{`, 1))
		require.NotEqual(t, body, with)
		got := faultText(t, r, with, Version2023)
		if s.rule.open {
			require.NotContains(t, got, "zzz")
			return
		}
		seen++
		require.Equal(t, join(s.path, "zzz")+": Extra inputs are not permitted", got)
	})
	require.Greater(t, seen, 80)
}

func TestEveryRequiredFieldIsMissed(t *testing.T) {
	r := NewReader()
	seen := 0
	wholeTable(Version2026, func(s spot) {
		if s.rule.shape != anObject {
			return
		}
		for i := range s.rule.fields {
			if !s.rule.fields[i].required {
				continue
			}
			seen++
			without := *s.rule
			without.fields = append(append([]field(nil), s.rule.fields[:i]...), s.rule.fields[i+1:]...)
			got := faultText(t, r, s.body(sampleObject(&without, "", "")), Version2026)
			require.Equal(t, join(s.path, s.rule.fields[i].name)+": Field required", got)
		}
	})
	require.Greater(t, seen, 100)
}

func TestNoObjectHasMoreFieldsThanAReaderHasRoomFor(t *testing.T) {
	wholeTable(Version2023, func(s spot) { require.LessOrEqual(t, len(s.rule.fields), maxFields, s.path) })
}

func TestARequestWithEverythingInItIsGood(t *testing.T) {
	cache := `"cache_control":{"type":"ephemeral","ttl":"5m"}`
	everything := `"model":"claude-opus-5-5","max_tokens":2048,"stream":true,"metadata":{"user_id":"u"},"service_tier":"auto","speed":"standard",
		"inference_geo":"us","stop_sequences":["END"],"diagnostics":{"previous_message_id":"msg_1"},"container":{"id":"c","skills":[{"skill_id":"pdf","type":"anthropic","version":"latest"}]},
		"output_config":{"effort":"low","format":{"type":"json_schema","schema":{"foo":"bar"}}},"thinking":{"type":"adaptive","display":"summarized"},
		"system":[{"type":"text","text":"Speak.",` + cache + `,"citations":[{"type":"page_location","cited_text":"a","document_index":0,"document_title":"x","start_page_number":1,"end_page_number":2}]}],
		"tool_choice":{"type":"auto","disable_parallel_tool_use":true},
		"tools":[{"type":"custom","name":"weather","description":"d","input_schema":{"type":"object","properties":{"place":{}},"required":["place"]},"strict":false,
			"allowed_callers":["direct"],"defer_loading":true,"eager_input_streaming":true,"input_examples":[{"place":"y"}],` + cache + `},
			{"type":"code_execution_20260521","name":"code_execution"},
			{"type":"web_fetch_20260318","name":"web_fetch","max_uses":1,"max_content_tokens":9,"citations":{"enabled":true},"allowed_domains":["a.b"],"blocked_domains":null,"use_cache":true,"response_inclusion":"full"}],
		"messages":[
			{"role":"user","content":[{"type":"text","text":"x"},{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"},"transformations":{"oversized_image":"downsize"}},
				{"type":"document","source":{"type":"file","file_id":"file_1"},"title":"t","context":"c","citations":{"enabled":true}},{"type":"container_upload","file_id":"file_2"}]},
			{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"s"},{"type":"redacted_thinking","data":"d"},
				{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{},"caller":{"type":"direct"}},
				{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]},
				{"type":"tool_use","id":"toolu_1","name":"weather","input":{"place":"z"},"caller":{"type":"direct"},"toolset_name":null}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","is_error":false,"content":[{"type":"text","text":"r"},{"type":"tool_reference","tool_name":"weather"},
				{"type":"search_result","source":"s","title":"t","content":[{"type":"text","text":"q"}]},{"type":"browser_state","tabs":[]}]}]},
			{"role":"system","content":"Mind the time."}]`
	for _, version := range []string{Version2023, Version2026} {
		_, problem := NewReader().Read([]byte("{"+everything+"}"), ReadOptions{Version: version})
		require.Nil(t, problem)
	}
}
