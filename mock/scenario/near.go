package scenario

import (
	"cmp"
	"slices"
	"strings"
)

// near returns the up to three names closest to what was asked, nearest first.
func near(asked string, names []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	var found []candidate
	for _, name := range names {
		d := distance(strings.ToLower(asked), strings.ToLower(name))
		if d <= max(1, min(len(asked), len(name))/3) {
			found = append(found, candidate{name, d})
		} else if len(asked) >= 3 && (strings.HasPrefix(name, asked) || strings.HasSuffix(name, asked)) {
			found = append(found, candidate{name, d + len(asked)})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	var result []string
	for _, c := range found[:min(len(found), 3)] {
		result = append(result, c.name)
	}
	return result
}

// didYouMean is the hint for a name that is none of names: the near ones, else all when few.
func didYouMean(asked string, names []string) string {
	if close := near(asked, names); len(close) > 0 {
		return "did you mean " + oneOf(close) + "?"
	}
	if len(names) > 0 && len(names) <= 12 {
		return "use " + oneOf(slices.Sorted(slices.Values(names)))
	}
	return ""
}

// oneOf joins names as prose: `a`, `b` or `c`.
func oneOf(names []string) string {
	var b strings.Builder
	for i, name := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		b.WriteString("`" + name + "`")
	}
	return b.String()
}

// distance counts the insertions, deletions, replacements and swaps of neighbours between a and b.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	var rows [3][66]int
	before, previous, current := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		current[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			current[j] = min(previous[j]+1, current[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				current[j] = min(current[j], before[j-2]+1)
			}
		}
		before, previous, current = previous, current, before
	}
	return previous[len(b)]
}
