package scenario

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/types"
	"github.com/invopop/jsonschema"
)

// Queue is a profile's simulated capacity: slots that are taken first come, first served, and held
// from the start of service to the planned last byte (R41).
type Queue struct {
	// Profile is the profile whose queue it is, Index its position in [Scenario.Queues].
	Profile string
	Index   int
	Slots   int
	GPUs    int // that all slots together stand for; 0: not given
	// Wait is the longest wait for a slot; [Unbounded] when the file gives none.
	Wait time.Duration
	// Full is the error of a request that would have to wait longer.
	Full *Error
	// Cancel is how long a slot stays taken after its client has left.
	Cancel time.Duration
}

// Unbounded is the Wait of a queue that refuses nobody: 73 years.
const Unbounded = time.Duration(1) << 61

// The names of the parts that a profile adds to its first token or its whole answer, beside those
// of a sum.
const (
	// QueuePart is the wait for a slot (R35).
	QueuePart = "queue"
	// InputPart is the time for the request's input tokens (R37).
	InputPart = "input_tokens"
)

// maxPerToken bounds per_input_token, so that no request's input can take for ever.
const maxPerToken = time.Second

// defaultFull is the status of whoever finds the queue full: the API's "overloaded".
const defaultFull = 529

// capacities names the profiles that have a queue, for the expressions that ask for their
// utilization. It comes before the facts.
func (b *builder) capacities() {
	for name, p := range b.doc.Profiles {
		if p.at != nil && p.at.child("queue") != nil {
			b.names[busyName(name)] = types.TypeOf(0.0)
		}
	}
}

func (b *builder) queue(profile string, q *queueFile) *Queue {
	if q == nil || q.at == nil || q.at.kind != mapping {
		return nil
	}
	made := &Queue{Profile: profile, Index: len(b.made.Queues), Wait: Unbounded, Full: &Error{Status: defaultFull}}
	switch {
	case q.Slots != nil:
		made.Slots = q.Slots.value
	case q.at.child("slots") == nil && !q.at.hurt:
		b.at(q.at, "for example {slots: 320, wait: 30s}", "the queue does not say how many `slots` it has")
	}
	if q.GPUs != nil {
		made.GPUs = q.GPUs.value
	}
	if q.Wait != nil {
		made.Wait = q.Wait.value
	}
	if q.Cancel != nil {
		made.Cancel = q.Cancel.value
	}
	if full := b.failure(q.Full); full != nil {
		made.Full = full
	}
	b.made.Queues = append(b.made.Queues, made)
	return made
}

func (b *builder) perInputToken(d *duration) time.Duration {
	if d == nil {
		return 0
	}
	if d.value > maxPerToken {
		b.at(d.at, "", "`per_input_token` is at most %s for each token", maxPerToken)
		return 0
	}
	return d.value
}

// count is a whole number from 1.
type count struct {
	spot
	value int
}

const maxCount = 1_000_000

func (c *count) decode(d *decoder, n *node) {
	v, err := strconv.Atoi(n.text)
	if err != nil || v < 1 || v > maxCount || n.kind != number {
		d.at(n, "", "%s must be a whole number from 1 to %d", d.what, maxCount)
		return
	}
	c.value = v
}

func (count) JSONSchema() *jsonschema.Schema {
	s := whole("1")
	s.Maximum = "1000000"
	return s
}

// utilization is the function that says how busy a profile's slots are; busyName is the one name
// that a call of it becomes.
const utilization = "utilization"

func busyName(profile string) string { return utilization + "." + profile }

// BusyFact is the fact behind utilization("PROFILE"), as [Env.Set] and [Scenario.Uses] take it: a float
// from 0 to 1 (R19).
func (q *Queue) BusyFact() string { return busyName(q.Profile) }

// flattenUtilization rewrites utilization("legacy") into the name of a fact.
func flattenUtilization(n *ast.Node, call *ast.CallNode) {
	if len(call.Arguments) != 1 {
		return
	}
	if profile, ok := call.Arguments[0].(*ast.StringNode); ok {
		ast.Patch(n, &ast.IdentifierNode{Value: busyName(profile.Value)})
		(*n).SetLocation(call.Location())
	}
}

// noUtilization says why there is no utilization of that name.
func (l *lookup) noUtilization(node *ast.IdentifierNode) {
	profile := strings.TrimPrefix(node.Value, utilization+".")
	var queued []string
	for name := range l.names {
		if group(name) == utilization {
			queued = append(queued, strings.TrimPrefix(name, utilization+"."))
		}
	}
	slices.Sort(queued)
	if len(queued) == 0 {
		l.fail(node, "give a profile a `queue`", "there is no profile %s with a `queue`, nor any with one", quote(profile))
		return
	}
	l.fail(node, didYouMean(profile, queued), "there is no profile %s with a `queue`", quote(profile))
}

// never says whether a route leaves its requests without an answer, which then has nothing to say.
func (b *builder) never(r *routeFile) bool {
	if r.Never == nil || !r.Never.value {
		return false
	}
	for _, name := range []string{"error", "http", "reply", "headers", "verbatim_head", "framing", "faults", "usage", "figures"} {
		if key := r.at.keyOf(name); key != nil {
			b.at(key, "remove it, or `never`", "a request that is never answered has no `%s`", name)
		}
	}
	return true
}
