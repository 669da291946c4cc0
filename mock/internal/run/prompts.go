package run

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// prompts are the prompts that the run has answered, the last 10,000 of them (R15). A prompt is the
// model as it was sent, the tools' names, the system text and the messages' contents. One whose
// images or documents can't be compared by their text counts by its whole body.
type prompts struct {
	exact *lru.Cache[uint64, int]      // a prompt's tokens, by its hash
	loose *lru.Cache[uint64, struct{}] // by its hash without white space; nil: nobody asks
	hash  promptHash
	// ends are the hashes of the prompt under decision at the end of each message, the whole last.
	ends []uint64
	same uint64 // its hash without white space
}

// seen is what is known about a prompt: the tokens of the longest earlier one that it begins with,
// and whether it differs from an earlier one in white space alone (CLAIMS.md Z18).
type seen struct {
	tokens int
	near   bool
}

func newPrompts(near bool) *prompts {
	p := &prompts{exact: must(lru.New[uint64, int](remembered))}
	if near {
		p.loose = must(lru.New[uint64, struct{}](remembered))
	}
	return p
}

func (p *prompts) look(r *wire.Request) (s seen) {
	p.ends = p.hash.prefixes(p.ends[:0], r)
	whole := len(p.ends) - 1
	at, known := whole, false
	for ; at >= 0 && !known; at-- {
		s.tokens, known = p.exact.Get(p.ends[at])
	}
	s.tokens = min(s.tokens, r.InputTokens)
	if p.loose != nil {
		p.same = p.hash.loose(r)
		equal := known && at == whole-1
		s.near = !equal && p.loose.Contains(p.same)
	}
	return s
}

// keep remembers the prompt that look has seen.
func (p *prompts) keep(r *wire.Request) {
	if len(p.ends) == 0 {
		return
	}
	p.exact.Add(p.ends[len(p.ends)-1], r.InputTokens)
	if p.loose != nil {
		p.loose.Add(p.same, struct{}{})
	}
}

// promptHash hashes prompts. Parts are told apart by a byte that no text has.
type promptHash struct {
	digest xxhash.Digest
	bare   bool // leave white space out
}

func (h *promptHash) part(text string) {
	if h.bare {
		for text != "" {
			n := strings.IndexFunc(text, unicode.IsSpace)
			if n < 0 {
				n = len(text)
			}
			_, _ = h.digest.WriteString(text[:n]) // never fails
			text = strings.TrimLeftFunc(text[n:], unicode.IsSpace)
		}
	} else {
		_, _ = h.digest.WriteString(text)
	}
	_, _ = h.digest.WriteString("\xff")
}

// prefixes appends the hash at the end of each message.
func (h *promptHash) prefixes(ends []uint64, r *wire.Request) []uint64 {
	h.bare = false
	h.begin(r)
	for i := range r.Messages {
		h.turn(&r.Messages[i])
		ends = append(ends, h.digest.Sum64())
	}
	return ends
}

func (h *promptHash) loose(r *wire.Request) uint64 {
	h.bare = true
	h.begin(r)
	for i := range r.Messages {
		h.turn(&r.Messages[i])
	}
	return h.digest.Sum64()
}

func (h *promptHash) begin(r *wire.Request) {
	h.digest.Reset()
	if r.Blocks.Image+r.Blocks.Document > 0 {
		var identity [8]byte
		for i := range identity {
			identity[i] = byte(r.Identity >> (8 * i))
		}
		_, _ = h.digest.Write(identity[:])
	}
	h.part(r.Model)
	for _, tool := range r.Tools {
		h.part(tool.Name)
	}
	h.part(r.System)
}

func (h *promptHash) turn(t *wire.Turn) {
	h.part(t.Role)
	for i := range t.Content {
		c := &t.Content[i]
		h.part(c.Type)
		h.part(c.Text)
		h.part(c.ID)
		h.part(c.Name)
		h.part(c.Input)
	}
}

// templates counts what repeats within one prompt. Of the system text and the messages' text
// blocks, cut into pieces at line ends and after the sentences' marks, a piece is template when the
// same stood in the prompt before, white space around it aside: each counts but for its first time
// (CLAIMS.md Z17).
type templates struct{ before map[string]struct{} }

// mostPieces bounds the memory that is kept from one request to the next.
const mostPieces = 10_000

func (t *templates) tokens(r *wire.Request) int {
	if t.before == nil || len(t.before) > mostPieces {
		t.before = map[string]struct{}{}
	}
	clear(t.before)
	n := t.text(r.System)
	for i := range r.Messages {
		for j := range r.Messages[i].Content {
			if c := &r.Messages[i].Content[j]; c.Type == "text" {
				n += t.text(c.Text)
			}
		}
	}
	return n
}

func (t *templates) text(s string) (tokens int) {
	for s != "" {
		n := pieceLen(s)
		piece := strings.TrimSpace(s[:n])
		if _, again := t.before[piece]; again {
			tokens += wire.CountTokens(s[:n])
		} else if piece != "" {
			t.before[piece] = struct{}{}
		}
		s = s[n:]
	}
	return tokens
}

// pieceLen is the length of the piece that s begins with: white space, then all up to a line end or
// to the end of a sentence. Both are ends of tokens, so the pieces' tokens add up to the text's.
func pieceLen(s string) int {
	i := len(s) - len(strings.TrimLeft(s, " \t\r\n"))
	for i < len(s) {
		switch c := s[i]; {
		case c == '\n' || c == '\r':
			return i
		case c == '.' || c == '!' || c == '?':
			if i++; i == len(s) || strings.IndexByte(" \t\r\n", s[i]) >= 0 {
				return i
			}
		case c < utf8.RuneSelf:
			i++
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			i += size
			if r == '。' || r == '！' || r == '？' {
				return i
			}
		}
	}
	return i
}
