package run

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/seed-954e9acd/orrery/mock/internal/fault"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// breaks makes the outcome's faults happen to the plan, and the scenario's outages.
func (d *Decision) breaks(q *Query, o *scenario.Outcome) {
	if len(o.Faults) > 0 || o.RawText {
		for _, missed := range d.Timeline.Break(asked(o.Faults, q.Header), d.RequestID()) {
			d.warn("a fault was not produced: %s", missed)
		}
	}
	d.freeze()
}

// freeze holds back what would leave while the server is frozen.
func (d *Decision) freeze() {
	for _, w := range d.run.scenario.Freeze {
		d.Timeline.Freeze(w.From-d.snapshot.Elapsed, w.To-d.snapshot.Elapsed)
	}
}

// asked leaves out a compression that the client didn't ask for, unless it comes unasked.
func asked(faults []fault.Fault, h http.Header) []fault.Fault {
	for i, f := range faults {
		if g, ok := f.(fault.Gzip); ok && !g.Always && !acceptsGzip(h) {
			return append(faults[:i:i], asked(faults[i+1:], h)...)
		}
	}
	return faults
}

// acceptsGzip reports whether a request takes gzip (RFC 9110, section 12.5.3).
func acceptsGzip(h http.Header) bool {
	for coding := range strings.SplitSeq(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		name, parameters, _ := strings.Cut(coding, ";")
		if name = strings.TrimSpace(name); !strings.EqualFold(name, "gzip") && !strings.EqualFold(name, "x-gzip") {
			continue
		}
		_, weight, weighted := strings.Cut(strings.ReplaceAll(parameters, " ", ""), "q=")
		q, err := strconv.ParseFloat(weight, 64)
		return !weighted || err != nil || q > 0
	}
	return false
}
