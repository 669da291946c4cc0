package transport

import (
	"bytes"
	"net/http"
	"strings"
)

// tee keeps the head of each HTTP/1.1 request that is read through it. It holds memory only from a
// head's first byte until the head is taken.
type tee struct {
	state teeState
	part  []byte // of a head that hasn't ended
	whole []byte // the head of the request under way
	past  int64  // bytes of the body so far
	body  int64  // its length; unknown before begin, and of a chunked body
}

type teeState uint8

const (
	inHead teeState = iota
	inBody
	lost // requests can't be told apart any more
)

const unknown = -1

// see is told of all bytes that are read.
func (t *tee) see(p []byte) {
	for len(p) > 0 {
		switch t.state {
		case inHead:
			p = t.head(p)
		case inBody:
			n := int64(len(p))
			if t.body != unknown {
				n = min(n, t.body-t.past)
			}
			t.past += n
			p = p[n:]
			t.settle()
		case lost:
			return
		}
	}
}

// head takes what p has of a head, and returns the rest.
func (t *tee) head(p []byte) []byte {
	end := blankLine(t.part, p)
	if end < 0 {
		if len(t.part)+len(p) > HeaderBytes {
			*t = tee{state: lost}
			return nil
		}
		t.part = append(t.part, p...)
		return nil
	}
	if len(t.part) == 0 {
		t.whole = bytes.Clone(p[:end])
	} else {
		t.whole = append(t.part, p[:end]...)
	}
	t.part, t.state, t.past, t.body = nil, inBody, 0, unknown
	return p[end:]
}

// blankLine is where in p the head ends that begins with before; -1: not in p. Like net/http it takes
// bare line feeds too.
func blankLine(before, p []byte) int {
	tail := before[max(len(before)-2, 0):]
	ends := func(line []byte) bool { return len(line) == 0 || len(line) == 1 && line[0] == '\r' }
	for at := 0; ; {
		i := bytes.IndexByte(p[at:], '\n')
		if i < 0 {
			return -1
		}
		switch line := p[at : at+i]; {
		case at > 0 && ends(line):
			return at + i + 1
		case at == 0 && i < 2: // the line may have begun before p
			joined := string(tail) + string(line)
			if cut := strings.LastIndexByte(joined, '\n'); cut >= 0 && ends([]byte(joined[cut+1:])) {
				return i + 1
			}
		}
		at += i + 1
	}
}

// begin is told of the request that net/http has read, before anything of its body is. Only a chunked
// body's end has to be told to ended.
func (t *tee) begin(r *http.Request) {
	if t.state != inBody {
		*t = tee{state: lost}
		return
	}
	line := r.Method + " " + r.RequestURI + " HTTP/1."
	if !strings.HasPrefix(string(t.whole[:min(len(line), len(t.whole))]), line) {
		*t = tee{state: lost}
		return
	}
	t.body = r.ContentLength
	if t.body != unknown && t.past > t.body {
		t.part, t.state = nil, lost // the next request's bytes have gone by
		return
	}
	t.settle()
}

// ended is told when a chunked body has been read to its end.
func (t *tee) ended() {
	if t.state == inBody && t.body == unknown {
		t.state = inHead
	}
}

func (t *tee) settle() {
	if t.body != unknown && t.past == t.body {
		t.state = inHead
	}
}

// take gives the head of the request under way away.
func (t *tee) take() []byte {
	whole := t.whole
	t.whole = nil
	return whole
}
