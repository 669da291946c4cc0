package plot_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/plot"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// own is the scenario in a text, without its first lines.
func own(t testing.TB, text string) *scenario.Scenario {
	t.Helper()
	h, err := mock.New(mock.ScenarioText("orrery: 1\nname: own\n" + text))
	require.NoError(t, err)
	return h.Scenario()
}

func builtIn(t testing.TB, name string) *scenario.Scenario {
	t.Helper()
	library, err := mock.Library("")
	require.NoError(t, err)
	s, err := library.Load(name)
	require.NoError(t, err)
	return s
}

func drawn(t testing.TB, s *scenario.Scenario, q plot.Question) *plot.Figure {
	t.Helper()
	f, err := plot.Make(t.Context(), s, q)
	require.NoError(t, err)
	return f
}

// parsed is an SVG's elements by name, each with its text; it fails on what isn't XML.
func parsed(t testing.TB, svg []byte) map[string][]string {
	t.Helper()
	elements := map[string][]string{}
	d := xml.NewDecoder(strings.NewReader(string(svg)))
	var open []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return elements
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			open = append(open, token.Name.Local)
			elements[token.Name.Local] = append(elements[token.Name.Local], "")
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				all := elements[open[len(open)-1]]
				all[len(all)-1] += string(token)
			}
		}
	}
}

// humps counts the hills of a row of heights that stand apart by something less than a quarter of the lower.
func humps(heights []int) int {
	n, top, bottom := 0, 0, 0
	for _, h := range heights {
		switch {
		case h > 4*max(bottom, 1) && h > top:
			if top == 0 {
				n++
			}
			top = h
		case top > 0 && 4*h < top:
			top, bottom = 0, h
		}
	}
	return n
}
