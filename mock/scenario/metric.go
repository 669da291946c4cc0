package scenario

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/expr-lang/expr/ast"
)

// JournalWorkload is what the measure of a metric calls the requests that it is made of.
const JournalWorkload = "journal"

// Metric is a time series of the scenario's own.
type Metric struct {
	// Name is the series', Help its description.
	Name, Help string
	// Measure is the figure: of the rows of [JournalWorkload].
	Measure *Measure
	// Over is how long a request counts after it has ended.
	Over time.Duration
}

const (
	defaultOver = 5 * time.Minute
	leastOver   = time.Second
	longestOver = time.Hour
)

var metricName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,126}[a-z0-9]$`)

// ownPrefixes begin the names of the series that the server has in any case.
func ownPrefixes() []string { return []string{"orrery_", "go_", "process_", "promhttp_", "scrape_"} }

// baseUnits are the units that Prometheus' conventions want, by those that they don't.
func baseUnits() map[string]string {
	return map[string]string{
		"ms": "seconds", "milliseconds": "seconds", "us": "seconds", "microseconds": "seconds", "ns": "seconds",
		"nanoseconds": "seconds", "minutes": "seconds", "hours": "seconds", "percent": "a ratio from 0 to 1",
		"percentage": "a ratio from 0 to 1", "kilobytes": "bytes", "megabytes": "bytes", "kb": "bytes", "mb": "bytes",
	}
}

func (b *builder) metrics() {
	for key, m := range ordered(b.doc.Metrics, b.doc.at.child("metrics")) {
		b.checkMetricName(key)
		if m.at == nil || m.at.kind != mapping {
			continue
		}
		made := Metric{Name: key.text, Help: strings.TrimSpace(m.Help.or("")), Over: defaultOver}
		switch {
		case m.Help == nil && !m.at.hurt:
			b.at(key, "add `help: \"…\"`", "the metric %s doesn't say what it is", quote(key.text))
		case m.Help != nil && made.Help == "":
			b.at(m.Help.at, "say in a sentence what the series says", "the help is empty")
		}
		if m.Over != nil {
			made.Over = m.Over.value
			if m.Over.right && (made.Over < leastOver || made.Over > longestOver) {
				b.at(m.Over.at, "", "`over` is from %s to %s", "1s", "1h")
			}
		}
		switch {
		case m.Measure != nil && m.Measure.at != nil:
			made.Measure = b.metric(m.Measure.at, m.Measure.text)
		case m.Measure == nil && !m.at.hurt:
			b.at(key, "for example `measure: p99(journal.duration_ms) / 1000`", "the metric %s has no measure", quote(key.text))
		}
		if made.Measure != nil {
			b.made.Metrics = append(b.made.Metrics, made)
		}
	}
}

func (b *builder) checkMetricName(key *node) {
	if !metricName.MatchString(key.text) || strings.Contains(key.text, "__") {
		b.at(key, "two characters or more of a to z, 0 to 9 and _, beginning with a letter", "a metric can't be called %s", quote(key.text))
		return
	}
	if key.text == "up" {
		b.at(key, "begin it with the scenario's name", "up is Prometheus' own series about who it asks")
		return
	}
	for _, own := range ownPrefixes() {
		if strings.HasPrefix(key.text, own) {
			b.at(key, "begin it with the scenario's name", "series that begin with %s are the server's own", own)
			return
		}
	}
	if slices.Contains(gatherers(), key.text) || percentileName.MatchString(key.text) || key.text == "ratio" {
		b.at(key, "begin it with the scenario's name", "%s is a function of measures already", quote(key.text))
		return
	}
	parts := strings.Split(key.text, "_")
	if last := parts[len(parts)-1]; slices.Contains([]string{"total", "created", "bucket", "sum", "info"}, last) {
		b.at(key, "end it otherwise", "a figure of the last minutes is no series that ends with _%s", last)
		return
	}
	for _, part := range parts {
		if unit := baseUnits()[part]; unit != "" {
			b.at(key, "divide the measure, and end the name accordingly", "series are in base units: %s, not %s", unit, part)
			return
		}
	}
}

// metric compiles the measure of a metric.
func (b *builder) metric(n *node, text string) *Measure {
	return b.measureOf(n, text, measurer{made: b.made, workloads: []string{JournalWorkload}, journal: true})
}

// unkept says why the journal has no rows with what is gathered; "" when it has.
func unkept(column string) string {
	switch column {
	case "chain_ms", "chain_calls":
		return "the journal knows no chains"
	case "input_tokens":
		return "write usage.input_tokens, which the journal has"
	case "sent.protocol", "sent.connection":
		return ""
	}
	if strings.HasPrefix(column, "sent.") && !strings.HasPrefix(column, "sent."+headerColumn) {
		return "of what was sent the journal's rows have sent.header(…), sent.protocol and sent.connection"
	}
	return ""
}

// metric compiles zero_plane_hit_rate(steady): a metric's figure, of a workload.
func (m *measurer) metric(n *ast.CallNode, of *Metric) (term, string) {
	var workload *ast.IdentifierNode
	if len(n.Arguments) == 1 {
		workload, _ = n.Arguments[0].(*ast.IdentifierNode)
	}
	switch {
	case m.inWindow:
		return m.fail(n, "", "%s can't stand inside of windows", of.Name)
	case workload == nil:
		return m.fail(n, "for example "+of.Name+"("+m.example()+")", "%s takes a workload", of.Name)
	case !slices.Contains(m.workloads, workload.Value):
		return m.fail(workload, didYouMean(workload.Value, m.workloads), "there is no workload %s", quote(workload.Value))
	}
	first := len(m.gathered)
	for _, g := range of.Measure.Gathered {
		m.gathered = append(m.gathered, g.among(workload.Value))
	}
	return of.Measure.root.shifted(first), "number"
}

// among is the same of another workload.
func (g *Gather) among(workload string) *Gather {
	made := *g
	made.Workload = workload
	if g.Inner != nil {
		inner := *g.Inner
		inner.Gathered = slices.Clone(inner.Gathered)
		for i, one := range inner.Gathered {
			if one.Workload != "" { // inside of windows there is none
				inner.Gathered[i] = one.among(workload)
			}
		}
		made.Inner = &inner
	}
	return &made
}

// shifted is the same arithmetic over what was gathered behind that many others.
func (t term) shifted(by int) term {
	if t.op == "gather" {
		t.index += by
	}
	args := t.args
	t.args = nil
	for _, a := range args {
		t.args = append(t.args, a.shifted(by))
	}
	return t
}
