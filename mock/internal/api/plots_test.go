package api_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// plotted gets a plot, with the headers given as pairs.
func (c controls) plotted(path string, headers ...string) *httptest.ResponseRecorder {
	c.t.Helper()
	r := httptest.NewRequest("GET", "http://localhost:4010/_orrery/plots/"+path, nil)
	r.RemoteAddr = "127.0.0.1:1234"
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	c.ServeHTTP(w, r)
	return w
}

func TestAPlotIsAPictureThatCanDoNothing(t *testing.T) {
	c := controls{serving(t)}
	w := c.plotted("home?kind=quantiles")
	require.Equal(t, 200, w.Code, w.Body.String())
	require.Equal(t, "image/svg+xml", w.Header().Get("Content-Type"))
	require.Equal(t, "default-src 'none'; style-src 'unsafe-inline'", w.Header().Get("Content-Security-Policy"))
	require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
	d := xml.NewDecoder(w.Body)
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
	}
}

func TestAPlotIsAskedForByKindProfileRouteAndFormat(t *testing.T) {
	c := controls{serving(t)}
	w := c.plotted("home?kind=timelines&format=png")
	require.Equal(t, "image/png", w.Header().Get("Content-Type"))
	_, err := png.Decode(bytes.NewReader(w.Body.Bytes()))
	require.NoError(t, err)

	status, told := c.do("GET", "/plots/home?kind=gaps&format=json", "")
	require.Equal(t, 200, status)
	require.Equal(t, "gaps", told["kind"])
	_, told = c.do("GET", "/plots/home?kind=load&profile=slow&format=json", "")
	require.Equal(t, []any{"home"}, told["scenarios"])
	_, told = c.do("GET", "/plots/home?kind=quantiles&compare=quick&format=json", "")
	require.Equal(t, []any{"home", "quick"}, told["scenarios"])
	status, told = c.do("GET", "/plots/home?kind=timelines&route=all&format=json", "")
	require.Equal(t, 200, status)
	require.Equal(t, "all", told["panels"].([]any)[0].(map[string]any)["title"])
}

func TestAPlotIsKeptAndNamedByWhatItHolds(t *testing.T) {
	c := controls{serving(t)}
	first := c.plotted("home")
	again := c.plotted("home")
	require.Equal(t, first.Body.String(), again.Body.String())
	tag := first.Header().Get("Etag")
	require.NotEmpty(t, tag)
	require.Equal(t, 304, c.plotted("home", "If-None-Match", tag).Code)
	require.Equal(t, 200, c.plotted("quick", "If-None-Match", tag).Code)
}

func TestAPlotThatCannotBeDrawnSaysWhichParameterIsAtFault(t *testing.T) {
	c := controls{serving(t)}
	for path, want := range map[string]struct {
		status int
		field  any
	}{
		"nobody":                 {404, "scenario"},
		"home?compare=nobody":    {404, "compare"},
		"home?kind=pie":          {400, "kind"},
		"home?profile=fast":      {400, "profile"},
		"home?route=nowhere":     {400, "route"},
		"home?format=gif":        {400, "format"},
		"home?n=1000000":         {400, "n"},
		"quick?kind=gaps":        {400, "kind"},
		"home?profile=a&route=b": {400, "route"},
		"broken":                 {422, "scenario"},
	} {
		status, told := c.do("GET", "/plots/"+path, "")
		require.Equal(t, want.status, status, path)
		require.Equal(t, want.field, told["field"], path)
	}
	require.Equal(t, 403, c.plotted("home", "Origin", "https://elsewhere.example").Code)
}
