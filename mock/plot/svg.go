package plot

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// SVG draws the figure as a document of its own, which follows the reader's choice of light or dark. It
// holds no script and asks for nothing from elsewhere; its texts stay texts.
func SVG(f *Figure) []byte {
	l := layOut(f)
	s := &svg{}
	fmt.Fprintf(&s.b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%[2]s" viewBox="0 0 %[1]d %[2]s" role="img" aria-labelledby="t d" stroke-linejoin="round" stroke-linecap="round">`,
		pageWidth, px(l.height))
	fmt.Fprintf(&s.b, "\n<title id=\"t\">%s</title>\n<desc id=\"d\">%s</desc>\n<style>", escape(f.Title), escape(describe(f)))
	s.b.WriteString("text{font-family:system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif}")
	s.style(light())
	s.b.WriteString("@media(prefers-color-scheme:dark){")
	s.style(dark())
	s.b.WriteString("}</style>\n")
	s.box(0, 0, pageWidth, l.height, paper, 1)
	l.draw(s)
	s.b.WriteString("</svg>\n")
	return []byte(s.b.String())
}

type svg struct{ b strings.Builder }

// style gives each ink a class for what is filled with it, f, and one for lines, l.
func (s *svg) style(t theme) {
	for i, colour := range t {
		fmt.Fprintf(&s.b, ".f%[1]d{fill:#%06[2]x}.l%[1]d{fill:none;stroke:#%06[2]x}", i, colour)
	}
}

// px is a place to a tenth of a pixel.
func px(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

func (s *svg) line(points []spot, ink ink, width float64, dashed bool) {
	fmt.Fprintf(&s.b, `<path class="l%d" stroke-width="%s"`, ink, px(width))
	if dashed {
		s.b.WriteString(` stroke-dasharray="5 4"`)
	}
	s.b.WriteString(` d="M`)
	for i, p := range points {
		if i > 0 {
			s.b.WriteByte(' ')
		}
		s.b.WriteString(px(p.x) + "," + px(p.y))
	}
	s.b.WriteString("\"/>\n")
}

func (s *svg) box(x, y, width, height float64, ink ink, opacity float64) {
	fmt.Fprintf(&s.b, `<rect class="f%d" x="%s" y="%s" width="%s" height="%s"`, ink, px(x), px(y), px(width), px(height))
	if opacity < 1 {
		fmt.Fprintf(&s.b, ` opacity="%s"`, strconv.FormatFloat(opacity, 'f', 2, 64))
	}
	s.b.WriteString("/>\n")
}

func (s *svg) dot(x, y, radius float64, ink ink) {
	fmt.Fprintf(&s.b, `<circle class="f%d" cx="%s" cy="%s" r="%s"/>`+"\n", ink, px(x), px(y), px(radius))
}

// ticks are short stretches of a line as thick as they are high, which takes the fewest bytes. Those side
// by side make one.
func (s *svg) ticks(xs []float64, y, height float64, ink ink) {
	fmt.Fprintf(&s.b, `<path class="l%d" stroke-width="%s" stroke-linecap="butt" d="M%s,%s`, ink, px(height), px(xs[0]-0.5), px(y+height/2))
	for i := 0; i < len(xs); {
		run := i + 1
		for run < len(xs) && xs[run] == xs[run-1]+1 {
			run++
		}
		fmt.Fprintf(&s.b, "h%d", run-i)
		if run < len(xs) {
			fmt.Fprintf(&s.b, "m%s,0", px(xs[run]-xs[run-1]-1))
		}
		i = run
	}
	s.b.WriteString("\"/>\n")
}

func (s *svg) text(x, y float64, text string, t lettering) {
	fmt.Fprintf(&s.b, `<text class="f%d" x="%s" y="%s" font-size="%s"`, t.ink, px(x), px(y), px(t.size))
	if t.bold {
		s.b.WriteString(` font-weight="600"`)
	}
	switch t.anchor {
	case middle:
		s.b.WriteString(` text-anchor="middle"`)
	case end:
		s.b.WriteString(` text-anchor="end"`)
	}
	fmt.Fprintf(&s.b, ">%s</text>\n", escape(text))
}

// escape makes a text safe between tags; what XML can't hold becomes U+FFFD.
func escape(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || r < ' ' && r != '\t' && r != '\n' || r == 0xfffe || r == 0xffff {
			return unicode.ReplacementChar
		}
		return r
	}, s)
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(s)
}
