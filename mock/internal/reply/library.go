// Package reply is what an answer says: a text of the scenario's own, or one of the fixtures,
// whole or made to a length, with the thoughts, calls of tools, structured output and citations
// that the request or the scenario wants, and cut where stop sequences and max_tokens say.
//
// It says nothing about when, and understands nothing: what isn't a text is made from draws. A text
// is a window of one that was cut into tokens when the library was opened, so an answer that is
// only that costs next to nothing.
//
//	library, err := reply.Open(fixtures.FS)
//	answer, err := library.Compose(reply.Ask{Spec: reply.For(outcome.Reply, request), Request: request, Choice: u})
package reply

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// Library holds the fixtures. Any number of runs may share it.
type Library struct {
	names []string
	index map[string]int
	// tongues are the fixtures' names by language.
	tongues map[string][]string
	common  map[string]uint8 // see vocabularies
	// places says where each fixture lies in corpus: all of them, joined by blank lines, twice
	// over, so that a reply may begin at any and go on past the last.
	places []place
	corpus text
	round  int // tokens of corpus until the first fixture comes again
	own    ownTexts
}

// place is a fixture's part of the corpus.
type place struct {
	first, tokens int
}

// text is a text and the byte offsets at which its tokens end.
type text struct {
	text string
	ends []uint32
}

// blankLine joins the fixtures. They neither begin nor end with white space, so it is a token.
const blankLine = "\n\n"

// Open reads replies/*.md, each the text of one answer, named by the file. White space around a
// text is dropped. An error names the file that is empty or not UTF-8; having none is an error too.
func Open(fsys fs.FS) (*Library, error) {
	files, err := fs.Glob(fsys, "replies/*.md")
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("no replies/*.md among the fixtures")
	}
	slices.Sort(files)
	l := &Library{index: make(map[string]int, len(files)), tongues: map[string][]string{}, common: vocabularies()}
	var all strings.Builder
	for _, file := range files {
		b, err := fs.ReadFile(fsys, file)
		if err != nil {
			return nil, err
		}
		said := strings.TrimSpace(string(b))
		switch {
		case said == "":
			return nil, fmt.Errorf("%s is empty", file)
		case !utf8.ValidString(said):
			return nil, fmt.Errorf("%s is not UTF-8", file)
		}
		name := strings.TrimSuffix(path.Base(file), ".md")
		l.index[name] = len(l.names)
		l.names = append(l.names, name)
		language, _, _ := strings.Cut(name, "-")
		l.tongues[language] = append(l.tongues[language], name)
		tokens := wire.CountTokens(said)
		l.places = append(l.places, place{l.round, tokens})
		l.round += tokens + 1
		all.WriteString(said)
		all.WriteString(blankLine)
	}
	l.corpus = tokenized(strings.Repeat(all.String(), 2))
	return l, nil
}

// Names are the fixtures' names, sorted.
func (l *Library) Names() []string { return slices.Clone(l.names) }

// Has reports whether there is a fixture of this name.
func (l *Library) Has(name string) bool {
	_, ok := l.index[name]
	return ok
}

func tokenized(s string) text {
	return text{s, wire.TokenEnds(make([]uint32, 0, wire.CountTokens(s)), s)}
}

// window is the n tokens of the text from the first-th on, or as many as there are.
func (t text) window(first, n int) wire.Block {
	last := min(first+n, len(t.ends))
	b := wire.Block{Type: "text", Ends: t.ends[first:last:last]}
	if first > 0 {
		b.Base = t.ends[first-1]
	}
	if last > first {
		b.Text = t.text[b.Base:t.ends[last-1]]
	}
	return b
}

// from is the window of n tokens that begins with a fixture, a copy if the corpus is too short.
func (l *Library) from(fixture, n int) wire.Block {
	first := l.places[fixture].first
	if first+n <= len(l.corpus.ends) {
		return l.corpus.window(first, n)
	}
	rounds := strings.Repeat(l.corpus.text[:l.corpus.ends[l.round-1]], (first+n)/l.round+1)
	return tokenized(rounds).window(first, n)
}
