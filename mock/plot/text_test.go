package plot_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/plot"
)

var update = flag.Bool("update", false, "write the pages anew")

const clockwork = `
seed: 1
profiles:
  clock: {first-token: {p0: 20ms, p50: 40ms, p100: 90ms}, token-gap: {mix: [{share: 70%, uniform: [8ms, 12ms]}, {share: 30%, uniform: [40ms, 50ms]}]}}
  sundial: {first-token: {uniform: [200ms, 600ms]}, token-gap: 80ms, queue: {slots: 8}}
routes:
  - {name: on the hour, times: every 3, profile: sundial, reply: {tokens: 20}}
  - {name: late again, times: every 4, error: {status: 529}, profile: clock}
  - {name: otherwise, profile: clock, reply: {tokens: 60}}
workloads: {ticking: {requests: 99, rate: 1/s, request: {stream: true}}}
claims:
  T1: {says: most are short, measure: 'share(ticking.gaps, between(gap_ms, 8, 12), route == "otherwise")', within: [65%, 75%]}
  T2: {says: the first token is soon there, measure: 'p50(ticking.ttft_ms, route == "otherwise")', at_most: 30ms}
`

func TestPages(t *testing.T) {
	s := own(t, clockwork)
	for name, test := range map[string]struct {
		question plot.Question
		page     plot.Page
	}{
		"gaps-80":        {plot.Question{Kind: plot.Gaps, Profile: "clock"}, plot.Page{Width: 80}},
		"gaps-40":        {plot.Question{Kind: plot.Gaps, Profile: "clock"}, plot.Page{Width: 40}},
		"quantiles-80":   {plot.Question{Kind: plot.Quantiles}, plot.Page{Width: 80, Plain: true}},
		"quantiles-40":   {plot.Question{Kind: plot.Quantiles, Profile: "clock"}, plot.Page{Width: 40}},
		"timelines-80":   {plot.Question{Kind: plot.Timelines}, plot.Page{Width: 80}},
		"timelines-40":   {plot.Question{Kind: plot.Timelines}, plot.Page{Width: 40, Plain: true}},
		"load-80-colour": {plot.Question{Kind: plot.Load}, plot.Page{Width: 80, Colour: true}},
	} {
		t.Run(name, func(t *testing.T) {
			text := plot.Text(drawn(t, s, test.question), test.page)
			for line := range strings.Lines(text) {
				if !test.page.Colour {
					require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimRight(line, "\n")), test.page.Width, line)
				}
				require.Equal(t, strings.TrimRight(line, " \n")+"\n", line)
			}
			if test.page.Plain {
				require.NotRegexp(t, `[^\n -~]`, text)
			}
			file := filepath.Join("testdata", name+".txt")
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, strings.ReplaceAll(string(want), "\r\n", "\n"), text)
		})
	}
}

func TestATerminalOf80ColumnsShowsBothHumpsOfZio(t *testing.T) {
	f := drawn(t, builtIn(t, "zio"), plot.Question{})
	require.Equal(t, plot.Gaps, f.Kind)
	for _, page := range []plot.Page{{Width: 80}, {Width: 40}} {
		require.Equal(t, 2, humps(heights(plot.Text(f, page))), "of the first histogram at %d", page.Width)
	}
}

// heights are those of the first histogram's columns, in eighths of a line.
func heights(text string) []int {
	columns := make([]int, 100)
	for line := range strings.Lines(text) {
		_, bars, ok := strings.Cut(strings.ReplaceAll(line, "┤", "│"), "│")
		switch {
		case strings.Contains(line, "└"):
			return columns
		case ok:
			for i, r := range []rune(strings.TrimRight(bars, "\n")) {
				columns[i] += max(slices.Index([]rune(" ▁▂▃▄▅▆▇█"), r), 0)
			}
		}
	}
	return nil
}

func TestOneHumpIsNoTwo(t *testing.T) {
	f := drawn(t, builtIn(t, "messages"), plot.Question{Kind: plot.Gaps})
	require.Equal(t, 1, humps(heights(plot.Text(f, plot.Page{Width: 80}))))
	require.Equal(t, plot.Quantiles, drawn(t, builtIn(t, "messages"), plot.Question{}).Kind)
}
