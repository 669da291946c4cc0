package transport

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/http2/hpack"
)

// preface is what an HTTP/2 client sends first (RFC 9113, section 3.4).
const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// The frames of RFC 9113, section 6, that matter here.
const (
	frameData         = 0x0
	frameHeaders      = 0x1
	frameReset        = 0x3
	frameSettings     = 0x4
	frameGoAway       = 0x7
	frameContinuation = 0x9

	flagEndStream  = 0x1
	flagEndHeaders = 0x4
	flagPadded     = 0x8

	frameHeaderBytes = 9
	streamMask       = 1<<31 - 1
)

// Error codes of RFC 9113, section 7.
const (
	noError       = 0x0
	refusedStream = 0x7
)

// streamHeader tells a handler its stream. net/http keeps that to itself, so the number is put into the
// request's header block as it is read, and taken out before anybody sees the request.
const streamHeader = "Orrery-Stream"

type frameHeader struct {
	length int
	kind   byte
	flags  byte
	stream uint32
}

func parseFrame(b []byte) frameHeader {
	return frameHeader{
		length: int(b[0])<<16 | int(b[1])<<8 | int(b[2]),
		kind:   b[3], flags: b[4], stream: binary.BigEndian.Uint32(b[5:]) & streamMask,
	}
}

func (f frameHeader) append(b []byte) []byte {
	b = append(b, byte(f.length>>16), byte(f.length>>8), byte(f.length), f.kind, f.flags)
	return binary.BigEndian.AppendUint32(b, f.stream)
}

func (f frameHeader) has(flag byte) bool { return f.flags&flag != 0 }

// inbound hands on a client's frames after the preface, with the number of its stream in each
// request's header block.
type inbound struct {
	source  *bufio.Reader
	streams *streams
	gone    func() // told when the client has given up a stream
	ready   []byte // to be handed on next
	rest    int    // bytes of the frame under way to be handed on as they stand
	opening bool   // the header block under way opens a stream
	// upgraded is the frames of the request that asked for HTTP/2, to be put behind the client's first.
	upgraded []byte
}

func newInbound(source io.Reader, s *streams, gone func()) *inbound {
	return &inbound{source: bufio.NewReader(source), streams: s, gone: gone}
}

func (in *inbound) Read(p []byte) (int, error) {
	for len(in.ready) == 0 && in.rest == 0 {
		if err := in.next(); err != nil {
			return 0, err
		}
	}
	if len(in.ready) > 0 {
		n := copy(p, in.ready)
		if in.ready = in.ready[n:]; len(in.ready) == 0 {
			in.ready = nil
		}
		return n, nil
	}
	n, err := in.source.Read(p[:min(len(p), in.rest)])
	if in.rest -= n; in.rest == 0 {
		in.follow()
	}
	return n, err
}

// follow puts the request that asked for HTTP/2 behind the client's first frame.
func (in *inbound) follow() {
	if in.upgraded != nil {
		in.streams.open(1)
		in.ready = append(in.ready, in.upgraded...)
		in.upgraded = nil
	}
}

// next reads a frame's header, and as much of the frame as has to be changed.
func (in *inbound) next() error {
	var header [frameHeaderBytes]byte
	if _, err := io.ReadFull(in.source, header[:]); err != nil {
		return err
	}
	f := parseFrame(header[:])
	switch f.kind {
	case frameHeaders:
		in.opening = in.streams.open(f.stream)
	case frameReset:
		in.streams.ended(f.stream)
		in.gone()
	}
	last := (f.kind == frameHeaders || f.kind == frameContinuation) && f.has(flagEndHeaders)
	tag := tagOf(f.stream)
	if !last || !in.opening || f.length+len(tag) > FrameBytes {
		in.ready, in.rest = f.append(nil), f.length
		if f.length == 0 {
			in.follow()
		}
		return nil
	}
	in.opening = false
	payload := make([]byte, f.length, f.length+len(tag))
	if _, err := io.ReadFull(in.source, payload); err != nil {
		return err
	}
	end := len(payload)
	if f.kind == frameHeaders && f.has(flagPadded) && len(payload) > 0 {
		end = max(end-int(payload[0]), 0)
	}
	f.length += len(tag)
	in.ready = append(f.append(make([]byte, 0, frameHeaderBytes+f.length)), slices.Insert(payload, end, tag...)...)
	in.follow()
	return nil
}

// tagOf is the header field that names the stream, coded so that it changes no table of HPACK.
func tagOf(stream uint32) []byte {
	var b bytes.Buffer
	writeField(hpack.NewEncoder(&b), streamHeader, strconv.FormatUint(uint64(stream), 10))
	return b.Bytes()
}

// writeField codes a field as one that is never indexed.
func writeField(e *hpack.Encoder, name, value string) {
	// A bytes.Buffer takes everything.
	_ = e.WriteField(hpack.HeaderField{Name: strings.ToLower(name), Value: value, Sensitive: true})
}

// streamOf takes the stream's number out of a request's header; 0: it isn't there.
func streamOf(h http.Header) uint64 {
	values := h[streamHeader]
	if len(values) == 0 {
		return 0
	}
	last := len(values) - 1 // a client's own come before it
	if delete(h, streamHeader); last > 0 {
		h[streamHeader] = values[:last]
	}
	n, _ := strconv.ParseUint(values[last], 10, 31)
	return n
}
