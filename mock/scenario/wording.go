package scenario

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	noField  = regexp.MustCompile(`^type (\S+) has no (?:field|method) (\w+)$`)
	mismatch = regexp.MustCompile(`^invalid operation: (\S+) \(mismatched types (\S+) and (\S+)\)$`)
	misfit   = regexp.MustCompile(`^cannot use (\S+) as argument \(type (\S+)\) to call (\w+)`)
	// decimalPercentile is a percentile as profiles write it, called as measures call it.
	decimalPercentile = regexp.MustCompile(`\bp\d+\.\d+\(`)
	unexpected        = regexp.MustCompile(`^unexpected token (\w+)\("(.*)"\)(.*)$`)
)

// commaHint helps with {measure: share(steady, stream)}, which YAML cuts at the comma.
const commaHint = "inside { } a comma ends the value: put the expression in quotes"

// plainWords says what the expression library says in the words of a scenario's author, with a
// hint where there is one.
func plainWords(message string, f *formula) (plain, hint string) {
	after := f.n.src.rest(f.n.line, f.n.col)
	switch {
	case strings.Contains(message, "unexpected token EOF"):
		if f.n.plain && strings.HasPrefix(after, f.n.text) && strings.HasPrefix(strings.TrimLeft(after[len(f.n.text):], " "), "#") {
			return "the expression ends too early", "` #` starts a comment in YAML: put the expression in quotes"
		}
		if f.n.plain && strings.HasPrefix(after, f.n.text) && strings.HasPrefix(after[len(f.n.text):], ",") {
			return "the expression ends too early", commaHint
		}
		if f.n.plain && strings.HasPrefix(after, f.n.text) && strings.Contains(f.n.text, "(") && !strings.Contains(f.n.text, ")") {
			return "the expression ends too early", commaHint
		}
		return "the expression ends too early", ""
	case mismatch.MatchString(message):
		m := mismatch.FindStringSubmatch(message)
		if m[2] == "string" || m[3] == "string" {
			hint = "text stands in quotes, numbers don't"
		}
		return "`" + m[1] + "` can't stand between " + typeWords(m[2]) + " and " + typeWords(m[3]), hint
	case misfit.MatchString(message):
		m := misfit.FindStringSubmatch(message)
		return m[3] + " can't take " + typeWords(m[1]), ""
	case strings.Contains(message, "maximum allowed nodes"):
		return fmt.Sprintf("the expression has more than %d parts", maxNodes), "name parts of it under `facts`"
	case noField.MatchString(message):
		m := noField.FindStringSubmatch(message)
		return typeWords(m[1]) + " has no part ." + m[2], ""
	case unexpected.MatchString(message):
		m := unexpected.FindStringSubmatch(message)
		switch {
		case m[2] == "=":
			hint = "write == for “is equal to”"
		case decimalPercentile.MatchString(f.n.text):
			hint = "write p999 for the 99.9th percentile, p9999 for the 99.99th"
		}
		return "`" + m[2] + "` can't stand here", hint
	}
	return message, ""
}

func typeWords(name string) string {
	switch name {
	case "int":
		return "a whole number"
	case "float64":
		return "a fraction"
	case "string":
		return "text"
	case "[]string":
		return "a list of texts"
	}
	return "a " + name
}
