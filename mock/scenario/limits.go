package scenario

import (
	"strconv"
	"time"

	"github.com/invopop/jsonschema"
)

// Limits are what a key may ask of a class of models in a minute; 0 is no limit. Each is a bucket
// that holds a minute's worth, full at first, and fills evenly.
type Limits struct {
	Requests     int
	InputTokens  int // what is read from the cache doesn't count
	OutputTokens int // as they are produced
	// Enforce refuses whoever goes over; else responses only say how much is left.
	Enforce bool
	// Silent leaves retry-after out of the refusals.
	Silent bool
}

// Cache says how the API's prompt cache behaves, for requests with cache_control.
type Cache struct {
	// Off leaves the usage without cached tokens.
	Off bool
	// Minimum is the tokens that a prefix must have to be cached; -1: the model's own.
	Minimum int
	// TTL is how long what is marked without a ttl, or with 5m, is kept; 0: five minutes.
	TTL time.Duration
}

// limits builds limits upon those that hold where the file says nothing; nil when there are none.
func (b *builder) limits(f *limitsFile, base *Limits) *Limits {
	if f == nil || f.at == nil || f.at.kind != mapping {
		return base
	}
	made := Limits{Enforce: true}
	if base != nil {
		made = *base
	}
	f.Requests.set(&made.Requests)
	f.InputTokens.set(&made.InputTokens)
	f.OutputTokens.set(&made.OutputTokens)
	if f.Enforce != nil {
		made.Enforce = f.Enforce.value
	}
	if f.RetryAfter != nil {
		made.Silent = !f.RetryAfter.value
	}
	given := f.Requests != nil || f.InputTokens != nil || f.OutputTokens != nil
	if !given && made.Requests+made.InputTokens+made.OutputTokens == 0 && !f.at.hurt {
		b.at(f.at, "for example {requests: 50, input_tokens: 30000, output_tokens: 8000}", "the limits limit nothing")
	}
	return &made
}

func (b *builder) cache() {
	b.made.Cache.Minimum = -1
	c := b.doc.Cache
	if c == nil || c.at == nil || c.at.kind != mapping {
		return
	}
	c.Minimum.set(&b.made.Cache.Minimum)
	if c.TTL != nil {
		if c.TTL.value == 0 && c.TTL.at.kind != nothing {
			b.at(c.TTL.at, "say `off: true` for no cache", "what is cached can't be gone at once")
		}
		b.made.Cache.TTL = c.TTL.value
	}
	if c.Off != nil {
		b.made.Cache.Off = c.Off.value
	}
}

// amount is a whole number of requests or tokens.
type amount struct {
	spot
	value int
}

// maxAmount keeps a minute's worth in nanoseconds within 64 bits.
const maxAmount = 100_000_000

func (a *amount) decode(d *decoder, n *node) {
	v, err := strconv.Atoi(n.text)
	if err != nil || v < 1 || v > maxAmount || n.kind != number {
		d.at(n, "", "%s must be a whole number from 1 to %d", d.what, maxAmount)
		return
	}
	a.value = v
}

// set sets what it stands for, when the file has it.
func (a *amount) set(to *int) {
	if a != nil && a.value > 0 {
		*to = a.value
	}
}

func (amount) JSONSchema() *jsonschema.Schema {
	s := whole("1")
	s.Maximum = "100000000"
	return s
}
