package main

import (
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/guptarohit/asciigraph"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/seed-954e9acd/orrery/mock/probe"
)

// rate is a number of requests per second.
type rate float64

const mostRate = 100_000

func (r rate) String() string { return strconv.FormatFloat(float64(r), 'g', 6, 64) + "/s" }
func (rate) Type() string     { return "rate" }

// Set takes 50, 50/s, 30/m and 5/h.
func (r *rate) Set(word string) error {
	number, unit, ok := strings.Cut(strings.TrimSpace(word), "/")
	seconds := map[string]float64{"s": 1, "m": 60, "h": 3600}[unit]
	if !ok {
		seconds = 1
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if perSecond := n / seconds; err == nil && seconds > 0 && perSecond > 0 && perSecond <= mostRate {
		*r = rate(perSecond)
		return nil
	}
	return fmt.Errorf("%q is no rate above 0 and up to %d/s such as 50/s, 30/m or 50", word, mostRate)
}

// progress is the bar on a terminal, or nothing.
type progress struct {
	bar *progressbar.ProgressBar
	// byTime is set when it is known how long, but not how many.
	byTime bool
}

func (c *console) progress(q *probeQuestion) *progress {
	f, ok := c.stderr.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return &progress{}
	}
	byTime, most := q.requests == mostRequests, q.requests
	if byTime {
		most = int(time.Duration(q.length).Milliseconds())
	}
	options := []progressbar.Option{
		progressbar.OptionSetWriter(f), progressbar.OptionThrottle(100 * time.Millisecond),
		progressbar.OptionClearOnFinish(), progressbar.OptionSetWidth(30), progressbar.OptionSetPredictTime(!byTime),
	}
	return &progress{bar: progressbar.NewOptions(most, options...), byTime: byTime}
}

// show moves the bar on after a result. What can't be shown isn't worth ending a measurement for.
func (p *progress) show(report *probe.Report, r *probe.Result) {
	if p.bar == nil {
		return
	}
	done := report.Shots
	if p.byTime {
		done = int((r.Planned + max(0, r.Duration)).Milliseconds())
	}
	p.bar.Describe(fmt.Sprintf("%d answered, %d not", report.Count(probe.Answered), report.Shots-report.Count(probe.Answered)))
	_ = p.bar.Set(min(done, p.bar.GetMax()))
}

func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

// quantiles are those that are printed.
func quantiles() []float64 { return []float64{0.5, 0.9, 0.95, 0.99, 0.999} }

// percentile is the name of a quantile: p99.9.
func percentile(q float64) string { return "p" + strconv.FormatFloat(100*q, 'g', 6, 64) }

// measured is one row of the table, and one plot.
type measured struct {
	name string
	of   *probe.Distribution
}

func rows(report *probe.Report) []measured {
	return []measured{
		{"ttft", &report.TTFT}, {"gap", &report.Gap}, {"duration", &report.Duration},
		{"refusal", &report.Refusal}, {"lag", &report.Lag},
	}
}

// printReport prints what was measured.
func (c *console) printReport(q *probeQuestion, report *probe.Report) error {
	if q.asJSON {
		return c.printJSON(asDocument(q, report))
	}
	c.printf("%-8s%8s", "ms", "count")
	for _, q := range quantiles() {
		c.printf("%8s", percentile(q))
	}
	c.printf("%8s%8s%8s\n", "max", "mean", "sd")
	for _, row := range rows(report) {
		c.printf("%-8s%8d", row.name, row.of.Count())
		cells := []time.Duration{row.of.Max(), row.of.Mean(), row.of.Deviation()}
		for i, q := range quantiles() {
			cells = slices.Insert(cells, i, row.of.Quantile(q))
		}
		for _, cell := range cells {
			text := milliseconds(cell)
			if row.of.Count() == 0 {
				text = "-"
			}
			c.printf("%8s", text)
		}
		c.printf("\n")
	}
	c.printf("\n")
	c.printCounts(report)
	if q.plot {
		c.printPlots(report)
	}
	return nil
}

func (c *console) printCounts(report *probe.Report) {
	for _, o := range probe.Outcomes() {
		switch first := report.First(o); {
		case report.Count(o) == 0:
		case first == nil:
			c.printf("outcome %s: %d\n", o, report.Count(o))
		default:
			c.printf("outcome %s: %d, the first: %v\n", o, report.Count(o), first)
		}
	}
	for _, status := range slices.Sorted(maps.Keys(report.Statuses)) {
		c.printf("status %d: %d\n", status, report.Statuses[status])
	}
	for _, word := range slices.Sorted(maps.Keys(report.ErrorTypes)) {
		c.printf("error %s: %d\n", word, report.ErrorTypes[word])
	}
	c.printf("unanswered: %d of %d, and in no percentile\n", report.Unanswered, report.Sent)
	c.printf("rate: %.2f/s of %.2f/s planned\n", report.Rate(), report.PlannedRate())
}

// milliseconds is a duration in seven characters at most, for a column.
func milliseconds(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms < 100:
		return fmt.Sprintf("%.3f", ms)
	case ms < 1000:
		return fmt.Sprintf("%.2f", ms)
	case ms < 10_000:
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}

// The plots' size in characters. A pipe gets what fits anywhere.
const (
	plotHeight  = 8
	plotMargin  = 12 // the axis and its labels
	plainWidth  = 72
	narrowest   = 20
	widestPlot  = 160
	mostPlotted = 5 // nines
)

// printPlots plots quantiles on an axis of nines, as is the custom for latencies: p0, p90, p99 and
// so on are equally far apart.
func (c *console) printPlots(report *probe.Report) {
	width, terminal := plainWidth, false
	if f, ok := c.stdout.w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		terminal = true
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil {
			width = columns
		}
	}
	width = min(max(width-plotMargin, narrowest), widestPlot)
	for _, row := range rows(report) {
		if row.name != "duration" && row.name != "gap" || row.of.Count() < 10 {
			continue
		}
		nines := min(math.Floor(math.Log10(float64(row.of.Count()))), mostPlotted)
		points := make([]float64, width)
		for i := range points {
			points[i] = float64(row.of.Quantile(atNines(nines*float64(i)/float64(width-1)))) / float64(time.Millisecond)
		}
		plot := asciigraph.Plot(points, asciigraph.Height(plotHeight), asciigraph.Precision(1), asciigraph.XAxisRange(0, nines),
			asciigraph.XAxisTickCount(int(nines)+1), asciigraph.XAxisValueFormatter(func(n float64) string { return percentile(atNines(n)) }))
		if !terminal {
			plot = plain(plot)
		}
		c.printf("\n%s in ms by percentile\n%s\n", row.name, plot)
	}
}

// atNines is the quantile with so many nines: 0.99 for 2.
func atNines(n float64) float64 { return 1 - math.Pow(10, -n) }

// plain puts ASCII in place of lines that not every reader of a pipe has.
func plain(plot string) string {
	return strings.NewReplacer("┤", "|", "┼", "+", "│", "|", "─", "-", "┬", "+", "└", "+",
		"╭", ".", "╮", ".", "╰", "'", "╯", "'").Replace(plot)
}

// probeDocument is what probe --json prints.
type probeDocument struct {
	Target      string            `json:"target"`
	Requests    int               `json:"requests"`
	Sent        int               `json:"sent"`
	Unanswered  int               `json:"unanswered"`
	Outcomes    map[string]int    `json:"outcomes"`
	Errors      map[string]string `json:"first_errors"`
	Statuses    map[int]int       `json:"statuses"`
	ErrorTypes  map[string]int    `json:"error_types"`
	RatePlanned float64           `json:"planned_per_second"`
	Rate        float64           `json:"sent_per_second"`
	Usage       usageDocument     `json:"usage"`
	TTFT        map[string]int64  `json:"ttft_ns"`
	Gap         map[string]int64  `json:"gap_ns"`
	Duration    map[string]int64  `json:"duration_ns"`
	Refusal     map[string]int64  `json:"refusal_ns"`
	Lag         map[string]int64  `json:"lag_ns"`
}

type usageDocument struct {
	Input         int `json:"input_tokens"`
	Output        int `json:"output_tokens"`
	CacheCreation int `json:"cache_creation_input_tokens"`
	CacheRead     int `json:"cache_read_input_tokens"`
}

func asDocument(q *probeQuestion, report *probe.Report) probeDocument {
	d := probeDocument{
		Target: q.target.Redacted(), Requests: report.Shots, Sent: report.Sent, Unanswered: report.Unanswered,
		Outcomes: map[string]int{}, Errors: map[string]string{}, Statuses: map[int]int{}, ErrorTypes: map[string]int{},
		RatePlanned: report.PlannedRate(), Rate: report.Rate(), Usage: usageDocument(report.Usage),
		TTFT: figures(&report.TTFT), Gap: figures(&report.Gap), Duration: figures(&report.Duration),
		Refusal: figures(&report.Refusal), Lag: figures(&report.Lag),
	}
	maps.Copy(d.Statuses, report.Statuses)
	maps.Copy(d.ErrorTypes, report.ErrorTypes)
	for _, o := range probe.Outcomes() {
		name := strings.ReplaceAll(o.String(), " ", "_")
		d.Outcomes[name] = report.Count(o)
		if err := report.First(o); err != nil {
			d.Errors[name] = err.Error()
		}
	}
	return d
}

// figures are a distribution's; of an empty one only the count.
func figures(d *probe.Distribution) map[string]int64 {
	all := map[string]int64{"count": d.Count()}
	if d.Count() == 0 {
		return all
	}
	for _, q := range quantiles() {
		all[percentile(q)] = int64(d.Quantile(q))
	}
	all["min"], all["max"], all["mean"], all["sd"] = int64(d.Min()), int64(d.Max()), int64(d.Mean()), int64(d.Deviation())
	return all
}
