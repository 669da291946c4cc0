package api

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// verbatim is a response over HTTP/1.1 whose head is written line by line, as net/http wouldn't: with
// names, order and padding as they are given. It has the connection to itself, and closes it.
type verbatim struct {
	conn   net.Conn
	out    *bufio.ReadWriter
	header http.Header
	fields []run.Field // behind the API's own
	framed bool        // chunks delimit the body
}

// takeOver takes the connection from net/http, until the exchange is recorded. It can't be had on other
// protocols than HTTP/1.1.
func (x *exchange) takeOver(fields []run.Field) (*verbatim, error) {
	conn, out, err := http.NewResponseController(x.w).Hijack()
	if err != nil {
		return nil, err
	}
	v := &verbatim{conn: conn, out: out, header: http.Header{}, fields: fields}
	x.finish = func() { v.end(x.outcome != journal.Broken && x.outcome != journal.ClientLeft) }
	return v, nil
}

func (v *verbatim) Header() http.Header { return v.header }

func (v *verbatim) WriteHeader(status int) {
	fmt.Fprintf(v.out, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	v.header.Set("Connection", "close")
	if v.header.Get("Content-Length") == "" && v.header.Get("Transfer-Encoding") != "identity" {
		v.framed = true
		v.header.Set("Transfer-Encoding", "chunked")
	} else {
		v.header.Del("Transfer-Encoding")
	}
	given := make([]string, len(v.fields))
	for i, f := range v.fields {
		given[i] = http.CanonicalHeaderKey(strings.TrimSpace(f.Name))
	}
	names := make([]string, 0, len(v.header))
	for name := range v.header {
		if !slices.Contains(given, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range v.header[name] {
			fmt.Fprintf(v.out, "%s: %s\r\n", name, value)
		}
	}
	for _, f := range v.fields {
		if !f.Remove {
			fmt.Fprintf(v.out, "%s:%s\r\n", f.Name, padded(f.Value))
		}
	}
	v.out.WriteString("\r\n")
}

// padded is the value behind its colon: what begins with a space of its own gets no other.
func padded(value string) string {
	if strings.HasPrefix(value, " ") || strings.HasPrefix(value, "\t") {
		return value
	}
	return " " + value
}

func (v *verbatim) Write(p []byte) (int, error) {
	if v.framed && len(p) > 0 {
		fmt.Fprintf(v.out, "%x\r\n", len(p))
	}
	n, err := v.out.Write(p)
	if v.framed && err == nil && len(p) > 0 {
		_, err = v.out.WriteString("\r\n")
	}
	return n, err
}

// FlushError sends what was written.
func (v *verbatim) FlushError() error { return v.out.Flush() }

// SetReadDeadline is for a body that is read from a connection which was taken over.
func (v *verbatim) SetReadDeadline(t time.Time) error { return v.conn.SetReadDeadline(t) }

// end closes the connection, behind the body's terminator when the answer is whole.
func (v *verbatim) end(whole bool) {
	if whole {
		if v.framed {
			v.out.WriteString("0\r\n\r\n")
		}
		v.out.Flush()
	}
	_ = v.conn.Close()
}
