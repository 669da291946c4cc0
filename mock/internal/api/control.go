package api

import (
	"net"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// control is the mock's own side of the server. All but its health is for this machine alone.
func (s *Service) control(r chi.Router) {
	r.Get("/health", s.health)
	r.With(private).Get("/billing", s.billing)
}

// private refuses whoever isn't on this machine, pages of a browser's, and names that somebody
// else's name server may have pointed here.
func private(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !local(r) {
			problem := wire.Own(http.StatusForbidden, "the control API answers only this machine, under a loopback address or localhost, and no page of a browser.")
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(problem.Status)
			_, _ = w.Write(problem.Append(nil, ""))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// local reports whether a request comes from this machine. An address without an IP is that of a
// connection in memory.
func local(r *http.Request) bool {
	from := net.ParseIP(host(r.RemoteAddr))
	if r.Header.Get("Origin") != "" || from != nil && !from.IsLoopback() {
		return false
	}
	asked := strings.Trim(host(r.Host), "[]")
	named := net.ParseIP(asked)
	return from == nil || asked == "localhost" || named != nil && named.IsLoopback()
}
