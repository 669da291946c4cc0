package journal

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Query says which entries are meant; a field that is zero says nothing. The same words in a URL are
// read by [ParseQuery].
type Query struct {
	Scenario, Run, Route string
	Mark                 string // a mark that the entry carries
	Model                string // as the request asked for it
	Status               int
	// StatusFrom and StatusTo bound the status, both included.
	StatusFrom, StatusTo int
	Outcome              Outcome
	Phase                Phase
	Method               string
	Path                 string // as it was sent, or without the base that names scenario and run
	Client, Key          string // fingerprints, as the entry has them
	Connection           uint64
	Attempt              int
	// ArrivedFrom and ArrivedTo bound the arrival, on the run's clock: from the first on, before the second.
	ArrivedFrom, ArrivedTo time.Time
	After                  uint64 // only younger entries: those with a higher sequence

	// What the request says. Tool is the name of one that it offers; Text is part of its last user turn.
	System, Tool, Text string

	// Where is asked last, with a copy of each entry that fits the rest. It is dearer than all others.
	Where func(Entry) bool
}

// Values are the query's words in a URL. Where has none.
func (q Query) Values() url.Values {
	v := url.Values{}
	for _, t := range q.terms() {
		if t.name != nameWhere {
			v.Set(t.name, t.want)
		}
	}
	return v
}

// String is the query as a reader wants it: run=t1 status=429. The empty one is "any request".
func (q Query) String() string {
	var words []string
	for _, t := range q.terms() {
		words = append(words, t.name+"="+t.want)
	}
	if len(words) == 0 {
		return "any request"
	}
	return strings.Join(words, " ")
}

const nameWhere = "where"

// term is one condition of a query.
type term struct {
	name, want string
	holds      func(*view) bool
	is         func(*view) string // what the entry has instead
}

// same is the term of a text that must be equal.
func same(name, want string, is func(*view) string) term {
	return term{name, want, func(v *view) bool { return is(v) == want }, is}
}

// terms are the query's conditions, the cheap ones first.
func (q Query) terms() []term {
	var all []term
	text := func(name, want string, is func(*view) string) {
		if want != "" {
			all = append(all, same(name, want, is))
		}
	}
	text("scenario", q.Scenario, func(v *view) string { return v.arrival.Scenario })
	text("run", q.Run, func(v *view) string { return v.arrival.Run })
	text("method", q.Method, func(v *view) string { return v.arrival.Method })
	text("client", q.Client, func(v *view) string { return v.arrival.Client })
	text("key", q.Key, func(v *view) string { return v.arrival.Key })
	text("route", q.Route, (*view).route)
	text("outcome", string(q.Outcome), func(v *view) string { return string(v.outcome) })
	text("phase", string(q.Phase), func(v *view) string { return string(v.phase) })
	if q.Path != "" {
		all = append(all, term{"path", q.Path, func(v *view) bool {
			return v.arrival.Path == q.Path || below(v.arrival.Path) == q.Path
		}, func(v *view) string { return v.arrival.Path }})
	}
	all = append(all, q.numbers()...)
	if q.Mark != "" {
		all = append(all, term{"mark", q.Mark, func(v *view) bool { return v.marked(q.Mark) }, func(v *view) string { return listed(set(v.marks())) }})
	}
	all = append(all, q.contents()...)
	if q.Where != nil {
		all = append(all, term{nameWhere, "(a function)", func(v *view) bool { return q.Where(v.record.entry()) }, func(*view) string { return "false" }})
	}
	return all
}

// numbers are the conditions on what is counted or timed.
func (q Query) numbers() []term {
	var all []term
	status := func(v *view) string { return strconv.Itoa(v.status()) }
	if q.Status != 0 {
		all = append(all, term{"status", strconv.Itoa(q.Status), func(v *view) bool { return v.status() == q.Status }, status})
	}
	if q.ranged() {
		all = append(all, term{"status", q.statusRange(), func(v *view) bool { return q.inRange(v.status()) }, status})
	}
	if q.Attempt != 0 {
		all = append(all, term{"attempt", strconv.Itoa(q.Attempt), func(v *view) bool { return v.attempt == q.Attempt },
			func(v *view) string { return strconv.Itoa(v.attempt) }})
	}
	if q.Connection != 0 {
		all = append(all, term{"connection", strconv.FormatUint(q.Connection, 10), func(v *view) bool { return v.arrival.Connection == q.Connection },
			func(v *view) string { return strconv.FormatUint(v.arrival.Connection, 10) }})
	}
	if q.After != 0 {
		all = append(all, term{"after", strconv.FormatUint(q.After, 10), func(v *view) bool { return v.record.sequence > q.After },
			func(v *view) string { return strconv.FormatUint(v.record.sequence, 10) }})
	}
	arrived := func(v *view) string { return v.arrival.Arrived.Format(time.RFC3339Nano) }
	if !q.ArrivedFrom.IsZero() {
		all = append(all, term{"from", q.ArrivedFrom.Format(time.RFC3339Nano), func(v *view) bool { return !v.arrival.Arrived.Before(q.ArrivedFrom) }, arrived})
	}
	if !q.ArrivedTo.IsZero() {
		all = append(all, term{"to", q.ArrivedTo.Format(time.RFC3339Nano), func(v *view) bool { return v.arrival.Arrived.Before(q.ArrivedTo) }, arrived})
	}
	return all
}

// The bounds of a status when only the other is given.
const (
	leastStatus = 100
	mostStatus  = 999
)

func (q Query) ranged() bool { return q.StatusFrom != 0 || q.StatusTo != 0 }

func (q Query) inRange(status int) bool {
	return status != 0 && status >= q.StatusFrom && (q.StatusTo == 0 || status <= q.StatusTo)
}

func (q Query) statusRange() string {
	from, to := q.StatusFrom, q.StatusTo
	if from == 0 {
		from = leastStatus
	}
	if to == 0 {
		to = mostStatus
	}
	return strconv.Itoa(from) + "-" + strconv.Itoa(to)
}

// below is the path under the base that names a scenario or a run.
func below(path string) string {
	for _, base := range [...]string{"/scenarios/", "/runs/"} {
		if rest, ok := strings.CutPrefix(path, base); ok {
			if _, after, found := strings.Cut(rest, "/"); found {
				path = "/" + after
			}
		}
	}
	return path
}

// set are the names of the marks that are.
func set(marks map[string]bool) []string {
	var names []string
	for name, is := range marks {
		if is {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// listed is how a miss shows a list.
func listed(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}
