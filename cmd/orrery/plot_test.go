package main

import (
	"bytes"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/plot"
)

func TestATerminalGetsAPageOfItsOwn(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has a terminal that can be opened by its name")
	}
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("there are no terminals here: ", err)
	}
	defer terminal.Close()
	for name, test := range map[string]struct {
		kind, noColor string
		want          plot.Page
	}{
		"in colour":    {"xterm-256color", "", plot.Page{Width: 80, Colour: true}},
		"NO_COLOR":     {"xterm-256color", "1", plot.Page{Width: 80}},
		"a dumb one":   {"dumb", "", plot.Page{Width: 80, Plain: true}},
		"without TERM": {"", "", plot.Page{Width: 80}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TERM", test.kind)
			t.Setenv("NO_COLOR", test.noColor)
			require.Equal(t, test.want, (&console{stdout: &output{w: terminal}}).page())
		})
	}
}

func TestAPipeGetsAPageThatAnybodyCanRead(t *testing.T) {
	t.Setenv("TERM", "xterm-256color")
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	defer w.Close()
	for _, c := range []*console{{stdout: &output{w: &bytes.Buffer{}}}, {stdout: &output{w: w}}} {
		require.Equal(t, plot.Page{Width: 80, Plain: true}, c.page())
	}
}
