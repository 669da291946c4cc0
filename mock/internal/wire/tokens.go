package wire

import "unicode/utf8"

// The rule by which text is cut into tokens, from left to right. It stands in for a tokenizer that
// nobody outside has: it has no vocabulary, and English comes to about four characters a token.
//
// A token is the longest of these that fits:
//
//   - letters: at most firstPiece bytes of them after a space, else at most nextPiece; so a long word
//     is several tokens, and letters that UTF-8 writes in two or three bytes weigh as much. One
//     punctuation mark right before them belongs to them: 's, (see, .Println
//   - at most three digits
//   - a run of at most markRun bytes of punctuation
//   - one ideograph, kana, hangul syllable, pictograph or other symbol; two regional indicators (a flag)
//   - a run of at most blankRun line ends, or of as many tabs
//   - a run of at most spaceRun spaces
//   - one byte that is not UTF-8
//
// One space before any of the first five belongs to it, the line ends aside, and so do up to
// extenderRun extenders after it: variation selectors, zero-width joiners, skin tones, keycaps, tags.
//
// What a token is depends on nothing before it, and on nothing after it that its own text would
// not give. So cutting a text at a token's end changes no token on either side.
const (
	firstPiece  = 6
	nextPiece   = 4
	digitRun    = 3
	markRun     = 4
	blankRun    = 8
	spaceRun    = 16
	extenderRun = 8
)

// The classes of a character's first byte, as they stand in byteClass.
const (
	spaceByte   = 's'
	newlineByte = 'n'
	tabByte     = 't'
	letterByte  = 'a'
	digitByte   = 'd'
	markByte    = 'p'
	latinByte   = 'q' // U+0080 to U+00BF: punctuation
	letter2Byte = 'b' // U+00C0 to U+07FF: letters
	letter3Byte = 'c' // U+0800 to U+1FFF: letters
	mixedByte   = 'e' // U+2000 to U+2FFF: punctuation up to U+207F, then symbols
	wideByte    = 'w' // U+3000 to U+FFFF: a token each
	planeByte   = 'f' // U+10000 and above: a token each
	badByte     = 'x'
)

// byteClass is indexed by a byte. A constant can't be written to, and a string is one lookup.
const byteClass = "" +
	"ppppppppptnppnpppppppppppppppppp" + // 00
	"spppppppppppppppddddddddddpppppp" + // 20
	"paaaaaaaaaaaaaaaaaaaaaaaaaappppp" + // 40
	"paaaaaaaaaaaaaaaaaaaaaaaaaappppp" + // 60
	"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" + // 80
	"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" + // A0
	"xxqbbbbbbbbbbbbbbbbbbbbbbbbbbbbb" + // C0
	"ccewwwwwwwwwwwwwfffffxxxxxxxxxxx" // E0

// TokenEnds appends to dst the byte offset at which each token of text ends, and returns it.
// The text must be shorter than 4 GiB.
func TokenEnds(dst []uint32, text string) []uint32 {
	for i := 0; i < len(text); {
		i += NextToken(text[i:])
		dst = append(dst, uint32(i))
	}
	return dst
}

// NextToken is the length in bytes of the first token of text; 0 of the empty text alone.
func NextToken(text string) int {
	if text == "" {
		return 0
	}
	start, piece := 0, nextPiece
	kind, size := charAt(text, 0)
	switch kind {
	case newlineByte, tabByte:
		return runOf(text, kind, blankRun)
	case spaceByte:
		n := runOf(text, spaceByte, spaceRun)
		if n == len(text) || n == spaceRun {
			return n
		}
		kind, size = charAt(text, n)
		if kind == newlineByte || kind == tabByte || kind == badByte {
			return n
		}
		if n > 1 {
			return n - 1 // the last one belongs to what follows
		}
		start, piece = 1, firstPiece
	case badByte:
		return 1
	}
	return extended(text, start+bodyLen(text[start:], kind, size, piece))
}

// bodyLen is the length of the token that begins, behind any space, with a character of this kind and size.
func bodyLen(text string, kind byte, size, piece int) int {
	switch kind {
	case letterByte:
		return lettersLen(text, piece)
	case digitByte:
		return runOf(text, digitByte, digitRun)
	case markByte:
		if n := lettersLen(text[size:], piece); n > 0 {
			return size + n
		}
		for size < len(text) {
			next, n := charAt(text, size)
			if next != markByte || size+n > markRun {
				break
			}
			size += n
		}
		return size
	case planeByte:
		if isFlagHalf(text) && isFlagHalf(text[size:]) {
			return 2 * size
		}
	}
	return size
}

// charAt gives the kind (letter, digit, mark, wide, plane, space, newline, tab or bad) and the
// length in bytes of the character at i.
func charAt(text string, i int) (kind byte, size int) {
	kind = byteClass[text[i]]
	if text[i] < utf8.RuneSelf || kind == badByte {
		return kind, 1
	}
	if (kind == letter2Byte || kind == latinByte) && i+1 < len(text) && text[i+1]&0xc0 == 0x80 {
		size = 2
	} else if _, size = utf8.DecodeRuneInString(text[i:]); size == 1 {
		return badByte, 1
	}
	switch kind {
	case latinByte:
		kind = markByte
	case letter2Byte, letter3Byte:
		kind = letterByte
	case mixedByte:
		kind = wideByte
		if text[i+1] < 0x82 {
			kind = markByte
		}
	}
	return kind, size
}

// lettersLen is the length of the letters that text begins with, at most piece bytes of them.
func lettersLen(text string, piece int) int {
	n := 0
	for n < len(text) && n < piece {
		if byteClass[text[n]] == letterByte {
			n++
			continue
		}
		kind, size := charAt(text, n)
		if kind != letterByte || n+size > piece {
			break
		}
		n += size
	}
	return n
}

// runOf is how many bytes of this class text begins with, at most limit.
func runOf(text string, class byte, limit int) int {
	n := 0
	for n < len(text) && n < limit && byteClass[text[n]] == class {
		n++
	}
	return n
}

// extended is the end of a token with the extenders behind it.
func extended(text string, end int) int {
	for range extenderRun {
		n := extenderLen(text[end:])
		if n == 0 {
			break
		}
		end += n
	}
	return end
}

// extenderLen is the length of the extender that text begins with, or 0.
func extenderLen(text string) int {
	if text == "" || text[0] < 0xe2 {
		return 0
	}
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case r == 0x200d, // zero-width joiner
		r == 0x20e3,                  // keycap
		r >= 0xfe00 && r <= 0xfe0f,   // variation selectors
		r >= 0x1f3fb && r <= 0x1f3ff, // skin tones
		r >= 0xe0020 && r <= 0xe01ef: // tags, and more variation selectors
		return size
	}
	return 0
}

// isFlagHalf says whether text begins with a regional indicator, U+1F1E6 to U+1F1FF.
func isFlagHalf(text string) bool {
	return len(text) >= 4 && text[:3] == "\xf0\x9f\x87" && text[3] >= 0xa6 && text[3] <= 0xbf
}
