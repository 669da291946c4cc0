package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Problem is one thing that is wrong with a file, and where.
type Problem struct {
	// File is the name that the file was loaded under; a parent's problems carry the parent's.
	File string
	// Line and Column count from 1; a column counts characters. They lie within the file.
	Line, Column int
	// Message says what is wrong, in one sentence without a full stop.
	Message string
	// Excerpt is the offending line; empty when there is none to show.
	Excerpt string
	// Hint says what to do about it; may be empty.
	Hint string
}

// Error is the problem as a paragraph: position and message, the line with a caret, the hint.
func (p Problem) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
	if p.Excerpt != "" {
		excerpt, column := clip(p.Excerpt, p.Column)
		number := fmt.Sprintf("%5d", p.Line)
		fmt.Fprintf(&b, "\n%s | %s", number, strings.Map(visible, excerpt))
		fmt.Fprintf(&b, "\n%s | %s^", strings.Repeat(" ", len(number)), strings.Repeat(" ", column-1))
	}
	if p.Hint != "" {
		fmt.Fprintf(&b, "\n      hint: %s", p.Hint)
	}
	return b.String()
}

func visible(r rune) rune {
	if r == '\t' || isControl(r) {
		return ' '
	}
	return r
}

// clip cuts a very long line to a window around the column.
func clip(line string, column int) (string, int) {
	const width = 120
	r := []rune(line)
	if len(r) <= width {
		return line, min(max(column, 1), len(r)+1)
	}
	from := max(0, min(column-width/2, len(r)-width))
	return string(r[from : from+width]), min(max(column-from, 1), width+1)
}

// Problems is everything that is wrong with a file and its parents, sorted by file and position.
type Problems []Problem

// Error is all problems, one per paragraph.
func (p Problems) Error() string {
	parts := make([]string, len(p))
	for i, one := range p {
		parts[i] = one.Error()
	}
	return strings.Join(parts, "\n\n")
}

func (p Problems) sorted() Problems {
	slices.SortStableFunc(p, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Message, b.Message))
	})
	p = slices.Compact(p)
	if len(p) > maxProblems {
		last := p[maxProblems]
		last.Message, last.Hint = fmt.Sprintf("and %d more problems from here on", len(p)-maxProblems), ""
		p = append(p[:maxProblems], last)
	}
	return p
}

// maxProblems bounds what one file reports.
const maxProblems = 100

// source is one file's text, by lines, as problems show it.
type source struct {
	file  string
	lines []string
}

func newSource(file, text string) *source {
	return &source{file: file, lines: strings.Split(text, "\n")}
}

func (s *source) line(n int) string {
	if n < 1 || n > len(s.lines) {
		return ""
	}
	return s.lines[n-1]
}

// problem makes a Problem at a position, which is moved into the file when it lies outside.
func (s *source) problem(line, column int, message, hint string) Problem {
	line = min(max(line, 1), len(s.lines))
	text := s.lines[line-1]
	column = min(max(column, 1), utf8.RuneCountInString(text)+1)
	return Problem{File: s.file, Line: line, Column: column, Message: message, Excerpt: text, Hint: hint}
}

// report collects problems while a file is read.
type report struct {
	problems Problems
}

// at notes a problem at a node; the hint may be empty.
func (r *report) at(n *node, hint, format string, args ...any) {
	r.problems = append(r.problems, n.src.problem(n.line, n.col, fmt.Sprintf(format, args...), hint))
}
