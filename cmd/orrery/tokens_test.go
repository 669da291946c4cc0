package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOddCharactersAreFoundWhereTheyStand(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []odd
	}{
		"plain text":         {"Hello, world!\n\tgrüße, 世界 😀\r\n", []odd{}},
		"nothing":            {"", []odd{}},
		"a quotation mark":   {"a“", []odd{{1, 1, 2, "U+201C", "LEFT DOUBLE QUOTATION MARK", "punctuation that isn't ASCII"}}},
		"a zero-width space": {"\n\u200b", []odd{{1, 2, 1, "U+200B", "ZERO WIDTH SPACE", "invisible"}}},
		"a variation":        {"\ufe0f", []odd{{0, 1, 1, "U+FE0F", "VARIATION SELECTOR-16", "invisible"}}},
		"a digit":            {"日٣", []odd{{3, 1, 2, "U+0663", "ARABIC-INDIC DIGIT THREE", "digit that isn't ASCII"}}},
		"a space":            {"\u00a0", []odd{{0, 1, 1, "U+00A0", "NO-BREAK SPACE", "space that isn't ASCII"}}},
		"a control":          {"\x07", []odd{{0, 1, 1, "U+0007", "<control>", "control character"}}},
		"a lone return":      {"a\rb", []odd{{1, 1, 2, "U+000D", "<control>", "control character"}}},
		"a lost character":   {"\ufffd", []odd{{0, 1, 1, "U+FFFD", "REPLACEMENT CHARACTER", "stands for a lost character"}}},
		"a private one":      {"\ue000", []odd{{0, 1, 1, "U+E000", "<Private Use>", "unassigned or private"}}},
		"broken UTF-8":       {"é\xffé\xe2\x80", []odd{{2, 1, 2, "0xFF", "<no character>", "invalid UTF-8"}, {5, 1, 4, "0xE2", "<no character>", "invalid UTF-8"}, {6, 1, 5, "0x80", "<no character>", "invalid UTF-8"}}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, oddities(test.text))
		})
	}
}
