package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/text/unicode/runenames"

	"github.com/seed-954e9acd/orrery/mock"
)

// tokenReport is what tokens --json prints.
type tokenReport struct {
	Tokens int   `json:"tokens"`
	Bytes  int   `json:"bytes"`
	Odd    []odd `json:"odd"`
	// Cut holds the text's tokens, with --show only.
	Cut []string `json:"cut,omitempty"`
}

// odd is a character that a reader may take for another, or not see at all.
type odd struct {
	Offset int    `json:"offset"` // in bytes, from 0
	Line   int    `json:"line"`   // from 1
	Column int    `json:"column"` // in characters, from 1
	Code   string `json:"code"`   // U+200B, or the byte of invalid UTF-8 as 0xFF
	Name   string `json:"name"`   // Unicode's name of it
	Kind   string `json:"kind"`
}

func tokensCommand(c *console) *cobra.Command {
	var asJSON, show bool
	cmd := &cobra.Command{
		Use:   "tokens FILE",
		Short: "Count a text's tokens, and find its odd characters",
		Long: "Counts by the mock's own rule, which isn't the vendor's tokenizer; then lists, a line each, the\n" +
			"characters that are easily taken for others or not seen: OFFSET LINE:COLUMN CODE NAME (KIND).\n" +
			"FILE may be - for stdin.",
		Example: "  orrery tokens prompt.txt\n  echo 'Hello, world' | orrery tokens - --show",
		Args:    oneArg("one file, or - for stdin"),
		RunE: func(_ *cobra.Command, args []string) error {
			body, err := c.read(args[0])
			if err != nil {
				return err
			}
			text := string(body)
			report := tokenReport{Tokens: mock.CountTokens(text), Bytes: len(text), Odd: oddities(text)}
			if show {
				report.Cut = mock.Tokens(text)
			}
			if asJSON {
				return c.printJSON(report)
			}
			c.printf("%d tokens\n", report.Tokens)
			for _, o := range report.Odd {
				c.printf("%d %d:%d %s %s (%s)\n", o.Offset, o.Line, o.Column, o.Code, o.Name, o.Kind)
			}
			for _, token := range report.Cut {
				c.printf("%s\n", strconv.Quote(token))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().BoolVar(&show, "show", false, "print each token too, quoted, a line each")
	return cmd
}

// read is a file's bytes, or stdin's for "-".
func (c *console) read(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(c.stdin)
	}
	body, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("can't %w; name a readable file, or - for stdin", err)
	}
	return body, nil
}

// oddities finds the odd characters of a text, in order.
func oddities(text string) []odd {
	found := []odd{}
	line, column := 1, 1
	for offset, r := range text {
		if r == '\r' && strings.HasPrefix(text[offset+1:], "\n") {
			column++
			continue // a line end of Windows
		}
		o := odd{Offset: offset, Line: line, Column: column}
		column++
		if r == '\n' {
			line, column = line+1, 1
		}
		_, size := utf8.DecodeRuneInString(text[offset:])
		if r == utf8.RuneError && size == 1 {
			o.Code, o.Name, o.Kind = fmt.Sprintf("0x%02X", text[offset]), "<no character>", "invalid UTF-8"
		} else if o.Kind = oddKind(r); o.Kind != "" {
			o.Code, o.Name = fmt.Sprintf("U+%04X", r), runenames.Name(r)
		} else {
			continue
		}
		found = append(found, o)
	}
	return found
}

// oddKind says in which way a character is odd; empty for most.
func oddKind(r rune) string {
	switch {
	case r == '\n' || r == '\t' || r >= ' ' && r <= '~':
		return ""
	case unicode.Is(unicode.Cc, r):
		return "control character"
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r):
		return "invisible"
	case unicode.Is(unicode.Z, r):
		return "space that isn't ASCII"
	case unicode.IsDigit(r):
		return "digit that isn't ASCII"
	case unicode.IsPunct(r):
		return "punctuation that isn't ASCII"
	case r == utf8.RuneError:
		return "stands for a lost character"
	case !unicode.IsGraphic(r):
		return "unassigned or private"
	}
	return ""
}
