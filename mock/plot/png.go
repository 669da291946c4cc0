package plot

import (
	"bytes"
	"fmt"
	"image/color"

	"git.sr.ht/~sbinet/gg"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
)

// density is how many pixels of a picture stand for one of the page.
const density = 2

// PNG draws the figure as a picture, on white, with two pixels for each of the SVG's.
func PNG(f *Figure) ([]byte, error) { return picture(f, light()) }

func picture(f *Figure, t theme) ([]byte, error) {
	l := layOut(f)
	p := &raster{dc: gg.NewContext(pageWidth*density, int(l.height)*density), theme: t, faces: map[lettering]font.Face{}}
	for i, source := range [][]byte{goregular.TTF, gobold.TTF} {
		parsed, err := opentype.Parse(source)
		if err != nil {
			return nil, fmt.Errorf("the font: %w", err)
		}
		p.fonts[i] = parsed
	}
	p.box(0, 0, pageWidth, l.height, paper, 1)
	l.draw(p)
	if p.err != nil {
		return nil, p.err
	}
	var b bytes.Buffer
	err := p.dc.EncodePNG(&b)
	return b.Bytes(), err
}

// raster keeps the first error, which only a font can cause.
type raster struct {
	dc    *gg.Context
	theme theme
	fonts [2]*opentype.Font
	faces map[lettering]font.Face
	err   error
}

func (p *raster) dye(ink ink, opacity float64) {
	c := p.theme[ink]
	p.dc.SetColor(color.NRGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), uint8(255 * opacity)})
}

func (p *raster) line(points []spot, ink ink, width float64, dashed bool) {
	p.dye(ink, 1)
	p.dc.SetLineWidth(width * density)
	p.dc.SetLineCapRound()
	p.dc.SetLineJoinRound()
	p.dc.SetDash()
	if dashed {
		p.dc.SetDash(5*density, 4*density)
	}
	for _, s := range points {
		p.dc.LineTo(s.x*density, s.y*density)
	}
	p.dc.Stroke()
}

func (p *raster) box(x, y, width, height float64, ink ink, opacity float64) {
	p.dye(ink, opacity)
	p.dc.DrawRectangle(x*density, y*density, width*density, height*density)
	p.dc.Fill()
}

func (p *raster) dot(x, y, radius float64, ink ink) {
	p.dye(ink, 1)
	p.dc.DrawCircle(x*density, y*density, radius*density)
	p.dc.Fill()
}

func (p *raster) ticks(xs []float64, y, height float64, ink ink) {
	p.dye(ink, 1)
	for _, x := range xs {
		p.dc.DrawRectangle((x-0.5)*density, y*density, density, height*density)
	}
	p.dc.Fill()
}

func (p *raster) text(x, y float64, s string, t lettering) {
	p.dye(t.ink, 1)
	p.dc.SetFontFace(p.face(t))
	p.dc.DrawStringAnchored(s, x*density, y*density, []float64{start: 0, middle: 0.5, end: 1}[t.anchor], 0)
}

// face is the font at a lettering's size and weight.
func (p *raster) face(t lettering) font.Face {
	key := lettering{size: t.size, bold: t.bold}
	if p.faces[key] == nil {
		made, err := opentype.NewFace(p.fonts[b2i(t.bold)], &opentype.FaceOptions{Size: t.size * density, DPI: 72, Hinting: font.HintingNone})
		if err != nil {
			p.err = err
		}
		p.faces[key] = made
	}
	return p.faces[key]
}
