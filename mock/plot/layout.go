package plot

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The page, in pixels.
const (
	pageWidth   = 800
	edge        = 24
	headHeight  = 66
	leftWidth   = 58 // labels of the upright axis
	panelHeight = 190
	barHeight   = 150 // of a panel with a histogram
	rowHeight   = 18
	titleHeight = 30
	labelHeight = 14 // over a histogram with claims
	axisHeight  = 20

	betweenPanels = 20
)

// layout is a figure with a place for everything.
type layout struct {
	*Figure
	frames []frame
	height float64
}

// frame is the rectangle between a panel's axes.
type frame struct {
	*Panel
	x, top, y, width, height float64 // top is where its title ends
	last                     bool    // it carries the level axis, which all share
}

func layOut(f *Figure) *layout {
	l := &layout{Figure: f}
	left, right := float64(leftWidth), 16.0
	for i := range f.Panels {
		for _, s := range f.Panels[i].Series {
			switch f.Kind {
			case Quantiles, Load:
				right = math.Max(right, wide(s.Name, 12)+16)
			case Timelines:
				left = math.Max(left, wide(rowName(&s), 11)+10)
				right = math.Max(right, wide(rowEnd(&s), 11)+12)
			}
		}
	}
	left, right = math.Min(left, 260), math.Min(right, 240)
	y := float64(headHeight)
	for i := range f.Panels {
		p := &f.Panels[i]
		height := float64(panelHeight)
		switch f.Kind {
		case Gaps:
			height = barHeight
		case Timelines:
			height = rowHeight * float64(len(p.Series))
		}
		last := i == len(f.Panels)-1
		y += titleHeight
		made := frame{p, edge + left, y, y, pageWidth - 2*edge - left - right, height, last}
		if f.Kind == Gaps && len(p.Claims) > 0 {
			made.y += labelHeight
		}
		l.frames = append(l.frames, made)
		y = made.y + height + betweenPanels
		if last {
			y += axisHeight
		}
	}
	l.height = math.Ceil(y + 8)
	return l
}

func (l *layout) draw(c canvas) {
	c.text(edge, 34, clip(l.Title, 15, pageWidth-2*edge), lettering{ink: words, size: 15, bold: true})
	c.text(edge, 54, clip(l.Note, 11, pageWidth-2*edge), lettering{ink: quiet, size: 11})
	for i := range l.frames {
		f := &l.frames[i]
		c.text(edge, f.top-14, clip(f.Title, 12, pageWidth-2*edge), lettering{ink: words, size: 12, bold: true})
		f.grid(c, l.Kind)
		switch l.Kind {
		case Gaps:
			f.bars(c)
		case Timelines:
			f.rows(c)
		default:
			f.curves(c)
		}
	}
}

func (f *frame) at(p Point) spot { return spot{f.level(p.X), f.upright(p.Y)} }

func (f *frame) level(v float64) float64   { return f.x + f.width*f.X.place(v) }
func (f *frame) upright(v float64) float64 { return f.y + f.height*(1-f.Y.place(v)) }

// grid draws the axes: lines across for the upright one, labels alone for the level one.
func (f *frame) grid(c canvas, k Kind) {
	label := lettering{ink: quiet, size: 11, anchor: end}
	for _, t := range f.Y.Ticks {
		y := f.upright(t.At)
		c.line([]spot{{f.x, y}, {f.x + f.width, y}}, faint, 1, false)
		c.text(f.x-8, y+4, t.Label, label)
	}
	label.anchor = middle
	free := math.Inf(-1)
	for _, t := range f.X.Ticks {
		x := f.level(t.At)
		if k == Timelines {
			c.line([]spot{{x, f.y}, {x, f.y + f.height}}, faint, 1, false)
		}
		if half := wide(t.Label, 11)/2 + 3; f.last && x-half >= free {
			c.text(x, f.y+f.height+16, t.Label, label)
			free = x + half
		}
	}
	if f.last && f.X.Label != "" {
		c.text(f.x+f.width/2, f.y+f.height+33, f.X.Label, label)
	}
}

// curves draws lines with their names at their ends, and the ranges of claims.
func (f *frame) curves(c canvas) {
	type name struct {
		y    float64
		text string
		ink  ink
	}
	var names []name
	for _, s := range f.Series {
		points := make([]spot, len(s.Points))
		for i, p := range s.Points {
			points[i] = f.at(p)
		}
		if len(points) == 0 {
			continue
		}
		width := 2.0
		if s.Dashed {
			width = 1.5
		}
		c.line(points, tone(s.Tone), width, s.Dashed)
		names = append(names, name{points[len(points)-1].y, s.Name, tone(s.Tone)})
	}
	f.ranges(c)
	// Where curves end close together, their names move apart.
	slices.SortStableFunc(names, func(a, b name) int { return cmp.Compare(a.y, b.y) })
	const apart = 14
	bottom := f.y + f.height
	for i := range names {
		if i > 0 {
			names[i].y = math.Max(names[i].y, names[i-1].y+apart)
		}
	}
	for i := len(names) - 1; i >= 0; i-- {
		names[i].y = math.Min(names[i].y, bottom-apart*float64(len(names)-1-i))
	}
	for _, n := range names {
		c.text(f.x+f.width+8, n.y+4, clip(n.text, 12, 232), lettering{ink: n.ink, size: 12})
	}
}

// ranges draws each claim's range as a bracket at its percentile, with a dot for the figure measured.
// Brackets that would lie on one another stand side by side under one label.
func (f *frame) ranges(c canvas) {
	for _, cluster := range f.clusters() {
		top, bottom := math.Inf(1), math.Inf(-1)
		ink := cluster[0].ink()
		left := f.level(cluster[0].From) - across/2*float64(len(cluster)-1)
		left = math.Min(left, f.x+f.width-across*(float64(len(cluster))-0.5))
		for i, r := range cluster {
			high, low := f.span(r)
			f.bracket(c, r, left+across*float64(i))
			top, bottom = math.Min(top, high), math.Max(bottom, low)
			if r.ink() == wrong {
				ink = wrong
			}
		}
		label := lettering{ink: ink, size: 10, bold: true, anchor: middle}
		y, text := top-7, ids(cluster)
		if y < f.y+6 {
			y = bottom + 14
		}
		x := math.Min(left+across/2*float64(len(cluster)-1), f.x+f.width-wide(text, 10)/2+4)
		c.box(x-wide(text, 10)/2-2, y-9, wide(text, 10)+4, 12, paper, 0.8)
		c.text(x, y, text, label)
	}
}

// across is from bracket to bracket.
const across = 12

func (f *frame) bracket(c canvas, r *Range, x float64) {
	const half = 4
	high, low := f.span(r)
	for _, end := range []*float64{r.Low, r.High} {
		if end != nil {
			y := f.upright(*end)
			c.line([]spot{{x - half, y}, {x + half, y}}, r.ink(), 1.5, false)
		}
	}
	c.box(x-half, high, 2*half, low-high, r.ink(), 0.18)
	c.dot(x, f.upright(r.Figure), 2.2, r.ink())
}

// span is how far up and down a range goes, with the figure measured, which may lie outside.
func (f *frame) span(r *Range) (high, low float64) {
	high, low = f.y, f.y+f.height
	if r.High != nil {
		high = f.upright(*r.High)
	}
	if r.Low != nil {
		low = f.upright(*r.Low)
	}
	return high, low
}

// clusters are the ranges by percentile, those together that are too near for a label each.
func (f *frame) clusters() [][]*Range {
	const near = 22
	all := make([]*Range, len(f.Claims))
	for i := range f.Claims {
		all[i] = &f.Claims[i]
	}
	top := func(r *Range) float64 { high, _ := f.span(r); return high }
	slices.SortStableFunc(all, func(a, b *Range) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(top(a), top(b)))
	})
	var clusters [][]*Range
	bottom := 0.0
	for i, r := range all {
		high, low := f.span(r)
		if i == 0 || r.From != all[i-1].From || high > bottom+near {
			clusters, bottom = append(clusters, nil), low
		}
		last := len(clusters) - 1
		clusters[last] = append(clusters[last], r)
		bottom = math.Max(bottom, low)
	}
	return clusters
}

// ink is the colour of a range: that of its series, unless the claim fails.
func (r *Range) ink() ink {
	if r.fails() {
		return wrong
	}
	return tone(r.Tone)
}

// ids are the claims' ids, each once.
func ids(all []*Range) string {
	var seen []string
	for _, r := range all {
		if !slices.Contains(seen, r.Claim) {
			seen = append(seen, r.Claim)
		}
	}
	return strings.Join(seen, " ")
}

// bars draws a histogram, and over it the stretches that claims speak of.
func (f *frame) bars(c canvas) {
	width := f.width / mostBars
	for _, s := range f.Series {
		for _, p := range s.Points {
			if y := f.upright(p.Y); p.Y > 0 {
				c.box(f.level(p.X)+0.5, y, width-1, f.y+f.height-y, tone(s.Tone), 1)
			}
		}
	}
	for _, one := range f.stretches() {
		ink := words
		if slices.ContainsFunc(one, (*Range).fails) {
			ink = wrong
		}
		low, high, y := f.level(one[0].From), f.level(one[0].To), f.y-4
		c.box(low, f.y, high-low, f.height, ink, 0.06)
		c.line([]spot{{low, y + 4}, {low, y}, {high, y}, {high, y + 4}}, ink, 1.2, false)
		text := ids(one) + ": " + plain(100*one[0].Figure) + " %"
		half := wide(text, 10) / 2
		x := math.Min(math.Max((low+high)/2, f.x+half), f.x+f.width-half)
		c.text(x, y-5, text, lettering{ink: ink, size: 10, bold: true, anchor: middle})
	}
}

// stretches are the claims by the gaps that they speak of, the shortest first.
func (f *frame) stretches() [][]*Range {
	var all [][]*Range
	for i := range f.Claims {
		r := &f.Claims[i]
		at := slices.IndexFunc(all, func(one []*Range) bool { return one[0].From == r.From && one[0].To == r.To })
		if at < 0 {
			at, all = len(all), append(all, nil)
		}
		all[at] = append(all[at], r)
	}
	slices.SortStableFunc(all, func(a, b []*Range) int { return cmp.Compare(a[0].From, b[0].From) })
	return all
}

// rows draws requests: a thin line while they last, a tick for each event of tokens.
func (f *frame) rows(c canvas) {
	for i := range f.Series {
		s := &f.Series[i]
		y := f.y + rowHeight*(float64(i)+0.5)
		ink := tone(s.Tone)
		if s.Row.Status >= 400 {
			ink = wrong
		}
		c.text(f.x-8, y+4, clip(rowName(s), 11, 252), lettering{ink: quiet, size: 11, anchor: end})
		ends := f.x + f.width
		if s.Row.End != nil {
			ends = f.level(*s.Row.End)
		}
		c.line([]spot{{f.x, y}, {ends, y}}, quiet, 1, s.Row.End == nil)
		if xs := f.distinct(s.Points); len(xs) > 0 {
			c.ticks(xs, y-5, 10, ink)
		}
		if s.Row.End != nil {
			c.dot(ends, y, 2.5, ink)
		}
		c.text(math.Min(ends, f.x+f.width)+8, y+4, rowEnd(s), lettering{ink: quiet, size: 11})
	}
}

// distinct are the places of points, of several within a pixel the first.
func (f *frame) distinct(points []Point) []float64 {
	var xs []float64
	for _, p := range points {
		if x := math.Round(f.level(p.X)) + 0.5; len(xs) == 0 || x > xs[len(xs)-1] {
			xs = append(xs, x)
		}
	}
	return xs
}

// rowName is what stands before a request's row.
func rowName(s *Series) string {
	name := "#" + strconv.FormatUint(s.Row.Ordinal, 10)
	if s.Row.Route != "" {
		name += " " + s.Row.Route
	}
	return name
}

// rowEnd is what stands behind it: how long it took, and its status unless that is 200.
func rowEnd(s *Series) string {
	text := "never ends"
	switch {
	case s.Row.Status == 0:
		return "never answered"
	case s.Row.End != nil && *s.Row.End == 0:
		text = "at once"
	case s.Row.End != nil:
		text = duration(*s.Row.End)
	}
	if s.Row.Status != 200 {
		text = strconv.Itoa(s.Row.Status) + ", " + text
	}
	return text
}

// wide is about how wide a text is: fonts differ, and none is at hand for an SVG.
func wide(s string, size float64) float64 { return float64(utf8.RuneCountInString(s)) * size * 0.56 }

// clip cuts a text that is wider than there is room.
func clip(s string, size, room float64) string {
	most := int(room / (size * 0.56))
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:max(most-1, 0)]) + "…"
}
