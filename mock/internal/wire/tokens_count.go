package wire

import (
	"math/bits"
	"unicode/utf8"
)

// CountTokens is the number of tokens of text. It takes short cuts past the usual words, marks and
// ideographs; NextToken alone would count the same.
func CountTokens(text string) int {
	count, i := 0, 0
	for i < len(text) {
		// A word with a space and a mark before it: eight letters tell its whole length or its first piece.
		if i+10 <= len(text) {
			at, piece := i, nextPiece
			if text[i] == ' ' {
				at, piece = i+1, firstPiece
			}
			run := asciiLetters(text[at : at+8])
			if run == 0 {
				kind, next := byteClass[text[at]], byteClass[text[at+1]]
				switch {
				case kind == markByte && next == letterByte:
					at++
					run = asciiLetters(text[at : at+8])
				case kind == markByte && next != markByte && text[at+1] < utf8.RuneSelf,
					kind == newlineByte && next != newlineByte && text[at+1] < utf8.RuneSelf && at == i:
					count++
					i = at + 1
					continue
				}
			}
			if run == 8 {
				run = piece // and the next token begins with a letter
			}
			if run > 0 && text[at+run] < utf8.RuneSelf {
				count++
				if run > piece {
					count++
				}
				i = at + run
				continue
			}
		}
		if n := ideographsLen(text[i:]); n > 0 {
			count += n / 3
			i += n
			continue
		}
		count++
		i += NextToken(text[i:])
	}
	return count
}

// asciiLetters is how many ASCII letters the eight bytes begin with.
func asciiLetters(s string) int {
	const ones = 0x0101010101010101
	w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	low := (w | 0x20*ones) & (0x7f * ones)
	letter := (low + (0x80-'a')*ones) &^ (low + (0x7f-'z')*ones) &^ w & (0x80 * ones)
	return bits.TrailingZeros64(letter^(0x80*ones)) / 8
}

// ideographsLen is the length of the characters of U+3000 to U+CFFF and U+FF00 to U+FF7F that text
// begins with, three bytes each, without one that an extender follows.
func ideographsLen(text string) int {
	n := 0
	for n+3 <= len(text) {
		first, second, third := text[n], text[n+1], text[n+2]
		if second&0xc0 != 0x80 || third&0xc0 != 0x80 {
			break
		}
		if (first < 0xe3 || first > 0xec) && (first != 0xef || second != 0xbc && second != 0xbd) {
			break
		}
		n += 3
	}
	if n > 0 && extenderLen(text[n:]) > 0 {
		n -= 3
	}
	return n
}
