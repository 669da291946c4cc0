package mock

import (
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"
)

// MetricsListen serves the time series, and nothing else, at http://ADDRESS/metrics on a listener of its
// own, so that a Prometheus on another machine needs no token. Port 0 picks one. It has no effect on
// [New] and [StartInMemory]. Default: only GET /_orrery/metrics has them.
func MetricsListen(address string) Option { return func(s *settings) { s.metricsListen = address } }

// Metrics answers a scrape of Prometheus with the server's time series.
func (h *Handler) Metrics() http.Handler { return h.service.Metrics }

// MetricsListenError is about the address of [MetricsListen].
type MetricsListenError struct{ Err error }

func (e *MetricsListenError) Error() string { return "the metrics' listener: " + e.Err.Error() }
func (e *MetricsListenError) Unwrap() error { return e.Err }

// mostScrapers is how many connections a listener for scrapes has at once.
const mostScrapers = 16

// listenForScrapes opens the listener that the options ask for.
func (s *Server) listenForScrapes() error {
	address := s.settings.metricsListen
	if address == "" {
		return nil
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return &MetricsListenError{err}
	}
	s.MetricsURL = "http://" + named(address, l.Addr()) + "/metrics"
	s.scrapes = &http.Server{
		Handler: http.HandlerFunc(s.serveScrape), ErrorLog: log.New(io.Discard, "", 0), MaxHeaderBytes: 16 << 10,
		ReadTimeout: 10 * time.Second, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
	}
	go func() { _ = s.scrapes.Serve(netutil.LimitListener(l, mostScrapers)) }() // which ends with the server
	return nil
}

func (s *Server) serveScrape(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path != "/metrics":
		http.Error(w, "only GET /metrics is served here", http.StatusNotFound)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		http.Error(w, "only GET /metrics is served here", http.StatusMethodNotAllowed)
	case r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") == "cross-site":
		http.Error(w, "no page of another origin may read this", http.StatusForbidden)
	default:
		s.Metrics().ServeHTTP(w, r)
	}
}
