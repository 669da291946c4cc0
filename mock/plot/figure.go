// Package plot draws scenarios: how long their answers take, the gaps in their streams, single
// requests as rows of ticks, and what load does to them.
//
// A [Figure] is made by having a run of the scenario decide requests, as a server does; there is no
// second model of delays. It is data: [SVG], [PNG] and [Text] draw it, and it is JSON as it stands. The
// same question gives the same bytes.
//
//	f, err := plot.Make(ctx, scenario, plot.Question{Kind: plot.Gaps})
//	svg := plot.SVG(f)
package plot

// Kind is what a figure shows.
type Kind string

// The kinds.
const (
	Quantiles Kind = "quantiles" // how long it takes to the first token, and to the end, by percentile
	Gaps      Kind = "gaps"      // a histogram of the gaps between the tokens' events
	Timelines Kind = "timelines" // single requests, a row each, with a tick for each event of tokens
	Load      Kind = "load"      // the median and the P99 by how many requests are in flight
)

// Kinds are all there are.
func Kinds() []Kind { return []Kind{Quantiles, Gaps, Timelines, Load} }

// Figure is one drawing as data. All times are milliseconds.
type Figure struct {
	Kind      Kind     `json:"kind"`
	Scenarios []string `json:"scenarios"`
	Title     string   `json:"title"`
	// Note says what was asked, and how often.
	Note   string  `json:"note"`
	Panels []Panel `json:"panels"`
}

// Panel is a pair of axes with what lies between them.
type Panel struct {
	Title  string   `json:"title"`
	X      Axis     `json:"x"`
	Y      Axis     `json:"y"`
	Series []Series `json:"series"`
	Claims []Range  `json:"claims,omitempty"`
}

// Series is a line, a histogram or, of timelines, one request.
type Series struct {
	Name string `json:"name"`
	// Tone numbers the colour, which all that belongs together shares.
	Tone   int     `json:"tone"`
	Dashed bool    `json:"dashed,omitempty"`
	Points []Point `json:"points"`
	// Row is the request of a timeline, nil elsewhere. Its points are the events of its tokens.
	Row *Row `json:"row,omitempty"`
}

// Point is a place between the axes; of a histogram, the left edge of a bar and its height.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Row is what became of one request.
type Row struct {
	Ordinal uint64 `json:"ordinal"`
	Route   string `json:"route"`
	Status  int    `json:"status"` // 0: no answer
	// Head is when the status leaves, End the last byte; nil: never.
	Head *float64 `json:"head_ms"`
	End  *float64 `json:"end_ms"`
}

// Range is where a claim says that a figure lies: between Low and High, at the percentile From (which
// is To), or in the bars between From and To.
type Range struct {
	Claim   string `json:"claim"`
	Says    string `json:"says"`
	Measure string `json:"measure"`
	Within  string `json:"within"`
	Holds   bool   `json:"holds"`
	// Contradicts is the id of the contradiction because of which the figure lies outside.
	Contradicts string   `json:"contradicts,omitempty"`
	Tone        int      `json:"tone"`
	From        float64  `json:"from"`
	To          float64  `json:"to"`
	Low         *float64 `json:"low"`  // nil: there is no lower end
	High        *float64 `json:"high"` // nil: no upper end
	// Figure is the claim's figure, measured on its own workload; Measured is it in words.
	Figure   float64 `json:"figure"`
	Measured string  `json:"measured"`
}
