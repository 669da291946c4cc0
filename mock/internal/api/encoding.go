package api

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"strings"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// decoded undoes a body's content-encoding: gzip or deflate, or several in turn. What a body says
// of its content-type is not looked at, since nobody has published what the API does then.
func decoded(body []byte, encodings []string) ([]byte, *wire.Error) {
	if len(encodings) == 0 {
		return body, nil
	}
	applied := strings.Split(strings.Join(encodings, ","), ",")
	for i := len(applied) - 1; i >= 0; i-- { // The last one applied comes off first.
		encoding := strings.ToLower(strings.TrimSpace(applied[i]))
		if encoding == "" || encoding == "identity" {
			continue
		}
		r, problem := opened(bytes.NewReader(body), encoding)
		if problem != nil {
			return nil, problem
		}
		plain, err := readAll(io.LimitReader(r, MaxBody+1), -1)
		switch {
		case err != nil:
			return nil, wire.InvalidEncoding(encoding)
		case len(plain) > MaxBody:
			return nil, wire.TooLargeDecoded()
		}
		body = plain
	}
	return body, nil
}

// unpacked undoes the content-encoding of a body that is read as it comes.
func unpacked(body io.Reader, encodings []string) (io.Reader, *wire.Error) {
	applied := strings.Split(strings.Join(encodings, ","), ",")
	for i := len(applied) - 1; i >= 0; i-- {
		encoding := strings.ToLower(strings.TrimSpace(applied[i]))
		if encoding == "" || encoding == "identity" {
			continue
		}
		var problem *wire.Error
		if body, problem = opened(body, encoding); problem != nil {
			return nil, problem
		}
	}
	return body, nil
}

func opened(body io.Reader, encoding string) (io.Reader, *wire.Error) {
	var r io.Reader
	var err error
	switch encoding {
	case "gzip", "x-gzip":
		r, err = gzip.NewReader(body)
	case "deflate":
		r, err = inflating(body)
	default:
		return nil, wire.UnsupportedEncoding(encoding)
	}
	if err != nil {
		return nil, wire.InvalidEncoding(encoding)
	}
	return r, nil
}

// inflating takes deflate as the standard has it, in zlib's wrapping, and bare, as many send it.
func inflating(body io.Reader) (io.Reader, error) {
	const method = 8
	b := bufio.NewReader(body)
	head, _ := b.Peek(2)
	if len(head) == 2 && head[0]&15 == method && (uint(head[0])<<8|uint(head[1]))%31 == 0 {
		return zlib.NewReader(b)
	}
	return flate.NewReader(b), nil
}
