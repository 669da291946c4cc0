package reply

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// spoken are the fixtures in a language, of all languages if it has none. A fixture's name begins
// with its language: en-tides.
func (l *Library) spoken(language string) []string {
	if names := l.tongues[language]; len(names) > 0 {
		return names
	}
	return l.names
}

// fixtures are those that a reply may be: the scenario's, or all of the prompt's language.
func (l *Library) fixtures(a *Ask) []string {
	if a.Spec.Language == "" {
		return a.Spec.Fixtures
	}
	return l.spoken(l.languageOf(a.Request.LastUserText()))
}

// languageOf guesses the language of a prompt: by its letters, and among those that write Latin
// ones by their commonest words. What it can't tell is English.
func (l *Library) languageOf(text string) string {
	const enough = 400 // bytes that settle it
	if len(text) > enough {
		cut := enough
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut]
	}
	var han, kana, hangul, cyrillic, greek, hebrew, arabic, devanagari, latin int
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			if unicode.IsLetter(r) {
				latin++
			}
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.Is(unicode.Hangul, r):
			hangul++
		case unicode.Is(unicode.Cyrillic, r):
			cyrillic++
		case unicode.Is(unicode.Greek, r):
			greek++
		case unicode.Is(unicode.Hebrew, r):
			hebrew++
		case unicode.Is(unicode.Arabic, r):
			arabic++
		case unicode.Is(unicode.Devanagari, r):
			devanagari++
		case unicode.IsLetter(r):
			latin++
		}
	}
	if kana > 0 && kana+han > latin/4 { // a little kana tells Japanese from Chinese
		return "ja"
	}
	most, language := latin/4, ""
	for _, c := range [...]struct {
		n        int
		language string
	}{{han, "zh"}, {hangul, "ko"}, {cyrillic, "ru"}, {greek, "el"}, {hebrew, "he"}, {arabic, "ar"}, {devanagari, "hi"}} {
		if c.n > most {
			most, language = c.n, c.language
		}
	}
	if language == "" {
		language = l.latin(text)
	}
	return language
}

// latin is the language that most of the text's words are common in; English when there is no saying.
func (l *Library) latin(text string) string {
	var score [8]int
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		for in := l.common[strings.ToLower(word)]; in != 0; in &= in - 1 {
			score[bits.TrailingZeros8(in)]++
		}
	}
	best := 0
	for i := range score {
		if score[i] > score[best] {
			best = i
		}
	}
	return commonWords()[best].language
}

type vocabulary struct{ language, words string }

// commonWords are words that tell a language from others with Latin letters, English first.
func commonWords() [8]vocabulary {
	return [...]vocabulary{
		{"en", "the a an is are was you i to of and in for it that what how why please with my me can do this on write tell"},
		{"de", "der die das und ist ein eine ich du wie was warum nicht mit für auf den zu bitte mir kannst von im wir sie schreibe erkläre"},
		{"fr", "le la les un une des et est je tu vous que qui quoi comment pourquoi pas avec pour dans sur moi du écris bonjour peux"},
		{"es", "el la los las un una y es yo tú que qué cómo por porque no con para en de mi escribe hola puedes cuál dónde"},
		{"it", "il lo la gli un una e è io tu che come perché non con per in di mi scrivi ciao puoi qual sono dove della"},
		{"pt", "o a os as um uma e é eu você que como por não com para em de me escreva olá pode qual onde do da são"},
		{"pl", "i w na z jest nie to się że jak co dlaczego czy mi o do dla napisz proszę cześć możesz jaki są"},
		{"tr", "bir ve bu ne nasıl neden için ile da de mi mı mu var yok ben sen bana yaz lütfen merhaba olan çok"},
	}
}

// vocabularies says by word in which of the languages it is common, a bit for each.
func vocabularies() map[string]uint8 {
	common := map[string]uint8{}
	for i, v := range commonWords() {
		for word := range strings.FieldsSeq(v.words) {
			common[word] |= 1 << i
		}
	}
	return common
}
