package claim

import (
	"strings"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/latency"
)

// words are what made-up texts consist of. Each is one token with the blank before it.
const words = "amber basin cedar delta ember fjord grove haven inlet jetty knoll larch marsh north olive pearl quill river " +
	"slate tidal upper vivid woods yield acorn birch cliff dunes eagle flint grain heath ivory jewel kelp light maple " +
	"notch ocean plain quiet ridge stone trail under vale water young atlas brook coast drift early field glade hills"

// proseBegins is the first word of all prose.
const proseBegins = "Note"

// prose is a text of exactly n tokens of no meaning, without a sentence's end. Texts of different
// names differ. The first word is short, since no blank stands before it.
func prose(place latency.Place, name string, n int) string {
	if n <= 0 {
		return ""
	}
	all := strings.Fields(words)
	key := latency.NewPlace(place.Hash(0), name)
	var b strings.Builder
	b.WriteString(proseBegins)
	for i := range n - 1 {
		b.WriteByte(' ')
		b.WriteString(all[key.Hash(uint64(i))%uint64(len(all))])
	}
	return b.String()
}

// label is one token, a blank ahead, that tells n from other numbers below 26⁵.
func label(n uint64) string {
	b := [6]byte{' '}
	for i := 5; i > 0; i-- {
		b[i] = 'a' + byte(n%26)
		n /= 26
	}
	return string(b[:])
}

// repeated is a text of n tokens of which exactly so many repeat earlier ones: prose, and behind it
// sentences that come again. The prose comes first, so that vary leaves the sentences alone.
func repeated(place latency.Place, name string, template, n int) string {
	var b strings.Builder
	sentence := func(words string, times int) {
		for range times {
			b.WriteString(words)
		}
	}
	const many, three, two = " Please keep the answer short and say so.", " Thank you.", " Thanks."
	per := wire.CountTokens(many)
	times, rest := template/per, template%per
	if rest == 1 && times > 0 {
		times--
		rest += per
	}
	if rest%2 == 1 && rest > 1 {
		rest -= wire.CountTokens(three)
		sentence(three, 2)
	}
	if times > 0 {
		sentence(many, times+1)
	}
	if pairs := rest / wire.CountTokens(two); pairs > 0 {
		sentence(two, pairs+1)
	}
	if left := n - wire.CountTokens(b.String()); left > 1 {
		return prose(place, name, left-1) + "." + b.String()
	}
	made := strings.TrimPrefix(b.String(), " ")
	return strings.TrimSpace(made + " " + prose(place, name, n-wire.CountTokens(made)))
}
