package latency

import (
	"errors"
	"fmt"
	"time"
)

// problem is a sentence for whoever wrote a distribution. The values in it are kept as they are, since only the reader
// of the file knows whether they are durations or plain factors.
type problem struct {
	format string
	args   []any
}

// amount is a value of a table.
type amount int64

func wrong(format string, args ...any) error { return &problem{format, args} }

// Error writes values as durations.
func (p *problem) Error() string {
	return p.say(func(a amount) string { return time.Duration(a).String() })
}

func (p *problem) say(write func(amount) string) string {
	args := make([]any, len(p.args))
	for i, arg := range p.args {
		switch arg := arg.(type) {
		case amount:
			args[i] = write(arg)
		case U:
			args[i] = "p" + plain(int64(arg), 7)
		default:
			args[i] = arg
		}
	}
	return fmt.Sprintf(p.format, args...)
}

// InFactors returns an error of this package with its values written as plain factors ("1.5") and not as durations
// ("1.5s"). Any other error is returned as it is.
func InFactors(err error) error {
	var p *problem
	if !errors.As(err, &p) {
		return err
	}
	return errors.New(p.say(func(a amount) string { return plain(int64(a), 9) }))
}

func percent(u uint64) string { return plain(int64(u), 7) + "%" }

// plain writes v divided by 10 to the power of digits, with no more digits than it needs.
func plain(v int64, digits int) string {
	sign := ""
	if v < 0 {
		sign, v = "-", -v
	}
	s := fmt.Sprintf("%0*d", digits+1, v)
	front, back := s[:len(s)-digits], s[len(s)-digits:]
	for back != "" && back[len(back)-1] == '0' {
		back = back[:len(back)-1]
	}
	if back != "" {
		back = "." + back
	}
	return sign + front + back
}
