package scenario

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/fault"
)

// place is a spot in an answer: 3, last content_block_delta, byte 100 and the like.
type place struct {
	spot
	value fault.Place
}

// placeHint shows the forms of a place.
const placeHint = "for example 3, message_stop, content_block_delta 5, last content_block_delta, every 3, all, start, end, line 2, byte 100 or 2s"

func (p *place) decode(d *decoder, n *node) {
	if n.kind != words && n.kind != number {
		d.at(n, placeHint, "%s must be a place in the answer, it is %s", d.what, n.kind)
		return
	}
	v, err := fault.ParsePlace(n.text)
	if err != nil {
		_, hint, _ := strings.Cut(strings.TrimPrefix(err.Error(), fmt.Sprintf("place %q", n.text)), ": ")
		d.at(n, hint, "%s is no place in an answer", quote(n.text))
		return
	}
	p.value = v
}

var digits = regexp.MustCompile(`^[0-9]{1,10}$`)

// editPlace is a place, or body.
type editPlace struct {
	place
	body bool
}

func (p *editPlace) decode(d *decoder, n *node) {
	if n.kind == words && n.text == "body" {
		p.body = true
		return
	}
	p.place.decode(d, n)
}

// maxBytes bounds every size of the language.
const maxBytes = 64 << 20

// size is a number of bytes, in powers of 1024 as the command has it.
type size struct {
	spot
	value int64
}

var sizeForm = regexp.MustCompile(`^([0-9]{1,10})(|B|KB|KiB|MB|MiB)$`)

func (s *size) decode(d *decoder, n *node) {
	v, hint, message := parseSize(n, n.text)
	if message != "" {
		d.at(n, hint, "%s %s", d.what, message)
		return
	}
	s.value = v
}

// parseSize reads a size from a text of the node's.
func parseSize(n *node, text string) (v int64, hint, message string) {
	m := sizeForm.FindStringSubmatch(text)
	if m == nil || n.kind != words && n.kind != number {
		for _, unit := range []string{"B", "KB", "MB", "KiB", "MiB"} {
			number := strings.TrimSpace(strings.TrimSuffix(strings.ToLower(text), strings.ToLower(unit)))
			if digits.MatchString(number) && strings.HasSuffix(strings.ToLower(text), strings.ToLower(unit)) {
				return 0, "write " + number + unit, "must be a size, this is " + quote(text)
			}
		}
		if n.kind == words || n.kind == number {
			return 0, "write it as 700, 4KB or 40MB", "must be a size, this is " + quote(text)
		}
		return 0, "write it as 700, 4KB or 40MB", "must be a size, this is " + n.kind.String()
	}
	v, _ = strconv.ParseInt(m[1], 10, 64)
	switch m[2] {
	case "KB", "KiB":
		v <<= 10
	case "MB", "MiB":
		v <<= 20
	}
	if v < 1 || v > maxBytes {
		return 0, "", "must be from 1 byte to 64MB, this is " + text
	}
	return v, "", ""
}

// payload is text as it stands, or a value that is written as compact JSON.
type payload struct {
	spot
	text string
	json bool
}

func (p *payload) decode(_ *decoder, n *node) {
	if n.kind == words {
		p.text = n.text
		return
	}
	p.text, p.json = asJSON(n, ""), true
}

// or is the text to point at; nil when nothing was given.
func (p *payload) given() *string {
	if p == nil {
		return nil
	}
	return &p.text
}

// base64Text is bytes in base64.
type base64Text struct {
	spot
	bytes []byte
}

func (t *base64Text) decode(d *decoder, n *node) {
	v, err := base64.StdEncoding.DecodeString(n.text)
	switch {
	case n.kind != words && n.kind != number || err != nil:
		d.at(n, "for example /wD+, which is the bytes ff 00 fe", "%s must be bytes in base64", d.what)
	case len(v) == 0:
		d.at(n, "", "%s holds no bytes", d.what)
	}
	t.bytes = v
}

// wholeNumber is a whole number from 0.
type wholeNumber struct {
	spot
	value int
}

func (w *wholeNumber) decode(d *decoder, n *node) {
	v, err := strconv.Atoi(n.text)
	if err != nil || v < 0 || v > maxCount || n.kind != number {
		d.at(n, "", "%s must be a whole number from 0 to %d", d.what, maxCount)
		return
	}
	w.value = v
}

// openWord is a word in small letters and _ that needn't be one of the API's, but may not look like
// one of them misspelt.
func (d *decoder) openWord(n *node, known []string) string {
	switch {
	case n.kind != words || !openForm.MatchString(n.text):
		d.at(n, "use a to z and _", "%s can't be %s", d.what, quote(n.text))
	case slices.Contains(known, n.text):
		return n.text
	case misspelt(n.text, known) != nil:
		d.at(n, "did you mean "+oneOf(misspelt(n.text, known))+"? A word of your own must be less like the API's", "%s can't be %s", d.what, quote(n.text))
	default:
		return n.text
	}
	return ""
}

var openForm = regexp.MustCompile(`^[a-z_]{1,64}$`)

// misspelt lists the words that differ from what was written by a letter or two.
func misspelt(word string, known []string) []string {
	var found []string
	for _, k := range known {
		if distance(word, k) <= max(1, min(2, len(word)/4)) {
			found = append(found, k)
		}
	}
	return found
}

// errorName is the type of an error event.
type errorName struct {
	spot
	text string
}

func (e *errorName) decode(d *decoder, n *node) { e.text = d.openWord(n, (*errorType)(nil).words()) }

// silence is how long a stall takes.
type silence struct {
	spot
	value time.Duration
	gate  string
}

func (s *silence) decode(d *decoder, n *node) {
	const hint = "for example 10s, forever or {gate: NAME}"
	switch {
	case n.kind == mapping:
		var g gateForm
		d.into(n, valueOf(&g), "`stall`")
		switch {
		case n.hurt:
		case g.Gate == nil && n.child("gate") == nil:
			d.at(n, hint, "a stall of no length has a gate that ends it")
		case g.Gate != nil && g.Gate.at.kind == words && !plainName.MatchString(g.Gate.text):
			d.at(g.Gate.at, "use a to z, 0 to 9, - and _", "a gate can't be called %s", quote(g.Gate.text))
		}
		s.gate = g.Gate.or("")
	case n.kind == words && n.text == "forever":
		s.value = fault.Never
	default:
		v, how, message := parseDuration(n)
		switch {
		case message != "" && n.kind == words:
			d.at(n, hint, "%s is no length of a stall", quote(n.text))
		case message != "":
			d.at(n, how, "%s", message)
		case v == 0:
			d.at(n, hint, "a stall takes longer than 0")
		}
		s.value = v
	}
}

// gateForm names what ends a stall.
type gateForm struct {
	spot
	Gate *label `yaml:"gate"`
}

// leastFactor and mostFactor bound a pace.
const leastFactor, mostFactor = 0.01, 1000.0
