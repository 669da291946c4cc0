package journal

import (
	"iter"
	"slices"
	"time"
)

// Glance is what can be told of a record at next to no cost. What isn't known yet is zero.
type Glance struct {
	Sequence uint64    `json:"sequence"`
	Scenario string    `json:"scenario"`
	Run      string    `json:"run"`
	Path     string    `json:"path"`
	Route    string    `json:"route"`
	Arrived  time.Time `json:"arrived"` // on the run's clock
	Status   int       `json:"status"`
	Outcome  Outcome   `json:"outcome"`
	Phase    Phase     `json:"phase"`
	// TTFT is the offset from arrival at which the first content delta was sent; −1: none was.
	TTFT  time.Duration `json:"ttft_ns"`
	Ended time.Duration `json:"ended_ns"` // offset from arrival; 0 while open
	// Queued is how long the request waited for its slot; −1: its profile has no queue. Released is the
	// offset from arrival at which the slot got free; 0 while it isn't known.
	Queued   time.Duration `json:"queued_ns"`
	Released time.Duration `json:"released_ns"`
}

// Summary is an [Entry] without what is long: its header, body, facts, draws and steps.
type Summary struct {
	Glance
	Ordinal   uint64   `json:"ordinal"`
	RequestID string   `json:"request_id"`
	Method    string   `json:"method"`
	Protocol  string   `json:"protocol"`
	Client    string   `json:"client"`
	Model     string   `json:"model"` // as the request asked for it
	Marks     []string `json:"marks"` // those that are set, sorted
	Attempt   int      `json:"attempt"`
	Stream    bool     `json:"stream"`
	Steps     int      `json:"steps"`
	Bytes     int64    `json:"bytes"`
	// PlannedTTFT and PlannedDuration are as those of an Entry; nil: not planned, or planned never to come.
	PlannedTTFT     *time.Duration `json:"planned_ttft_ns"`
	PlannedDuration *time.Duration `json:"planned_ns"`
}

// Glances looks at the records kept that are younger than a sequence, in order of arrival.
func (j *Journal) Glances(after uint64) iter.Seq[Glance] {
	return func(yield func(Glance) bool) {
		for _, r := range j.younger(after) {
			if !yield(r.glance()) {
				return
			}
		}
	}
}

// GlanceAt looks at one record; ok is false when it isn't kept.
func (j *Journal) GlanceAt(sequence uint64) (g Glance, ok bool) {
	r := j.at(sequence)
	if r == nil {
		return Glance{}, false
	}
	return r.glance(), true
}

// Youngest is the sequence of the request that arrived last, kept or not; 0 before the first.
func (j *Journal) Youngest() uint64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.last
}

// At is the entry of that sequence; ok is false when it isn't kept.
func (j *Journal) At(sequence uint64) (e Entry, ok bool) {
	r := j.at(sequence)
	if r == nil {
		return Entry{}, false
	}
	return r.entry(), true
}

// DecisionAt is what was decided about the request of that sequence; nil when it isn't kept, or not decided.
func (j *Journal) DecisionAt(sequence uint64) Decision {
	r := j.at(sequence)
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.decision
}

// Part says which part of the matching entries is wanted: the Most oldest or, if Newest, the Most
// youngest of those with a sequence below Before, if that isn't 0.
type Part struct {
	Most   int
	Newest bool
	Before uint64
}

// Entries are that part of the entries kept that match, in order of arrival, and whether there are more.
func (j *Journal) Entries(q Query, p Part) (found []Entry, more bool) {
	records, more := p.of(j.matching(q))
	return entries(records), more
}

// Summaries are Entries in short.
func (j *Journal) Summaries(q Query, p Part) (found []Summary, more bool) {
	records, more := p.of(j.matching(q))
	for _, r := range records {
		found = append(found, r.summary())
	}
	return found, more
}

func (p Part) of(records []*Record) (part []*Record, more bool) {
	most := max(p.Most, 0)
	if p.Newest {
		if p.Before != 0 {
			i, _ := slices.BinarySearchFunc(records, p.Before, bySequence)
			records = records[:i]
		}
		most = min(most, len(records))
		return records[len(records)-most:], len(records) > most
	}
	most = min(most, len(records))
	return records[:most], len(records) > most
}

// younger are the records kept with a higher sequence, oldest first.
func (j *Journal) younger(than uint64) []*Record {
	j.mu.Lock()
	defer j.mu.Unlock()
	kept := j.records[j.oldest:]
	i, found := slices.BinarySearchFunc(kept, than, bySequence)
	if found {
		i++
	}
	return slices.Clone(kept[i:])
}

func (j *Journal) at(sequence uint64) *Record {
	j.mu.Lock()
	defer j.mu.Unlock()
	kept := j.records[j.oldest:]
	if i, found := slices.BinarySearchFunc(kept, sequence, bySequence); found {
		return kept[i]
	}
	return nil
}

func bySequence(r *Record, sequence uint64) int {
	switch {
	case r.sequence < sequence:
		return -1
	case r.sequence > sequence:
		return 1
	}
	return 0
}

func (r *Record) glance() Glance {
	a := &r.arrival
	g := Glance{Sequence: r.sequence, Scenario: a.Scenario, Run: a.Run, Path: a.Path, Arrived: a.Arrived, TTFT: -1, Queued: -1}
	r.mu.Lock()
	defer r.mu.Unlock()
	g.Outcome, g.Phase, g.Ended, g.Released = r.outcome, r.phase, r.ended, r.released
	if r.decision == nil {
		return g
	}
	g.Status, g.Route = r.decision.Status(), r.decision.Route()
	if first := r.firstDelta(); first >= 0 {
		g.TTFT = r.sentAt[first] - 1
	}
	g.Queued = queued(r.decision)
	return g
}

// queuePart names the wait for a slot among a decision's parts.
const queuePart = "queue"

// queued is how long a request waits for its slot, −1 when it needs none.
func queued(d Decision) time.Duration {
	wait, ok := time.Duration(0), false
	if parted, quick := d.(interface {
		Part(name string) (time.Duration, bool)
	}); quick {
		wait, ok = parted.Part(queuePart)
	} else {
		wait, ok = d.Parts()[queuePart]
	}
	if !ok {
		return -1
	}
	return wait
}

// firstDelta is the step of the first content delta, −1 when the plan has none. The record is locked.
func (r *Record) firstDelta() int {
	for i := range r.sentAt {
		if r.decision.Step(i).Event == ContentDelta {
			return i
		}
	}
	return -1
}

func (r *Record) summary() Summary {
	var v view
	v.at(r)
	a := &r.arrival
	s := Summary{
		Glance: r.glance(), Method: a.Method, Protocol: a.Protocol, Client: a.Client, Model: v.model(),
		Marks: orNone(set(v.marks())), Attempt: v.attempt,
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s.Ordinal, s.RequestID, s.Bytes, s.Steps = r.ordinal, r.requestID, r.bytes, len(r.sentAt)
	if s.Steps > 1 {
		second := r.decision.Step(1).Kind
		s.Stream = second != "body" && second != "end"
	}
	s.PlannedTTFT, s.PlannedDuration = r.coming(r.firstDelta()), r.coming(s.Steps-1)
	return s
}

// coming is the planned offset of a step; nil when there is none, or it never comes. The record is locked.
func (r *Record) coming(step int) *time.Duration {
	if step < 0 {
		return nil
	}
	at := r.decision.Step(step).Planned
	if r.held != nil {
		at = delayed(at, step, *r.held)
	}
	if at >= Never {
		return nil
	}
	return &at
}
