package journal

import (
	"encoding/binary"
	"net/http"
	"strings"
)

// packed is a request's headers in one piece: name after value after name, each behind its length.
// A map of slices of strings would be most of what the collector has to look at in a record.
type packed string

// withheld stands where a key stood.
const withheld = "[withheld]"

func pack(h http.Header) packed {
	size := 0
	for name, values := range h {
		for _, v := range values {
			size += len(name) + len(v) + 4
		}
	}
	var p strings.Builder
	p.Grow(size)
	with := func(s string) {
		var length [binary.MaxVarintLen64]byte
		p.Write(length[:binary.PutUvarint(length[:], uint64(len(s)))])
		p.WriteString(s)
	}
	for name, values := range h {
		for _, v := range values {
			if secret(name) {
				v = withheld
			}
			with(name)
			with(v)
		}
	}
	return packed(p.String())
}

// secret reports whether a header may hold a key: those of the API, and any that is named for one.
func secret(name string) bool {
	switch name {
	case "Anthropic-Version", "Content-Type", "User-Agent", "Accept", "Accept-Encoding", "Content-Length", "Idempotency-Key":
		return false // what nearly every request has, and a key that isn't one
	}
	name = strings.ToLower(name)
	for _, word := range []string{"key", "token", "secret", "auth", "cookie", "password", "credential", "signature"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

func (p packed) header() http.Header {
	h := http.Header{}
	for len(p) > 0 {
		var name, value string
		name, p = p.next()
		value, p = p.next()
		h[name] = append(h[name], value)
	}
	return h
}

func (p packed) next() (string, packed) {
	n, p := p.length()
	return string(p[:n]), p[n:]
}

// length reads a length: binary.Uvarint, for a string.
func (p packed) length() (int, packed) {
	n, shift := 0, 0
	for i := 0; ; i++ {
		n |= int(p[i]&0x7f) << shift
		if p[i] < 0x80 {
			return n, p[i+1:]
		}
		shift += 7
	}
}

// get is the first value of a header whose name is spelled like this, or "".
func (p packed) get(canonical string) string {
	for len(p) > 0 {
		var n int
		n, p = p.length()
		same := string(p[:n]) == canonical
		p = p[n:]
		if same {
			value, _ := p.next()
			return value
		}
		n, p = p.length()
		p = p[n:]
	}
	return ""
}
