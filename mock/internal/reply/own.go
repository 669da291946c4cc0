package reply

import (
	"strings"
	"sync"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// ownLimit is about how many bytes of scenarios' own texts are kept cut into tokens. A scenario has
// a few of them, of some hundred bytes each.
const ownLimit = 4 << 20

// ownTexts keeps the texts that scenarios give word for word, so that each is cut once. What it
// gives is the same whether it was kept or not.
type ownTexts struct {
	mu    sync.RWMutex // guards what follows
	kept  map[ownKey]text
	bytes int
}

type ownKey struct {
	text   string
	tokens int
}

// of is the text cut into tokens; repeated until it has that many of them, if tokens isn't 0.
func (o *ownTexts) of(s string, tokens int) text {
	key := ownKey{s, tokens}
	o.mu.RLock()
	t, ok := o.kept[key]
	o.mu.RUnlock()
	if ok {
		return t
	}
	for times := 1; wire.CountTokens(s) < tokens; times *= 2 {
		s = key.text + strings.Repeat(blankLine+key.text, times)
	}
	t = tokenized(s)
	o.mu.Lock()
	defer o.mu.Unlock()
	size := len(key.text) + len(t.text) + 4*len(t.ends)
	if o.kept == nil || o.bytes+size > ownLimit {
		o.kept, o.bytes = map[ownKey]text{}, 0
	}
	if size <= ownLimit {
		o.kept[key] = t
		o.bytes += size
	}
	return t
}
