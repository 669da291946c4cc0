package run

import (
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// cache is the API's prompt cache: of prompts with cache_control it keeps the marked prefixes, the
// last 10,000 of them (R15). It is not what the facts cache.* tell of, which look at every prompt.
type cache struct {
	scenario.Cache
	kept *lru.Cache[uint64, keptPrefix] // by hash; nil until a prompt has marks
}

type keptPrefix struct {
	until time.Time
	ttl   time.Duration // from its last use
}

// cached is what the cache makes of one prompt.
type cached struct {
	prefixes []wire.Prefix
	read     int // tokens
	hit      int // the prefix that is read; -1: none
	minimum  int
}

const (
	fiveMinutes = 5 * time.Minute
	oneHour     = time.Hour
	// lookback is how many blocks before a mark an earlier prompt may have ended, to be found.
	lookback = 20
)

// look finds the longest prefix that is kept. It changes nothing but the order in which prefixes
// are forgotten.
func (c *cache) look(q *Query) cached {
	found := cached{hit: -1}
	if c.Off || len(q.Request.Prefixes) == 0 {
		return found
	}
	found.prefixes = q.Request.Prefixes
	found.minimum = c.Minimum
	if found.minimum < 0 {
		found.minimum = wire.CacheMinimum(q.Request.Answering.ID)
	}
	if c.kept == nil {
		return found
	}
	from := len(found.prefixes) // how far it has been looked already
	for mark := len(found.prefixes) - 1; mark >= 0; mark-- {
		if found.prefixes[mark].Mark == wire.Unmarked {
			continue
		}
		for i := min(mark, from-1); i >= max(0, mark-lookback); i-- {
			if k, ok := c.kept.Get(found.prefixes[i].Hash); ok && k.until.After(q.Arrived) {
				found.hit, found.read = i, found.prefixes[i].Tokens
				return found
			}
			from = i
		}
	}
	return found
}

// usage tells what was read and written, and leaves the rest of the input as it is.
func (f *cached) usage(u *wire.Usage) {
	if f.prefixes == nil {
		return
	}
	u.CacheRead = f.read
	before := f.read
	for i := f.hit + 1; i < len(f.prefixes); i++ {
		p := &f.prefixes[i]
		if p.Mark == wire.Unmarked || p.Tokens < f.minimum {
			continue
		}
		written := p.Tokens - before
		before = p.Tokens
		u.CacheCreation += written
		if p.Mark == wire.OneHour {
			u.CacheCreation1h += written
		} else {
			u.CacheCreation5m += written
		}
	}
	u.Input = max(u.Input-u.CacheRead-u.CacheCreation, 0)
}

// keep writes the marked prefixes and keeps the one that was read for another while.
func (c *cache) keep(f *cached, now time.Time) {
	if f.prefixes == nil {
		return
	}
	if c.kept == nil {
		c.kept = must(lru.New[uint64, keptPrefix](remembered))
	}
	for i := range f.prefixes {
		p := &f.prefixes[i]
		if i != f.hit && (p.Mark == wire.Unmarked || p.Tokens < f.minimum) {
			continue
		}
		ttl := c.ttl(p.Mark)
		if k, ok := c.kept.Peek(p.Hash); ok && k.until.After(now) {
			ttl = max(ttl, k.ttl)
		}
		c.kept.Add(p.Hash, keptPrefix{now.Add(ttl), ttl})
	}
}

func (c *cache) ttl(m wire.Mark) time.Duration {
	switch {
	case m == wire.OneHour:
		return oneHour
	case c.TTL > 0:
		return c.TTL
	}
	return fiveMinutes
}
