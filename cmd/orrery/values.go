package main

import (
	"errors"
	"fmt"
	"math"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/clock"
)

// The values of the settings. Each parses itself as a pflag.Value, so that flag, environment and
// file obey the same rules and --help prints the default that the code has.

// text is any text.
type text string

func (t text) String() string      { return string(t) }
func (t *text) Set(s string) error { *t = text(s); return nil }
func (text) Type() string          { return "text" }

// address is a TCP address to listen on; an empty host means all interfaces.
type address string

func (a address) String() string { return string(a) }
func (address) Type() string     { return "address" }

func (a *address) Set(s string) error {
	_, port, err := net.SplitHostPort(s)
	if err != nil {
		return fmt.Errorf("%q is no HOST:PORT such as 127.0.0.1:4010", s)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("%q has no port from 0 to 65535", s)
	}
	*a = address(s)
	return nil
}

// loopback reports whether only this machine can reach the address.
func (a address) loopback() bool {
	host, _, _ := net.SplitHostPort(string(a))
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// reachable is the address as a client on this machine dials it.
func (a address) reachable() string {
	host, port, _ := net.SplitHostPort(string(a))
	// Go listens on all interfaces for IPv4 and IPv6 alike, whichever wildcard was written.
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}

// speed is a factor on time; infinite: nothing is waited for.
type speed float64

func (f speed) String() string {
	if math.IsInf(float64(f), 1) {
		return "max"
	}
	return strconv.FormatFloat(float64(f), 'g', -1, 64)
}

func (speed) Type() string { return "speed" }

func (f *speed) Set(s string) error {
	if s == "max" {
		*f = speed(clock.MaxSpeed())
		return nil
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || n < clock.SlowestSpeed || n > clock.FastestSpeed {
		return fmt.Errorf("%q is no speed from %v to %d, such as 10, and not max", s, clock.SlowestSpeed, clock.FastestSpeed)
	}
	*f = speed(n)
	return nil
}

// seed is a number that may be left out.
type seed struct {
	given  bool
	number uint64
}

func (s seed) String() string {
	if !s.given {
		return ""
	}
	return strconv.FormatUint(s.number, 10)
}

func (seed) Type() string { return "number" }

func (s *seed) Set(word string) error {
	n, err := strconv.ParseUint(word, 0, 64)
	if err != nil {
		return fmt.Errorf("%q is no whole number from 0 to %d", word, uint64(math.MaxUint64))
	}
	*s = seed{given: true, number: n}
	return nil
}

// byteSize is a number of bytes, with the suffix K, M or G in powers of 1,024.
type byteSize int64

func (b byteSize) String() string {
	for i, unit := range []string{"GB", "MB", "KB"} {
		if size := byteSize(1) << (30 - 10*i); b != 0 && b%size == 0 {
			return strconv.FormatInt(int64(b/size), 10) + unit
		}
	}
	return strconv.FormatInt(int64(b), 10)
}

func (byteSize) Type() string { return "size" }

func (b *byteSize) Set(word string) error {
	digits := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(word)), "B"), "I")
	shift := 0
	for i, unit := range []string{"K", "M", "G"} {
		if rest, found := strings.CutSuffix(digits, unit); found {
			digits, shift = rest, 10*(i+1)
			break
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
	if err != nil || n < 1 || n > math.MaxInt64>>shift {
		return fmt.Errorf("%q is no size above 0 such as 256MB, 1G or 65536", word)
	}
	*b = byteSize(n << shift)
	return nil
}

// duration is a time span of 0 or more.
type duration time.Duration

func (d duration) String() string { return time.Duration(d).String() }
func (duration) Type() string     { return "duration" }

func (d *duration) Set(word string) error {
	n, err := time.ParseDuration(word)
	if err != nil || n < 0 {
		return fmt.Errorf("%q is no duration of 0 or more such as 10s or 500ms", word)
	}
	*d = duration(n)
	return nil
}

// words are comma-separated names; given again, they add to those before.
type words []string

func (w words) String() string { return strings.Join(w, ",") }
func (words) Type() string     { return "names" }

func (w *words) Set(list string) error {
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name == "" {
			return fmt.Errorf("%q has an empty name; write names as in mock.test,10.0.0.7", list)
		}
		*w = append(*w, name)
	}
	return nil
}

// toggle is on or off.
type toggle bool

func (t toggle) String() string { return strconv.FormatBool(bool(t)) }
func (toggle) Type() string     { return "toggle" }

func (t *toggle) Set(word string) error {
	on, err := strconv.ParseBool(word)
	if err != nil {
		return fmt.Errorf("%q is neither true nor false", word)
	}
	*t = toggle(on)
	return nil
}

// logFormat is how the log is written.
type logFormat string

const (
	logText logFormat = "text"
	logJSON logFormat = "json"
	logOff  logFormat = "off"
)

func (l logFormat) String() string { return string(l) }
func (logFormat) Type() string     { return "format" }

func (l *logFormat) Set(word string) error {
	switch f := logFormat(word); f {
	case logText, logJSON, logOff:
		*l = f
		return nil
	}
	return errors.New("the log is text, json or off, not " + strconv.Quote(word) +
		didYouMean(word, []string{string(logText), string(logJSON), string(logOff)}))
}
