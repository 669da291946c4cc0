package plot_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"image/color"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/plot"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// mostSVG is what a page can hold several of.
const mostSVG = 100_000

// only is the scenario with these of its claims alone.
func only(s *scenario.Scenario, claims ...string) []*scenario.Scenario {
	some := *s
	some.Claims = nil
	for _, c := range s.Claims {
		for _, id := range claims {
			if c.ID == id {
				some.Claims = append(some.Claims, c)
			}
		}
	}
	return []*scenario.Scenario{&some}
}

func TestEveryScenarioHasEveryPicture(t *testing.T) {
	library, err := mock.Library("")
	require.NoError(t, err)
	names := library.Names()
	if testing.Short() {
		names = []string{"messages", "zio"}
	}
	for _, name := range names {
		s, err := library.Load(name)
		require.NoError(t, err)
		s = only(s)[0] // what they claim is measured elsewhere
		for _, kind := range plot.Kinds() {
			t.Run(name+" "+string(kind), func(t *testing.T) {
				t.Parallel()
				f, err := plot.Make(t.Context(), s, plot.Question{Kind: kind, N: 40})
				var wrong *plot.Wrong
				if errors.As(err, &wrong) {
					require.Contains(t, err.Error(), "so there is nothing to draw: try timelines")
					require.NotEqual(t, plot.Timelines, kind)
					return
				}
				require.NoError(t, err)
				svg := plot.SVG(f)
				require.Less(t, len(svg), mostSVG)
				elements := parsed(t, svg)
				require.Len(t, elements["title"], 1)
				require.Contains(t, elements["desc"][0], f.Note)
				require.Contains(t, elements["style"][0], "prefers-color-scheme:dark")
				require.NotEmpty(t, elements["text"])
				for _, banned := range []string{"script", "image", "use", "foreignObject", "a"} {
					require.Empty(t, elements[banned])
				}
				_, err = json.Marshal(f)
				require.NoError(t, err, "no number of it is infinite")
				require.NotEmpty(t, plot.Text(f, plot.Page{Width: 80}))
			})
		}
	}
}

func TestTheSameQuestionGivesTheSameBytes(t *testing.T) {
	for _, kind := range plot.Kinds() {
		q := plot.Question{Kind: kind}
		first, second := drawn(t, builtIn(t, "zlip"), q), drawn(t, builtIn(t, "zlip"), q)
		require.Equal(t, plot.SVG(first), plot.SVG(second))
		a, err := plot.PNG(first)
		require.NoError(t, err)
		b, err := plot.PNG(second)
		require.NoError(t, err)
		require.Equal(t, a, b)
	}
}

func TestAPictureHasTheCurvesColoursOnWhite(t *testing.T) {
	for _, kind := range plot.Kinds() {
		picture, err := plot.PNG(drawn(t, builtIn(t, "zlip"), plot.Question{Kind: kind}))
		require.NoError(t, err)
		decoded, err := png.Decode(bytes.NewReader(picture))
		require.NoError(t, err)
		require.Equal(t, 1600, decoded.Bounds().Dx())
		seen := map[color.RGBA]int{}
		for y := range decoded.Bounds().Dy() {
			for x := range 1600 {
				r, g, b, a := decoded.At(x, y).RGBA()
				seen[color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), uint8(a >> 8)}]++
			}
		}
		require.Greater(t, seen[color.RGBA{255, 255, 255, 255}], 1600*decoded.Bounds().Dy()/2)
		require.Greater(t, seen[color.RGBA{0x2f, 0x62, 0xa3, 255}], 500, "the first series of %s", kind)
	}
}

func TestWhatIsAfoulInANameIsText(t *testing.T) {
	const name = `<script>alert("1")&</script>`
	s := own(t, "profiles: {p: {first-token: 1ms, token-gap: 1ms}}\nroutes: [{name: '"+name+"', profile: p, reply: one two}]\n")
	s = only(s)[0]
	s.Name = name // which no file can have
	for _, q := range []plot.Question{{Kind: plot.Timelines}, {Kind: plot.Quantiles}, {Kind: plot.Gaps, Route: name}, {Kind: plot.Load, Route: name}} {
		svg := plot.SVG(drawn(t, s, q))
		require.NotContains(t, string(svg), "<script")
		elements := parsed(t, svg)
		require.Contains(t, elements["title"][0], name)
		require.Empty(t, elements["script"])
	}
}

func TestWhatXMLCannotHoldIsReplaced(t *testing.T) {
	f := &plot.Figure{Kind: plot.Load, Title: "a\x00b\x1b[31m\xffc\ufffe"}
	require.Equal(t, []string{"a\ufffdb\ufffd[31m\ufffdc\ufffd"}, parsed(t, plot.SVG(f))["title"])
	text := plot.Text(f, plot.Page{Width: 80})
	require.NotContains(t, text, "\x1b")
	require.NotContains(t, text, "\x00")
}
