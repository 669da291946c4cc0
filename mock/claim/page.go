package claim

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// WritePage writes the page of all claims in Markdown: each with what is said, the scenario and
// measure that show it and what was measured, then the contradictions with what is done about each.
// verdicts are those of the scenarios.
func WritePage(w io.Writer, scenarios []*scenario.Scenario, verdicts []Verdict) error {
	var b strings.Builder
	b.WriteString("# Claims\n\nWhat articles say about a hosted Messages API, and what this mock does when it plays it. " +
		"Nothing here is claimed of the API itself, and every figure is simulated.\n\n")
	counts := map[string]int{}
	for i := range verdicts {
		counts[verdicts[i].Verdict]++
	}
	fmt.Fprintf(&b, "%d figures: %d pass, %d fail, %d contradict as stated below, %d are not measured.\n\n",
		len(verdicts), counts[Pass], counts[Fail], counts[Contradicts], counts[NotMeasured])
	sorted := slices.Clone(verdicts)
	slices.SortStableFunc(sorted, func(x, y Verdict) int { return cmp.Compare(x.Claim, y.Claim) })
	b.WriteString("| id | claim | shown by | measured | within | verdict |\n|---|---|---|---|---|---|\n")
	for i := range sorted {
		v := &sorted[i]
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n",
			cell(v.Claim), cell(v.title()), cell(v.shown()), cell(dash(v.Measured)), cell(dash(v.Within)), cell(v.judged()))
	}
	writeContradictions(&b, scenarios)
	_, err := io.WriteString(w, b.String())
	return err
}

// shown says where the claim shows and by which measure.
func (v *Verdict) shown() string {
	if v.Measure == "" {
		return "`" + v.Scenario + "`"
	}
	return "`" + v.Scenario + "`: `" + v.Measure + "`"
}

func writeContradictions(b *strings.Builder, scenarios []*scenario.Scenario) {
	type said struct {
		scenario.Contradiction
		in []string
	}
	var all []said
	for _, s := range scenarios {
		for _, c := range s.Contradictions {
			at := slices.IndexFunc(all, func(known said) bool { return known.Contradiction == c })
			if at < 0 {
				at = len(all)
				all = append(all, said{Contradiction: c})
			}
			all[at].in = append(all[at].in, "`"+s.Name+"`")
		}
	}
	if len(all) == 0 {
		return
	}
	slices.SortStableFunc(all, func(x, y said) int { return cmp.Or(cmp.Compare(len(x.ID), len(y.ID)), cmp.Compare(x.ID, y.ID)) })
	b.WriteString("\n## Contradictions\n\nWhere the articles contradict each other, themselves or the world, and what the mock does about it.\n\n" +
		"| id | contradiction | stated in |\n|---|---|---|\n")
	for _, c := range all {
		fmt.Fprintf(b, "| %s | %s | %s |\n", cell(c.ID), cell(c.Text), strings.Join(c.in, ", "))
	}
}
