package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/go-json-experiment/json"
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/seed-954e9acd/orrery/mock/plot"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// The bounds on what plots cost: how long one may take, and how many of which size are kept.
const (
	longestPlot = 30 * time.Second
	mostPlots   = 64
	largestPlot = 256 << 10
)

// plots are figures that were drawn, and the turn to draw the next: one is drawn at a time.
type plots struct {
	turn chan struct{}
	kept *lru.Cache[plotKey, []byte]
}

// plotKey is all that a figure depends on. A scenario that was read anew is another.
type plotKey struct {
	of, compare                  *scenario.Scenario
	kind, profile, route, format string
}

func newPlots() *plots {
	kept, _ := lru.New[plotKey, []byte](mostPlots) // which can't fail with a size
	return &plots{make(chan struct{}, 1), kept}
}

// plotParameters are those of a plot's query.
func plotParameters() []string { return []string{"kind", "profile", "route", "compare", "format"} }

// plotFormats are the types of content by format.
func plotFormats() map[string]string {
	return map[string]string{"svg": "image/svg+xml", "png": "image/png", "json": "application/json"}
}

func (s *Service) plot(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	for name := range query {
		if !slices.Contains(plotParameters(), name) {
			refuse(w, http.StatusBadRequest, name, "a plot has no such parameter: it has "+strings.Join(plotParameters(), ", "))
			return
		}
	}
	p, problem := s.load(segment(r, "scenario"))
	if problem != nil {
		refuseScenario(w, "scenario", problem)
		return
	}
	key := plotKey{of: p.Scenario, kind: query.Get("kind"), profile: query.Get("profile"), route: query.Get("route"), format: query.Get("format")}
	if other := query.Get("compare"); other != "" {
		beside, problem := s.load(other)
		if problem != nil {
			refuseScenario(w, "compare", problem)
			return
		}
		key.compare = beside.Scenario
	}
	if key.format == "" {
		key.format = "svg"
	}
	if plotFormats()[key.format] == "" {
		refuse(w, http.StatusBadRequest, "format", fmt.Sprintf("there is no format %q: use svg, png or json", key.format))
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), longestPlot)
	defer cancel()
	drawn, err := s.drawn(ctx, key)
	var wrong *plot.Wrong
	switch {
	case err == nil:
		show(w, r, key.format, drawn)
	case errors.As(err, &wrong):
		refuse(w, http.StatusBadRequest, wrong.Field, wrong.Detail)
	case r.Context().Err() != nil: // nobody is there to be answered
	case errors.Is(err, context.DeadlineExceeded):
		refuse(w, http.StatusServiceUnavailable, "", "it takes more than half a minute; orrery plot takes as long as it needs")
	default:
		refuse(w, http.StatusInternalServerError, "", err.Error())
	}
}

// drawn is a figure in a format: one that is kept, else one that is made when its turn comes.
func (s *Service) drawn(ctx context.Context, key plotKey) ([]byte, error) {
	if found, ok := s.plots.kept.Get(key); ok {
		return found, nil
	}
	select {
	case s.plots.turn <- struct{}{}:
		defer func() { <-s.plots.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if found, ok := s.plots.kept.Get(key); ok { // made while this one waited
		return found, nil
	}
	figure, err := plot.Make(ctx, key.of, plot.Question{Kind: plot.Kind(key.kind), Profile: key.profile, Route: key.route, Compare: key.compare, Seed: s.Seed})
	if err != nil {
		return nil, err
	}
	var made []byte
	switch key.format {
	case "png":
		made, err = plot.PNG(figure)
	case "json":
		made, err = json.Marshal(figure)
	default:
		made = plot.SVG(figure)
	}
	if err == nil && len(made) <= largestPlot {
		s.plots.kept.Add(key, made)
	}
	return made, err
}

// show gives a figure out. Even where somebody opens it as a page of its own, nothing in it runs or is
// asked for; its style is its own.
func show(w http.ResponseWriter, r *http.Request, format string, drawn []byte) {
	h := w.Header()
	h.Set("Content-Type", plotFormats()[format])
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-cache")
	h.Set("Etag", `"`+strconv.FormatUint(xxhash.Sum64(drawn), 36)+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(drawn))
}
