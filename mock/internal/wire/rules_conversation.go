package wire

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// conversationRules are the rules about messages as a whole, in the order in which they are
// applied once every field is good.
func conversationRules() []func(*scope) *fault {
	return []func(*scope) *fault{
		usersSaySomething,
		textsAreNotBlank,
		prefillIsTrimmed,
		prefillIsTaken,
		blocksSuitRoles,
		toolsAreAnswered,
		systemTurnsHaveText,
		systemTurnsStandRight,
		systemTextsAreNotBlank,
		fewCacheMarks,
		longCacheMarksFirst,
	}
}

func (s *scope) turns() []Member { return s.body.Get("messages").Members() }

func roleOf(m *Member) string    { return m.Value.Get("role").Text() }
func contentOf(m *Member) *Value { return m.Value.Get("content") }

// isEmpty says whether a content is [] or "".
func isEmpty(content *Value) bool {
	return content.Kind() == String && content.text == "" || content.Kind() == Array && len(content.items) == 0
}

func inTurn(i int, text string) *fault {
	return wrong(text).in(fmt.Sprintf("messages.%d", i))
}

// runs calls visit with the bounds of each run of turns of one role: the API merges such turns.
func runs(turns []Member, visit func(role string, from, to int) *fault) *fault {
	for from := 0; from < len(turns); {
		role, to := roleOf(&turns[from]), from+1
		for to < len(turns) && roleOf(&turns[to]) == role {
			to++
		}
		if f := visit(role, from, to); f != nil {
			return f
		}
		from = to
	}
	return nil
}

func usersSaySomething(s *scope) *fault {
	turns := s.turns()
	return runs(turns, func(role string, from, to int) *fault {
		if role != "user" || slices.ContainsFunc(turns[from:to], func(m Member) bool { return !isEmpty(contentOf(&m)) }) {
			return nil
		}
		return inTurn(from, "user messages must have non-empty content")
	})
}

func textsAreNotBlank(s *scope) *fault {
	turns := s.turns()
	for i := range turns {
		if content := contentOf(&turns[i]); roleOf(&turns[i]) != "system" && !isEmpty(content) && isBlank(content) {
			return wrong("text content blocks must contain non-whitespace text").in("messages")
		}
	}
	return nil
}

// isBlank says whether a content is text only, and all of it white space.
func isBlank(content *Value) bool {
	if content.Kind() == String {
		return blank(content.text)
	}
	for i := range content.Members() {
		block := &content.items[i].Value
		if block.Get("type").Text() != "text" || !blank(block.Get("text").Text()) {
			return false
		}
	}
	return true
}

// lastText returns the text with which the last turn ends, when it is the assistant's. A turn that
// paused on a server's tool and is sent back to go on (stop reason pause_turn) is no prefill.
func (s *scope) lastText() (text string, prefill bool) {
	turns := s.turns()
	if len(turns) == 0 || roleOf(&turns[len(turns)-1]) != "assistant" {
		return "", false
	}
	content := contentOf(&turns[len(turns)-1])
	if blocks := content.Members(); len(blocks) > 0 {
		last := blocks[len(blocks)-1].Value
		kind := last.Get("type").Text()
		paused := kind == "server_tool_use" || strings.HasSuffix(kind, "_tool_result")
		return last.Get("text").Text(), !paused
	}
	return content.Text(), true
}

func prefillIsTrimmed(s *scope) *fault {
	text, _ := s.lastText()
	if r, _ := utf8.DecodeLastRuneInString(text); text != "" && unicode.IsSpace(r) {
		return wrong("final assistant content cannot end with trailing whitespace").in("messages")
	}
	return nil
}

func prefillIsTaken(s *scope) *fault {
	if _, prefill := s.lastText(); prefill && s.refuses(noPrefill) {
		return wrongRequest("This model does not support assistant message prefill. The conversation must end with a user message.")
	}
	return nil
}

// blocksSuitRoles has the API's words for tool_use and tool_result; those for images and for the
// two things that 2026-10-21 forbids are ours, after their pattern.
func blocksSuitRoles(s *scope) *fault {
	turns := s.turns()
	for i := range turns {
		role := roleOf(&turns[i])
		for j := range contentOf(&turns[i]).Members() {
			block := &contentOf(&turns[i]).items[j].Value
			kind := block.Get("type").Text()
			switch {
			case role == "system":
			case kind == "tool_use" && role != "assistant":
				return inTurn(i, "`tool_use` blocks can only be in `assistant` messages")
			case kind == "tool_result" && role != "user":
				return inTurn(i, "`tool_result` blocks can only be in `user` messages")
			case kind == "image" && role != "user":
				return inTurn(i, "`image` blocks can only be in `user` messages")
			case s.Version != Version2026:
			case kind == "document" && role != "user":
				return inTurn(i, "`document` blocks can only be in `user` messages")
			case kind == "text" && role == "user" && len(block.Get("citations").Members()) > 0:
				return wrong("Extra inputs are not permitted").in(fmt.Sprintf("messages.%d.content.%d.text.citations", i, j))
			}
		}
	}
	return nil
}

// toolsAreAnswered wants each run of the assistant's turns followed by a run of user turns that
// holds a result for each of its tool_use blocks and for no other.
func toolsAreAnswered(s *scope) *fault {
	turns := s.turns()
	var called []string // by the run before
	return runs(turns, func(role string, from, to int) *fault {
		if role == "assistant" {
			next := to
			for next < len(turns) && roleOf(&turns[next]) == "user" {
				next++
			}
			called = idsIn(turns[from:to], "tool_use", "id")
			return unanswered(turns, from, to, idsIn(turns[to:next], "tool_result", "tool_use_id"))
		}
		if f := uncalled(turns, from, to, called); f != nil {
			return f
		}
		called = nil
		return nil
	})
}

func idsIn(turns []Member, kind, key string) []string {
	var ids []string
	for i := range turns {
		for j := range contentOf(&turns[i]).Members() {
			if block := &contentOf(&turns[i]).items[j].Value; block.Get("type").Text() == kind {
				ids = append(ids, block.Get(key).Text())
			}
		}
	}
	return ids
}

func unanswered(turns []Member, from, to int, results []string) *fault {
	for i := from; i < to; i++ {
		missing := slices.DeleteFunc(idsIn(turns[i:i+1], "tool_use", "id"), func(id string) bool { return slices.Contains(results, id) })
		if len(missing) > 0 {
			return inTurn(i, "`tool_use` ids were found without `tool_result` blocks immediately after: "+strings.Join(missing, ", ")+
				". Each `tool_use` block must have a corresponding `tool_result` block in the next message.")
		}
	}
	return nil
}

func uncalled(turns []Member, from, to int, called []string) *fault {
	for i := from; i < to; i++ {
		for j := range contentOf(&turns[i]).Members() {
			block := &contentOf(&turns[i]).items[j].Value
			id := block.Get("tool_use_id").Text()
			if block.Get("type").Text() == "tool_result" && !slices.Contains(called, id) {
				return wrong("unexpected `tool_use_id` found in `tool_result` blocks: " + id +
					". Each `tool_result` block must have a corresponding `tool_use` block in the previous message.").
					in(fmt.Sprintf("messages.%d.content.%d", i, j))
			}
		}
	}
	return nil
}

func systemTurnsHaveText(s *scope) *fault {
	turns := s.turns()
	for i := range turns {
		if roleOf(&turns[i]) != "system" {
			continue
		}
		content := contentOf(&turns[i])
		if isEmpty(content) && !isDirective(&turns[i]) {
			return inTurn(i, "system content must contain at least one block")
		}
		for j := range content.Members() {
			switch content.items[j].Value.Get("type").Text() {
			case "text", "tool_addition", "tool_removal":
			default:
				return inTurn(i, "role 'system' supports text, tool_addition, and tool_removal blocks only")
			}
		}
	}
	return nil
}

// isDirective says whether a turn of the system's only sets something for the turns to come.
func isDirective(turn *Member) bool {
	return isEmpty(contentOf(turn)) && turn.Value.Get("output_config").Kind() == Object
}

func systemTurnsStandRight(s *scope) *fault {
	const exception = "; the directive-only form (content: [] with output_config) is accepted at any position"
	turns := s.turns()
	return runs(turns, func(role string, from, to int) *fault {
		switch {
		case role != "system":
		case !slices.ContainsFunc(turns[from:to], func(m Member) bool { return !isDirective(&m) }):
		case from == 0:
			return inTurn(0, "use the top-level 'system' parameter for the initial system prompt"+exception)
		case to < len(turns) && roleOf(&turns[to]) != "assistant":
			return inTurn(to-1, "role 'system' must precede an 'assistant' message or end the array"+exception)
		}
		return nil
	})
}

func systemTextsAreNotBlank(s *scope) *fault {
	turns := s.turns()
	for i := range turns {
		if roleOf(&turns[i]) != "system" {
			continue
		}
		content := contentOf(&turns[i])
		bad := content.Kind() == String && blank(content.text) ||
			slices.ContainsFunc(content.Members(), func(m Member) bool { return m.Value.Get("type").Text() == "text" && blank(m.Value.Get("text").Text()) })
		if bad {
			return inTurn(i, "system text blocks must contain non-whitespace text")
		}
	}
	return nil
}

// maxCacheMarks is how many blocks of a request may carry cache_control; the top-level one counts.
const maxCacheMarks = 4

func fewCacheMarks(s *scope) *fault {
	marks := 0
	if s.body.Get("cache_control").Kind() == Object {
		marks = 1
	}
	for _, key := range [...]string{"tools", "system", "messages"} {
		marks += marksIn(s.body.Get(key).Members())
	}
	if marks > maxCacheMarks {
		return wrongRequest(fmt.Sprintf("A maximum of %d blocks with cache_control may be provided. Found %d.", maxCacheMarks, marks))
	}
	return nil
}

// marksIn counts the marks on blocks and in their content.
func marksIn(blocks []Member) (marks int) {
	for i := range blocks {
		v := &blocks[i].Value
		if v.Get("cache_control").Kind() == Object {
			marks++
		}
		marks += marksIn(v.Get("content").Members())
	}
	return marks
}
