package probe

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// heard reads a stream in pieces of a size and lists its events as NAME=DATA.
func heard(t *testing.T, stream string, size int) []string {
	t.Helper()
	var all []string
	e := events{limit: 1 << 20, each: func(name, data []byte) error {
		all = append(all, fmt.Sprintf("%s=%s", name, data))
		return nil
	}}
	for len(stream) > 0 {
		n := min(size, len(stream))
		require.NoError(t, e.take([]byte(stream[:n])))
		stream = stream[n:]
	}
	return all
}

func TestEventsAreReadInWhateverPiecesTheyCome(t *testing.T) {
	for name, test := range map[string]struct {
		stream string
		want   []string
	}{
		"plain":                 {"event: a\ndata: {}\n\nevent: b\ndata: []\n\n", []string{"a={}", "b=[]"}},
		"without spaces":        {"event:a\ndata:{}\n\n", []string{"a={}"}},
		"one space is the rule": {"data:  x\n\n", []string{"= x"}},
		"data first":            {"data: x\nevent: a\n\n", []string{"a=x"}},
		"no name":               {"data: x\n\n", []string{"=x"}},
		"CRLF":                  {"event: a\r\ndata: x\r\n\r\nevent: b\r\ndata: y\r\n\r\n", []string{"a=x", "b=y"}},
		"CR":                    {"event: a\rdata: x\r\revent: b\rdata: y\r\r", []string{"a=x", "b=y"}},
		"mixed":                 {"event: a\r\ndata: x\n\revent: b\ndata: y\r\n\n", []string{"a=x", "b=y"}},
		"comments":              {": hello\nevent: a\n:\ndata: x\n: bye\n\n", []string{"a=x"}},
		"several data lines":    {"data: x\ndata\ndata: y\n\n", []string{"=x\n\ny"}},
		"unknown fields":        {"id: 7\nretry: 10\nevent: a\nfoo: bar\nfoo\ndata: x\n\n", []string{"a=x"}},
		"the last name counts":  {"event: a\nevent: b\ndata: x\n\n", []string{"b=x"}},
		"a name is for one":     {"event: a\ndata: x\n\ndata: y\n\n", []string{"a=x", "=y"}},
		"a name without data":   {"event: a\n\ndata: y\n\n", []string{"=y"}},
		"blank lines":           {"\n\n\ndata: x\n\n\n\n", []string{"=x"}},
		"no blank line":         {"data: x\n\ndata: y\n", []string{"=x"}},
		"a byte order mark":     {"\ufeffdata: x\n\n", []string{"=x"}},
		"colons in data":        {"data: {\"a\":\"b: c\"}\n\n", []string{`={"a":"b: c"}`}},
		"characters cut apart":  {"data: žluťoučký 🐎\n\n", []string{"=žluťoučký 🐎"}},
	} {
		t.Run(name, func(t *testing.T) {
			for size := 1; size <= len(test.stream); size++ {
				require.Equal(t, test.want, heard(t, test.stream, size), "in pieces of %d", size)
			}
		})
	}
}

func TestLinesAndDataAreBounded(t *testing.T) {
	for name, stream := range map[string]string{
		"a line in one piece": "data: " + strings.Repeat("x", 200) + "\n",
		"data of many lines":  strings.Repeat("data: xx\n", 60),
	} {
		for _, size := range []int{1, 7, len(stream)} {
			e := events{limit: 100, each: func(_, _ []byte) error { return nil }}
			var err error
			for i := 0; i < len(stream) && err == nil; i += size {
				err = e.take([]byte(stream[i:min(i+size, len(stream))]))
			}
			require.ErrorIs(t, err, errTooLong, "%s in pieces of %d", name, size)
		}
	}
}

func FuzzEventsAreTheSameInAnyPieces(f *testing.F) {
	f.Add("event: a\r\ndata: x\r\n\r\n", 3)
	f.Add("\ufeff:\rdata\n\n", 1)
	f.Fuzz(func(t *testing.T, stream string, size int) {
		if size < 1 {
			return
		}
		require.Equal(t, heard(t, stream, len(stream)+1), heard(t, stream, size))
	})
}

func BenchmarkReadingAStream(b *testing.B) {
	const spoken = "event: content_block_delta\n" +
		`data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello there "}}` + "\n\n"
	piece := []byte(spoken)
	b.ReportAllocs()
	a := answer{r: newResult(&Shot{}, 1, 0), stream: true, limit: 1 << 20}
	for b.Loop() {
		if a.take(piece, 0) != nil {
			b.Fatal("it must be read")
		}
		a.r.Deltas = a.r.Deltas[:0]
	}
}
