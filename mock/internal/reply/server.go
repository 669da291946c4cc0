package reply

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// The kinds of server tools that the answer runs itself.
const (
	webSearch     = "web_search"
	webFetch      = "web_fetch"
	codeExecution = "code_execution"
)

func serverKind(t wire.Tool) string {
	for _, kind := range [...]string{webSearch, webFetch, codeExecution} {
		if strings.HasPrefix(t.Type, kind+"_") {
			return kind
		}
	}
	return ""
}

// serverTool is the kind of the server tool of this name, "" for a tool of the client's.
func (c *composer) serverTool(name string) string {
	for _, t := range c.Request.Tools {
		if t.Name == name {
			return serverKind(t)
		}
	}
	switch name { // one that the scenario calls though it isn't offered
	case webSearch, webFetch, codeExecution:
		return name
	}
	return ""
}

var address = regexp.MustCompile(`https?://[^\s"'<>)\]]+`)

// serve adds a server tool's call with its result, and returns what the text behind it may cite.
func (c *composer) serve(kind string, call scenario.ToolCall) []wire.Citation {
	id := wire.ServerToolUseID(c.chance(), c.chance())
	input := func(made map[string]any) string {
		if call.Input != "" && call.Input != "{}" {
			return call.Input
		}
		text := marshal(made)
		return strings.Replace(text, `":`, `": `, 1)
	}
	switch kind {
	case webSearch:
		c.call("server_tool_use", id, webSearch, input(map[string]any{"query": c.question()}))
		return c.searched(id)
	case webFetch:
		url := address.FindString(c.Request.LastUserText())
		if url == "" {
			url = "https://" + c.host() + "/"
		}
		c.call("server_tool_use", id, webFetch, input(map[string]any{"url": url}))
		c.fetched(id, url)
		return nil
	}
	if c.bash() {
		c.call("server_tool_use", id, "bash_code_execution", input(map[string]any{"command": "echo done"}))
		c.result("bash_code_execution_tool_result", id, false, map[string]any{
			"type": "bash_code_execution_result", "stdout": "done\n", "stderr": "", "return_code": 0, "content": []any{},
		})
		return nil
	}
	c.call("server_tool_use", id, codeExecution, input(map[string]any{"code": "print('done')"}))
	c.result("code_execution_tool_result", id, false, map[string]any{
		"type": "code_execution_result", "stdout": "done\n", "stderr": "", "return_code": 0, "content": []any{},
	})
	return nil
}

// bash reports whether the code tool is one of those that run commands, not Python alone.
func (c *composer) bash() bool {
	for _, t := range c.Request.Tools {
		if serverKind(t) == codeExecution {
			return t.Type != "code_execution_20250522"
		}
	}
	return true
}

func (c *composer) searched(id string) []wire.Citation {
	const results = 3
	var list []any
	var cited wire.Citation
	host := c.host()
	for i := range results {
		title, url := c.words(4), "https://"+host+"/"+c.maker().word()
		list = append(list, map[string]any{
			"type": "web_search_result", "url": url, "title": title, "encrypted_content": wire.Redacted(c.chance()), "page_age": nil,
		})
		if i == 0 {
			cited = wire.Citation{Type: "web_search_result_location", Cited: c.words(12), Title: title, Source: url, Encrypted: wire.Redacted(c.chance())}
		}
	}
	if c.result("web_search_tool_result", id, true, list) {
		c.out.Searches++
	}
	return []wire.Citation{cited}
}

func (c *composer) fetched(id, url string) {
	ok := c.result("web_fetch_tool_result", id, true, map[string]any{
		"type": "web_fetch_result", "url": url, "retrieved_at": nil,
		"content": map[string]any{
			"type": "document", "title": c.words(4), "citations": nil,
			"source": map[string]any{"type": "text", "media_type": "text/plain", "data": c.words(40)},
		},
	})
	if ok {
		c.out.Fetches++
	}
}

// result adds a server tool's result and reports whether there was room for it.
func (c *composer) result(kind, id string, caller bool, content any) bool {
	if c.done {
		return false
	}
	raw := `{"type":` + marshal(kind) + `,"tool_use_id":` + marshal(id) + `,"content":` + marshal(content)
	if caller && c.Request.Answering.Generation == wire.Newer {
		raw += `,"caller":{"type":"direct"}`
	}
	c.add(wire.Block{Type: kind, Raw: []byte(raw + "}")})
	c.out.ServerTools = true
	return true
}

// host is one that the web tool may reach.
func (c *composer) host() string {
	for i, t := range c.Request.Tools {
		if kind := serverKind(t); kind == webSearch || kind == webFetch {
			if allowed := elements(c.tool(i).Get("allowed_domains")); len(allowed) > 0 {
				domain, _, _ := strings.Cut(allowed[0].Text(), "/")
				return domain
			}
		}
	}
	return "example.com"
}

// question is what to search for: the prompt's first words.
func (c *composer) question() string {
	if q := opening(c.Request.LastUserText(), 80); q != "" {
		return q
	}
	return c.words(4)
}

func marshal(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // texts, numbers and maps of them can always be written
	return strings.TrimSuffix(b.String(), "\n")
}
