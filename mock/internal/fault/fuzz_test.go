package fault_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	. "github.com/seed-954e9acd/orrery/mock/internal/fault"
)

// source decodes bytes into faults. Any bytes are faults.
type source struct{ b []byte }

func (s *source) byte() int {
	if len(s.b) == 0 {
		return 0
	}
	c := s.b[0]
	s.b = s.b[1:]
	return int(c)
}

func (s *source) bool() bool { return s.byte()%2 == 1 }

// number is mostly small, sometimes any.
func (s *source) number() int64 {
	switch c := s.byte(); {
	case c < 250:
		return int64(c)
	case c < 252:
		return -int64(s.byte())
	default:
		var b [8]byte
		s.b = s.b[copy(b[:], s.b):]
		return int64(binary.LittleEndian.Uint64(b[:]))
	}
}

func (s *source) lasting() time.Duration {
	switch n := s.number(); {
	case n == 99:
		return Never
	case n < 250:
		return time.Duration(n) * 10 * ms
	default: // less makes as many pieces as there may be, which takes too long to do often
		return max(time.Duration(n), ms)
	}
}

func (s *source) text() string {
	n := min(s.byte()%8, len(s.b))
	text := string(s.b[:n])
	s.b = s.b[n:]
	return text
}

func (s *source) place() Place {
	spellings := [...]string{
		"1", "3", "message_stop", "content_block_delta 2", "last content_block_delta", "every content_block_delta", "every 2", "all",
		"start", "end", "headers", "line 1", "line 2", "last", "ping", "250ms", "message_stop 9",
	}
	switch i := s.byte() % (len(spellings) + 3); {
	case i < len(spellings):
		return at(spellings[i])
	case i == len(spellings):
		return Place{AtByte: true, Byte: s.number()}
	case i == len(spellings)+1:
		return Place{After: s.lasting()}
	default:
		return Place{}
	}
}

func (s *source) content() Content {
	text := s.text()
	switch s.byte() % 8 {
	case 0:
		return Ping{}
	case 1:
		return Event{Name: text, Data: new(s.text())}
	case 2:
		return Event{ID: &text}
	case 3:
		return Comment{Text: text, Blank: s.bool()}
	case 4:
		return Raw{Bytes: []byte(text)}
	case 5:
		return Delta{Text: text, Size: s.number() % 4000 * 500}
	case 6:
		return ErrorEvent{Type: text, Data: new(text)}
	default:
		return ErrorEvent{Type: "api_error", Message: text}
	}
}

func (s *source) fault() Fault {
	switch s.byte() % 18 {
	case 0:
		return Insert{Content: s.content(), Before: s.place(), After: s.place(), Count: int(s.number() % 9), Ends: s.bool()}
	case 1:
		return Insert{Content: s.content(), Every: s.lasting()}
	case 2:
		return Drop{At: s.place()}
	case 3:
		return Duplicate{At: s.place()}
	case 4:
		return Move{At: s.place(), After: s.place()}
	case 5:
		return Replace{At: s.place(), With: s.content()}
	case 6:
		return Edit{At: s.place(), Body: s.bool(), Set: []Setting{{Path: s.text(), JSON: "1"}}, Unset: []string{s.text()}}
	case 7:
		return LineEnding{Cycle: []Newline{Newline(s.byte() % 4), Newline(s.byte() % 4)}}
	case 8:
		return EventLines{Of: s.place()}
	case 9:
		return DataLines{Form: DataForm(s.byte() % 3), Of: s.place()}
	case 10:
		return Fields{Lines: []Field{{s.text(), s.text()}}, Of: s.place()}
	case 11:
		return Escape{}
	case 12:
		return Stall{For: s.lasting(), Gate: s.text(), After: s.place(), Before: s.place(), Inside: s.place()}
	case 13:
		return Stall{For: s.lasting(), Inside: s.place()}
	case 14:
		return Stall{For: s.lasting(), After: s.place()}
	case 15:
		return Pace{Factor: float64(s.byte()) / 10}
	case 16:
		return Ending{End: End(s.byte() % 11), After: s.place()}
	default:
		return s.carrying()
	}
}

// carrying is a fault that changes neither events nor their bytes, only how these leave.
func (s *source) carrying() Fault {
	switch s.byte() % 7 {
	case 0:
		return WriteSize{Size: int(s.number()), Gap: s.lasting(), Within: s.bool()}
	case 1:
		return Cuts{At: CutAt(s.byte() % 5), Byte: s.number(), Of: s.place(), Gap: s.lasting()}
	case 2:
		return Coalesce{Events: int(s.number()), All: s.bool()}
	case 3:
		return Hold{Bytes: s.number()}
	case 4:
		return Hold{Events: int(s.number())}
	case 5:
		return Hold{Every: s.lasting()}
	default:
		return Gzip{Mode: GzipMode(s.byte() % 3)}
	}
}

func FuzzApply(f *testing.F) {
	for kind := range byte(18) {
		f.Add([]byte{kind, 4, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, true)
		f.Add([]byte{kind, 0, kind, 5, 3, 17, 0, 7, 1, 12, 99, 0, 5, 16, 2, 17, 40, 0, 0}, kind%2 == 0)
	}
	for kind := range byte(7) {
		f.Add([]byte{17, kind, 7, 2, 1, 17, 0, 5, 0, 0, 17, 2, 3, 0}, true)
	}
	f.Fuzz(func(t *testing.T, b []byte, streamed bool) {
		in := whole()
		if streamed {
			in = stream()
		}
		before := body(in)
		s := &source{b: b[:min(len(b), 400)]}
		var faults []Fault
		for len(s.b) > 0 && len(faults) < 4 { // each may multiply what the ones before made
			faults = append(faults, s.fault())
		}
		out := Apply(in, faults)
		require.Equal(t, before, body(in), "the pieces that came in may not change")
		sound(t, out)
		requireCarried(t, in, &source{b: b})
	})
}

// sound checks what holds for every answer.
func sound(t *testing.T, a Answer) {
	due := a.Head
	for _, p := range a.Pieces {
		if p.Due < due {
			t.Fatalf("a piece is due at %s behind one at %s", p.Due, due)
		}
		due = p.Due
	}
	require.GreaterOrEqual(t, a.EndDue, due)
	require.LessOrEqual(t, a.EndDue, Never)
	require.LessOrEqual(t, len(a.Pieces), 1_000_000)
	require.False(t, a.Headless && len(a.Pieces) > 0)
}

// requireCarried checks that faults of carrying alone change neither bytes nor what they are.
func requireCarried(t *testing.T, in Answer, s *source) {
	var faults []Fault
	size := 0
	for len(s.b) > 0 && len(faults) < 6 {
		f := s.carrying()
		faults = append(faults, f)
		if w, ok := f.(WriteSize); ok && !w.Within && w.Size > 0 {
			size = w.Size
		} else if _, holds := f.(Hold); !holds {
			size = 0
		}
	}
	out := Apply(in, faults)
	sound(t, out)
	if size > 0 && !strings.Contains(strings.Join(out.Missed, "\n"), "write_size") {
		for i, p := range out.Pieces {
			if i+1 < len(out.Pieces) {
				require.Len(t, p.Bytes, size)
			}
		}
	}
	plain := body(out)
	if out.Encoding != "" {
		plain = unzipped(t, plain)
	}
	require.Equal(t, body(in), plain)
	require.Equal(t, tokens(in), tokens(out))
}
