package wire

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// identity hashes a value's canonical form (R12): members sorted by name, no white space, strings
// by what they say, numbers by what they amount to. So two bodies that mean the same have the
// same identity, however they are spelled. Nothing is copied but small pieces on their way into
// the digest.
func identity(v *Value) uint64 {
	var c canonical
	c.digest.Reset()
	c.value(v)
	c.flush()
	return c.digest.Sum64()
}

// canonical gathers small pieces, since the digest is slow on them.
type canonical struct {
	digest xxhash.Digest
	buf    [256]byte
	n      int
}

func (c *canonical) flush() {
	_, _ = c.digest.Write(c.buf[:c.n]) // never fails
	c.n = 0
}

func (c *canonical) text(s string) {
	if len(s) > len(c.buf)-c.n {
		c.flush()
		if len(s) > len(c.buf) {
			_, _ = c.digest.WriteString(s)
			return
		}
	}
	c.n += copy(c.buf[c.n:], s)
}

// mark writes what comes next and how much of it. With the length ahead no text needs escaping.
func (c *canonical) mark(kind byte, n uint64) {
	if len(c.buf)-c.n < 9 {
		c.flush()
	}
	c.buf[c.n] = kind
	binary.LittleEndian.PutUint64(c.buf[c.n+1:c.n+9], n)
	c.n += 9
}

func (c *canonical) string(kind byte, s string) {
	c.mark(kind, uint64(len(s)))
	c.text(s)
}

func (c *canonical) value(v *Value) {
	switch v.Kind() {
	case Null:
		c.mark('n', 0)
	case Bool:
		c.string('b', v.text)
	case Number:
		c.number(v)
	case String:
		c.string('s', v.text)
	case Array:
		c.mark('a', uint64(len(v.items)))
		for i := range v.items {
			c.value(&v.items[i].Value)
		}
	case Object:
		c.object(v)
	}
}

// number writes short whole numbers as they are, which is what canonical JSON makes of them; the
// rest by the nearest float64.
func (c *canonical) number(v *Value) {
	if len(v.text) <= 15 && !strings.ContainsAny(v.text, ".eE") && v.text != "-0" {
		c.string('i', v.text)
		return
	}
	f, _ := v.Float()
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		var digits [24]byte
		c.string('i', string(strconv.AppendInt(digits[:0], int64(f), 10)))
		return
	}
	c.mark('f', math.Float64bits(f))
}

func (c *canonical) object(v *Value) {
	c.mark('o', uint64(len(v.items)))
	var few [32]int32
	order := few[:0]
	for i := range v.items {
		order = append(order, int32(i))
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(v.items[a].Name, v.items[b].Name) })
	for _, i := range order {
		c.string('k', v.items[i].Name)
		c.value(&v.items[i].Value)
	}
}
