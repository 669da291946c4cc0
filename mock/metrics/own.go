package metrics

import (
	"strings"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/seed-954e9acd/orrery/mock/claim"
)

// own are the series that scenarios name themselves, worked out at each scrape from what the journal has of
// the last minutes: a scenario that nobody has asked has none, and one that no request says anything about
// is NaN.
type own struct {
	Config

	mu    sync.Mutex // one scrape at a time works them out
	helps map[string]string
}

// Describe tells nothing beforehand: what there is depends on what is played.
func (*own) Describe(chan<- *prometheus.Desc) {}

func (o *own) Collect(to chan<- prometheus.Metric) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for name, requests := range o.played() {
		s := o.Scenario(name)
		if s == nil || len(s.Metrics) == 0 {
			continue
		}
		figures, err := claim.Metrics(s, requests)
		for i, m := range s.Metrics {
			desc := prometheus.NewDesc(m.Name, o.help(m.Name, m.Help), []string{"scenario"}, nil)
			if err != nil {
				to <- prometheus.NewInvalidMetric(desc, err)
				continue
			}
			to <- prometheus.MustNewConstMetric(desc, kindOf(m.Name), figures[i], s.Name)
		}
	}
}

// played are the requests in the journal that have ended, by scenario.
func (o *own) played() map[string][]claim.Kept {
	all := map[string][]claim.Kept{}
	now := o.Times()
	for _, c := range o.Journal.Closed() {
		age := now(c.Scenario(), c.Run()).Sub(c.Arrived().Add(c.Ended()))
		all[c.Scenario()] = append(all[c.Scenario()], claim.Kept{Closed: c, Age: age})
	}
	return all
}

// help is one for each name, since a name has but one: that of the scenario which was played first.
func (o *own) help(name, help string) string {
	if first, ok := o.helps[name]; ok || len(o.helps) >= mostSeries {
		return first
	}
	o.helps[name] = help
	return help
}

// kindOf is a gauge. Only a name that ends like a part of a histogram, as an article may want it, is of no type.
func kindOf(name string) prometheus.ValueType {
	if strings.HasSuffix(name, "_count") {
		return prometheus.UntypedValue
	}
	return prometheus.GaugeValue
}
