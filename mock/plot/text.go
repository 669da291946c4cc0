package plot

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/guptarohit/asciigraph"
)

// Page is what [Text] writes for.
type Page struct {
	// Width is in columns; less than 30 count as 30, more than 160 as 160.
	Width int
	// Plain leaves out all but ASCII, for readers that have nothing else.
	Plain bool
	// Colour tells series apart by colour, beside what else tells them apart.
	Colour bool
}

const (
	narrowest = 30
	widest    = 160
	curveRows = 10
	barRows   = 8
)

// Text draws the figure in characters, with a line for each claim below.
func Text(f *Figure, p Page) string {
	p.Width = min(max(p.Width, narrowest), widest)
	t := &typist{Page: p}
	t.para(f.Title)
	t.para(f.Note)
	for i := range f.Panels {
		panel := &f.Panels[i]
		t.b.WriteByte('\n')
		t.para(panel.Title)
		switch f.Kind {
		case Gaps:
			t.bars(panel)
		case Timelines:
			t.rows(panel)
		default:
			t.curves(panel)
		}
		for j := range panel.Claims {
			t.para(panel.Claims[j].said())
		}
	}
	if p.Plain {
		return plainly(t.b.String())
	}
	return t.b.String()
}

// plainly puts ASCII in place of what not every reader of a pipe has.
func plainly(s string) string {
	s = strings.NewReplacer("┤", "|", "┼", "+", "│", "|", "─", "-", "┬", "+", "└", "+", "╭", ".", "╮", ".", "╰", "'", "╯", "'",
		"▁", ".", "▂", ".", "▃", ".", "▄", ":", "▅", ":", "▆", "#", "▇", "#", "█", "#", "┃", "I", "╌", ".", "●", "o", "µ", "u", "…", "~").Replace(s)
	return strings.Map(func(r rune) rune {
		if r > '~' {
			return '?'
		}
		return r
	}, s)
}

type typist struct {
	Page
	b strings.Builder
}

// para writes a sentence in as many lines as it needs.
func (t *typist) para(s string) {
	column := 0
	for _, word := range strings.Fields(printable(s)) {
		n := utf8.RuneCountInString(word)
		switch {
		case column > 0 && column+1+n > t.Width:
			t.b.WriteString("\n  ")
			column = 2
		case column > 0:
			t.b.WriteByte(' ')
			column++
		}
		t.b.WriteString(word)
		column += n
	}
	t.b.WriteByte('\n')
}

// printable leaves out what could move a terminal's cursor.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
}

// shade writes a text in the colour of a tone.
func (t *typist) shade(s string, tone int) string {
	if !t.Colour {
		return s
	}
	return terminalColour(tone).String() + s + asciigraph.Default.String()
}

// terminalColour is one that can be read on light and on dark.
func terminalColour(tone int) asciigraph.AnsiColor {
	return []asciigraph.AnsiColor{
		asciigraph.CornflowerBlue, asciigraph.Chocolate, asciigraph.MediumSeaGreen, asciigraph.MediumOrchid, asciigraph.DarkGoldenrod, asciigraph.CadetBlue,
	}[tone%tones]
}

// curves draws lines by asciigraph, which knows no logarithmic axis: it is given logarithms.
func (t *typist) curves(p *Panel) {
	width := t.Width - 12
	var lines [][]float64
	var colours []asciigraph.AnsiColor
	for _, s := range p.Series {
		if len(s.Points) == 0 {
			continue
		}
		lines = append(lines, p.line(&s, width))
		colours = append(colours, terminalColour(s.Tone))
	}
	if len(lines) == 0 {
		return
	}
	label := duration
	if p.Y.Scale == Log {
		label = func(v float64) string { return duration(math.Pow(10, v)) }
	}
	options := []asciigraph.Option{
		asciigraph.Height(curveRows), asciigraph.Width(width),
		asciigraph.YAxisValueFormatter(func(v float64) string { return fmt.Sprintf("%8s", label(v)) }),
	}
	if t.Colour {
		options = append(options, asciigraph.SeriesColors(colours...))
	} else if len(lines) > 1 {
		options = append(options, asciigraph.SeriesChars(letters(len(lines))...))
	}
	t.b.WriteString(trimmed(asciigraph.PlotMany(lines, options...)) + "\n")
	t.level(&p.X, 10, width-1)
	t.legend(p)
}

// letters draw each line with one of its own, where no colour tells them apart.
func letters(n int) []asciigraph.CharSet {
	sets := make([]asciigraph.CharSet, n)
	for i := range sets {
		sets[i] = asciigraph.CreateCharSet(letter(i))
	}
	return sets
}

func letter(i int) string { return string(rune('a' + i%26)) }

// line is a series at evenly spread places of the level axis.
func (p *Panel) line(s *Series, columns int) []float64 {
	line := make([]float64, columns)
	at := 0
	for i := range line {
		place := float64(i) / float64(columns-1)
		for at+1 < len(s.Points)-1 && p.X.place(s.Points[at+1].X) <= place {
			at++
		}
		v := s.Points[at].Y
		if at+1 < len(s.Points) {
			from, to := p.X.place(s.Points[at].X), p.X.place(s.Points[at+1].X)
			if to > from {
				v += (s.Points[at+1].Y - v) * math.Min(math.Max((place-from)/(to-from), 0), 1)
			}
		}
		if p.Y.Scale == Log {
			v = math.Log10(v)
		}
		line[i] = v
	}
	return line
}

// legend is a line for each series, with where it lies.
func (t *typist) legend(p *Panel) {
	width := 0
	for _, s := range p.Series {
		width = max(width, min(utf8.RuneCountInString(s.Name), longestName))
	}
	n := 0
	for _, s := range p.Series {
		if len(s.Points) == 0 {
			continue
		}
		key := t.shade("─", s.Tone)
		if !t.Colour && len(p.Series) > 1 {
			key = letter(n)
		}
		n++
		first, last := s.Points[0], s.Points[len(s.Points)-1]
		says := fmt.Sprintf("%s at %v, %s at %v", duration(first.Y), first.X, duration(last.Y), last.X)
		if p.X.Scale == Nines {
			says = fmt.Sprintf("p50 %s, p99 %s", duration(s.value(0.5)), duration(s.value(0.99)))
		}
		fmt.Fprintf(&t.b, "%s %-*s  %s\n", key, width, shortened(printable(s.Name), longestName), says)
	}
}

const longestName = 30

// bars draws a histogram in columns of blocks, each of as many bars as there is no room for by themselves.
func (t *typist) bars(p *Panel) {
	const margin = 7
	points := p.Series[0].Points
	together := 1
	for len(points)/together > t.Width-margin {
		together++
	}
	columns := make([]float64, (len(points)+together-1)/together)
	highest := 0.0
	for i, point := range points {
		columns[i/together] += point.Y
		highest = math.Max(highest, columns[i/together])
	}
	highest = math.Max(highest, 1e-9)
	for row := barRows - 1; row >= 0; row-- {
		axis := strings.Repeat(" ", margin-1) + "│"
		if row == barRows-1 || row == barRows/2-1 {
			axis = fmt.Sprintf("%*s ┤", margin-2, plain(highest*float64(row+1)/barRows)+"%")
		}
		var line strings.Builder
		for _, c := range columns {
			line.WriteRune(block(c/highest*barRows - float64(row)))
		}
		t.b.WriteString(axis + t.shade(strings.TrimRight(line.String(), " "), p.Series[0].Tone) + "\n")
	}
	t.b.WriteString(strings.Repeat(" ", margin-1) + "└" + strings.Repeat("─", len(columns)) + "\n")
	t.level(&p.X, margin, len(columns))
}

// block is the character for a column that is filled that far: it shows from a fortieth on.
func block(filled float64) rune {
	blocks := []rune(" ▁▂▃▄▅▆▇█")
	return blocks[min(max(int(math.Ceil(filled*8-0.2)), 0), 8)]
}

// rows draws a request in each line: waiting, a tick where tokens come, more where many do.
func (t *typist) rows(p *Panel) {
	name := 0
	for i := range p.Series {
		name = max(name, utf8.RuneCountInString(printable(rowName(&p.Series[i]))))
	}
	name = min(name, t.Width/3)
	ends := 0
	for i := range p.Series {
		ends = max(ends, len(rowEnd(&p.Series[i])))
	}
	width := max(t.Width-name-ends-2, 8)
	for i := range p.Series {
		s := &p.Series[i]
		over := width
		if s.Row.End != nil {
			over = column(&p.X, *s.Row.End, width) + 1
		}
		line := []rune(strings.Repeat("─", over) + strings.Repeat(" ", width-over))
		if s.Row.End == nil {
			line = []rune(strings.Repeat("╌", width))
		}
		counts := make([]int, width)
		for _, point := range s.Points {
			counts[column(&p.X, point.X, width)]++
		}
		for at, n := range counts {
			switch {
			case n > 1:
				line[at] = '┃'
			case n == 1:
				line[at] = '│'
			}
		}
		if s.Row.End != nil && len(s.Points) == 0 {
			line[over-1] = '●'
		}
		shown := shortened(printable(rowName(s)), name)
		pad := strings.Repeat(" ", name-utf8.RuneCountInString(shown))
		t.b.WriteString(shown + pad + " " + t.shade(string(line), s.Tone) + " " + rowEnd(s) + "\n")
	}
	t.level(&p.X, name+1, width)
}

func column(a *Axis, v float64, width int) int { return int(math.Round(a.place(v) * float64(width-1))) }

// level writes the level axis: a label where there is room for it, centred below its place.
func (t *typist) level(a *Axis, margin, width int) {
	line := []rune(strings.Repeat(" ", margin+width+12))
	free := 0
	for _, tick := range a.Ticks {
		label := []rune(tick.Label)
		from := max(margin+column(a, tick.At, width)-len(label)/2, 0)
		if from < free || from+len(label) > t.Width {
			continue
		}
		copy(line[from:], label)
		free = from + len(label) + 1
	}
	t.b.WriteString(strings.TrimRight(string(line), " ") + "\n")
	if a.Label != "" {
		t.b.WriteString(strings.Repeat(" ", max(margin+(width-len(a.Label))/2, 0)) + a.Label + "\n")
	}
}

// shortened cuts a name that is longer.
func shortened(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:max(most-1, 0)]) + "…"
}

// trimmed takes the spaces off the ends of lines.
func trimmed(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}
