package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

func TestColumnsOfWritesStandWhereWritesAreRows(t *testing.T) {
	for measure, problem := range map[string]string{
		"max(w.write_bytes)":                     "write max(w.writes",
		"max(w.gaps.write_bytes)":                "a column of a workload's writes",
		"max(w.writes.gap_ms)":                   "a column of a workload's gaps",
		"max(w.writes.write_ms - w.gaps.gap_ms)": "rows of one kind",
		"max(w.writes)":                          "max needs a column",
		"max(w.writes.write_bytes, write_last)":  "",
		"count(w.writes, splits_character)":      "",
	} {
		_, err := scenario.Loader{}.Load("w.yaml", []byte(`orrery: 1
name: w
profiles: {ten: {respond: 10ms}}
routes: [{name: all, profile: ten}]
workloads: {w: {requests: 1, rate: 1/s}}
claims: {one: {says: "-", at_most: 1, measure: "`+measure+`"}}
`))
		if problem == "" {
			require.NoError(t, err, measure)
			continue
		}
		require.ErrorContains(t, err, problem, measure)
	}
}
