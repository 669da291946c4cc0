package journal

import (
	"encoding/binary"
	"net/http"
	"strings"
)

// packed is a request's headers in one piece: name after value after name, each behind its length.
// A map of slices of strings would be most of what the collector has to look at in a record.
type packed []byte

// withheld stands where a key stood.
const withheld = "[withheld]"

func pack(h http.Header) packed {
	size := 0
	for name, values := range h {
		for _, v := range values {
			size += len(name) + len(v) + 4
		}
	}
	p := make(packed, 0, size)
	for name, values := range h {
		for _, v := range values {
			if secret(name) {
				v = withheld
			}
			p = p.with(name).with(v)
		}
	}
	return p
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

func (p packed) with(s string) packed {
	return append(binary.AppendUvarint(p, uint64(len(s))), s...)
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
	n, size := binary.Uvarint(p)
	p = p[size:]
	return string(p[:n]), p[n:]
}
