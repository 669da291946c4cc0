package plot

// canvas is what a figure is drawn on. Places are in pixels from the upper left corner.
type canvas interface {
	// line goes through the points.
	line(points []spot, ink ink, width float64, dashed bool)
	box(x, y, width, height float64, ink ink, opacity float64)
	dot(x, y, radius float64, ink ink)
	// ticks are upright strokes of one height, a pixel wide, around each x: at least one, rising, whole pixels apart.
	ticks(xs []float64, y, height float64, ink ink)
	text(x, y float64, s string, t lettering)
}

type spot struct{ x, y float64 }

// lettering is how a text looks, and which end of it lies at its place.
type lettering struct {
	ink    ink
	size   float64
	bold   bool
	anchor anchor
}

type anchor int

const (
	start anchor = iota
	middle
	end
)

// ink is a colour by what it is for; what it looks like is the theme's.
type ink int

// The inks. The tones are those from tone0 on.
const (
	paper ink = iota
	words     // titles and what stands for data
	quiet     // labels of axes
	faint     // lines of the grid
	wrong     // refusals, and claims that don't hold
	tone0
)

func tone(i int) ink { return tone0 + ink(i%tones) }

const tones = 6

// theme is the inks as red, green and blue. On its paper each tone has a contrast of 4.5 at least, since
// it writes labels too.
type theme [tone0 + tones]uint32

func light() theme {
	return theme{0xffffff, 0x1f2630, 0x5d6672, 0xe4e7eb, 0xb3261e, 0x2f62a3, 0xa8501f, 0x2c7a57, 0x7a4fa3, 0x856404, 0x3f6b7a}
}

func dark() theme {
	return theme{0x15181d, 0xe8ebef, 0x9aa4b1, 0x2a3038, 0xf28b82, 0x85b4ee, 0xeb9c6e, 0x7fc9a3, 0xc2a2e8, 0xd8bc62, 0x93c1d1}
}
