package fault

import "time"

// End is how an answer is over.
type End uint8

// The ends. On HTTP/2 and HTTP/3 an end without its terminator is a reset of the stream.
const (
	Finish      End = iota // the terminator; the connection is kept
	Close                  // the terminator, then the connection is closed (FIN)
	Cut                    // no terminator: the connection is closed (FIN), the stream reset
	Reset                  // RST of the connection; of HTTP/3, the connection is closed at once
	Short                  // content-length says more than is sent; then FIN
	Delimited              // neither length nor chunks: the FIN is the end. HTTP/1.1 only
	KeepOpen               // nothing more, no terminator, and the socket stays open until the client leaves
	GoAway                 // HTTP/2: GOAWAY, then as [Finish]
	StreamReset            // HTTP/2 and HTTP/3: the stream alone is reset, with Code
	ResetNext              // as [Finish], and the connection's next request meets an RST
	IdleClose              // as [Finish], and the connection is closed after Idle without a request
)

// Terminates reports whether the client gets to know that the body is whole.
func (e End) Terminates() bool {
	switch e {
	case Cut, Reset, Short, KeepOpen, StreamReset:
		return false
	default:
		return true
	}
}

// Ending says how the answer ends and where; nothing is sent behind After. The zero After is the answer's
// own end; with the place headers nothing is sent at all. It takes place at the instant of the last byte before it and of the silence that stands there,
// or at the given instant.
type Ending struct {
	End   End
	After Place
	// Idle is how long the connection is kept, with [IdleClose].
	Idle time.Duration
	// Code is the error code of [StreamReset] and [GoAway].
	Code uint32
	// LastBefore says that [GoAway] names the stream before this one as its last.
	LastBefore bool
}

func (f Ending) apply(w *work) error {
	if f.After.isLate() {
		return f.late(w)
	}
	switch p := f.After; {
	case p.Headers:
		w.units, w.Headless = nil, true
		w.EndDue, w.Gate = w.Head, ""
	case !p.IsZero() && !p.End:
		at, err := w.gaps(p, false, true)
		if err != nil {
			return err
		}
		w.end(at[0])
	}
	f.choose(w)
	return nil
}

// choose makes this the answer's ending.
func (f Ending) choose(w *work) {
	w.Ending = f
	w.Ending.After = Place{}
	if f.End == KeepOpen {
		w.EndDue = Never
	}
}

// end lets nothing leave from unit i on. The silence before it stays.
func (w *work) end(i int) {
	if i == len(w.units) {
		return
	}
	behind := w.lead
	if i > 0 {
		behind = w.units[i-1].behind
	}
	w.EndDue = plus(w.lastDue(i), behind)
	w.Gate = w.units[i].Gate
	for j := i; j < len(w.units); j++ {
		w.lost += w.units[j].len()
	}
	w.units = w.units[:i]
}

// late ends the answer behind a byte or at an instant.
func (f Ending) late(w *work) error {
	switch p := f.After; {
	case p.AtByte && (p.Byte < 0 || p.Byte > total(w.writes)), !p.AtByte && p.After > w.EndDue:
		return errMissing
	case p.AtByte:
		var at int
		w.writes, at = splitAt(w.writes, p.Byte)
		if at < len(w.writes) {
			w.endWrites(at)
		}
	default:
		at := 0
		for at < len(w.writes) && w.writes[at].due <= p.After {
			at++
		}
		if w.Head > p.After {
			at, w.Headless = 0, true
			w.Head, w.HeadGate = p.After, ""
		}
		w.keep(at)
		w.EndDue, w.Gate = p.After, ""
	}
	f.choose(w)
	return nil
}

// endWrites lets nothing leave from write i on. The silence before it stays.
func (w *work) endWrites(i int) {
	due, behind := w.Head, w.lead
	if i > 0 {
		due, behind = w.writes[i-1].due, w.writes[i-1].behind
	}
	w.EndDue, w.Gate = plus(due, behind), w.writes[i].gate
	w.keep(i)
}
