package run

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// memory is what the run's earlier requests were, and what follows from that for this one. What no
// expression of the scenario reads is neither kept nor worked out; what is kept is bounded (R15).
type memory struct {
	clients *lru.Cache[string, lastAsked] // by client
	systems *lru.Cache[string, streak]    // by client: how often in a row a system prompt came
	prompts *prompts
	lines   *templates
	skewed  bool

	// Of the request under decision.
	last       lastAsked
	repeats    int // of its system prompt
	prompt     seen
	template   int
	skew       time.Duration
	complaints []string
}

type lastAsked struct {
	arrived time.Time
	status  int
}

func newMemory(s *scenario.Scenario) *memory {
	m := &memory{skewed: s.Uses("skew_ms")}
	if s.Uses("last_status") || s.Uses("since_last_ms") {
		m.clients = must(lru.New[string, lastAsked](remembered))
	}
	if s.Uses("repeats_of.system") {
		m.systems = must(lru.New[string, streak](remembered))
	}
	if s.Uses("cache") {
		m.prompts = newPrompts(s.Uses("cache.near"))
	}
	if s.Uses("template_tokens") {
		m.lines = &templates{}
	}
	return m
}

// look works out what the facts will say about a request.
func (m *memory) look(q *Query) {
	if m.clients != nil {
		m.last, _ = m.clients.Get(q.Client)
	}
	if m.systems != nil {
		m.repeats = 1
		if s, ok := m.systems.Get(q.Client); ok && s.identity == xxhash.Sum64String(q.Request.System) {
			m.repeats = s.length
			if retried, _ := retries(q); retried == 0 {
				m.repeats++
			}
		}
	}
	if m.prompts != nil {
		m.prompt = m.prompts.look(q.Request)
	}
	if m.lines != nil {
		m.template = m.lines.tokens(q.Request)
	}
	if m.skewed {
		m.complaints = m.complaints[:0]
		m.skew = m.skewOf(q)
	}
}

// keep remembers the request. Refused ones and retries lengthen no streak, and refused ones leave
// no prompt behind (R13, R27).
func (m *memory) keep(q *Query, status int) {
	refused := status >= http.StatusBadRequest
	if m.clients != nil {
		m.clients.Add(q.Client, lastAsked{q.Arrived, status})
	}
	if m.systems != nil && !refused {
		if retried, _ := retries(q); retried == 0 {
			m.systems.Add(q.Client, streak{xxhash.Sum64String(q.Request.System), m.repeats})
		}
	}
	if m.prompts != nil && !refused {
		m.prompts.keep(q.Request)
	}
}

func (m *memory) reading(name string) func(*Query, *Snapshot) any {
	switch name {
	case "last_status":
		return func(*Query, *Snapshot) any { return m.last.status }
	case "since_last_ms":
		return func(q *Query, _ *Snapshot) any {
			if m.last.status == 0 {
				return 0.0
			}
			return milliseconds(max(q.Arrived.Sub(m.last.arrived), 0))
		}
	case "repeats_of.system":
		return func(*Query, *Snapshot) any { return m.repeats }
	case "cache.read_tokens":
		return func(*Query, *Snapshot) any { return m.prompt.tokens }
	case "cache.near":
		return func(*Query, *Snapshot) any { return m.prompt.near }
	case "template_tokens":
		return func(*Query, *Snapshot) any { return m.template }
	case "arrived_unix_ns":
		return func(q *Query, _ *Snapshot) any { return int(q.Arrived.UnixNano()) }
	case "skew_ms":
		return func(*Query, *Snapshot) any { return milliseconds(m.skew) }
	case "sdk.language":
		return func(q *Query, _ *Snapshot) any { language, _ := sdk(q.Header); return language }
	case "sdk.version":
		return func(q *Query, _ *Snapshot) any { _, version := sdk(q.Header); return version }
	}
	return nil
}

// skewOf is how far the client's clock is from ours (CLAIMS.md O19), or 0 when it doesn't say.
func (m *memory) skewOf(q *Query) time.Duration {
	told := first(q.Header, "X-Request-Timestamp")
	if told == "" {
		return 0
	}
	at, ok := timestamp(told)
	if !ok {
		m.complaints = append(m.complaints, fmt.Sprintf("X-Request-Timestamp: %.40q is no time that can be read: Unix seconds or milliseconds, RFC 3339, an HTTP date", told))
		return 0
	}
	return q.Arrived.Sub(at).Abs()
}

var unixTime = regexp.MustCompile(`^([0-9]{1,15})(?:\.([0-9]{1,9}))?$`)

// timestamp reads Unix seconds, or milliseconds from 12 digits on; RFC 3339; or an HTTP date, which
// has whole seconds (CLAIMS.md C24).
func timestamp(told string) (time.Time, bool) {
	told = strings.TrimSpace(told)
	if m := unixTime.FindStringSubmatch(told); m != nil {
		whole, _ := strconv.ParseInt(m[1], 10, 64)
		part, _ := strconv.ParseInt(m[2]+strings.Repeat("0", 9-len(m[2])), 10, 64)
		if len(m[1]) >= 12 {
			return time.UnixMilli(whole).Add(time.Duration(part / 1000)), true
		}
		return time.Unix(whole, part), true
	}
	if at, err := time.Parse(time.RFC3339, told); err == nil {
		return at, true
	}
	at, err := http.ParseTime(told)
	return at, err == nil
}

var sdkAgent = regexp.MustCompile(`^(?:Async)?Anthropic[A-Za-z]*/([A-Za-z#]+) v?([0-9][0-9A-Za-z.+-]*)`)

// sdk is the language, in small letters, and the version that the client's SDK gives, in its own
// headers or else in the User-Agent.
func sdk(h http.Header) (language, version string) {
	language, version = first(h, "X-Stainless-Lang"), first(h, "X-Stainless-Package-Version")
	if agent := first(h, "User-Agent"); agent != "" && (language == "" || version == "") {
		if m := sdkAgent.FindStringSubmatch(agent); m != nil {
			language, version = m[1], m[2]
		}
	}
	return strings.ToLower(language), version
}
