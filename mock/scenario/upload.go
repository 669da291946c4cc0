package scenario

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/invopop/jsonschema"
)

// Upload says how requests' bodies are taken in.
type Upload struct {
	// Limit is how many bytes a body may have; more gets a 413. 0: as ever.
	Limit int64
	// Early answers a body that is declared too long without reading any of it.
	Early bool
	// Rate is how many bytes a second are read; 0: as fast as they come.
	Rate int64
	// Continue is how late "100 Continue" is sent to those who wait for it; NoContinue: it never is.
	Continue   time.Duration
	NoContinue bool
}

// Window is a stretch of a run's time, from its first request on.
type Window struct{ From, To time.Duration }

// byteRate is a number of bytes a second.
type byteRate struct {
	spot
	value int64
}

func (r *byteRate) decode(d *decoder, n *node) {
	bytes, perSecond := strings.CutSuffix(n.text, "/s")
	v, _, message := parseSize(n, bytes)
	switch {
	case !perSecond && message == "":
		d.at(n, "write "+n.text+"/s", "%s must be bytes a second", d.what)
	case message != "" && sizeForm.MatchString(bytes):
		d.at(n, "", "%s %s", d.what, message)
	case message != "":
		d.at(n, "for example 10KB/s", "%s must be bytes a second, this is %s", d.what, shown(n))
	}
	r.value = v
}

// lateness is a duration, or never.
type lateness struct {
	duration
	never bool
}

func (l *lateness) decode(d *decoder, n *node) {
	if n.kind == words && n.text == "never" {
		l.never = true
		return
	}
	if _, _, message := parseDuration(n); message != "" && n.kind == words {
		d.at(n, "for example 2s or never", "%s must be a duration or never, this is %s", d.what, quote(n.text))
		return
	}
	l.duration.decode(d, n)
}

func (b *builder) upload() {
	u := b.doc.Upload
	if u == nil || u.at == nil || u.at.kind != mapping {
		return
	}
	if len(u.at.pairs) == 0 {
		b.at(u.at, "for example {limit: 8KB}", "`upload` is empty")
	}
	made := &Upload{Early: b.yes(u.Early)}
	if made.Early && u.at.child("limit") == nil && !u.at.hurt {
		b.at(u.at.keyOf("early"), "add a `limit`", "`early` says when a body above the `limit` is answered, and there is none")
	}
	if u.Limit != nil {
		made.Limit = u.Limit.value
	}
	if u.Rate != nil {
		made.Rate = u.Rate.value
	}
	if u.Continue != nil {
		made.Continue, made.NoContinue = u.Continue.value, u.Continue.never
	}
	b.made.Upload = made
}

// freeze builds the windows, in the order of time.
func (b *builder) freeze() {
	at := b.doc.at.child("freeze")
	if at == nil {
		return
	}
	if at.kind == list && (len(at.items) == 0 || len(at.items) > maxFaults) {
		b.at(at, "leave it out for none", "`freeze` is a list of 1 to %d windows, this one has %d", maxFaults, len(at.items))
	}
	type placed struct {
		Window
		at *node
	}
	var all []placed
	for i := range b.doc.Freeze {
		w := &b.doc.Freeze[i]
		if w.at == nil || w.at.kind != mapping || w.at.hurt {
			continue
		}
		if w.at.child("from") == nil || w.at.child("to") == nil {
			b.at(w.at, "for example {from: 2s, to: 5s}", "a window has a begin and an end (`from` and `to`)")
			continue
		}
		if w.From == nil || w.To == nil {
			continue
		}
		if w.To.value <= w.From.value {
			if broken(w.To.at) || broken(w.From.at) {
				continue
			}
			b.at(w.To.at, "for example {from: 2s, to: 5s}", "the window ends before it begins")
			continue
		}
		all = append(all, placed{Window{w.From.value, w.To.value}, w.at})
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.From, b.From) })
	for i, w := range all {
		if i > 0 && w.From < all[i-1].To {
			b.at(w.at, "make one of the two", "this window begins before the one in line %d has ended", all[i-1].at.line)
		}
		b.made.Freeze = append(b.made.Freeze, w.Window)
	}
}

// broken says that a duration has a problem of its own.
func broken(n *node) bool {
	_, _, message := parseDuration(n)
	return message != ""
}

var ratePattern = regexp.MustCompile(`^[0-9]{1,10}(|B|KB|KiB|MB|MiB)/s$`)

func (byteRate) JSONSchema() *jsonschema.Schema {
	s := pattern(ratePattern.String())
	s.Description = "Bytes a second: 10KB/s."
	return s
}

func (lateness) JSONSchema() *jsonschema.Schema {
	return either(ref("duration"), &jsonschema.Schema{Const: "never"})
}
