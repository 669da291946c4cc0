package api

import (
	"crypto/subtle"
	"net"
	"net/http"
	"strings"
)

// private refuses pages of other origins, names that somebody else's name server may have pointed here,
// and whoever isn't on this machine and hasn't the token.
func (s *Service) private(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.trusted(r) {
			refuse(w, http.StatusForbidden, "", "the control API answers only this machine, under a loopback address or localhost, and no page but its own; "+
				"from elsewhere it needs `authorization: Bearer TOKEN` with what the server's ORRERY_CONTROL_TOKEN is")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Service) trusted(r *http.Request) bool {
	if !fromOwnPage(r) {
		return false
	}
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && s.ControlToken != "" {
		return subtle.ConstantTimeCompare([]byte(token), []byte(s.ControlToken)) == 1
	}
	return local(r)
}

// fromOwnPage reports whether a request comes from no page of a browser's, or from one of the origin
// that it goes to. A page whose name was pointed here later has that origin, too: it is the name that
// must be looked at besides.
func fromOwnPage(r *http.Request) bool {
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site != "same-origin" && site != "none" {
			return false
		}
	}
	origins := r.Header.Values("Origin")
	return len(origins) == 0 || len(origins) == 1 && strings.EqualFold(origins[0], baseOf(r))
}

// baseOf is the origin that a request was sent to, as its client names it.
func baseOf(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// local reports whether a request comes from this machine. An address without an IP is that of a
// connection in memory.
func local(r *http.Request) bool {
	from := net.ParseIP(host(r.RemoteAddr))
	if from != nil && !from.IsLoopback() {
		return false
	}
	asked := strings.Trim(host(r.Host), "[]")
	named := net.ParseIP(asked)
	return from == nil || asked == "localhost" || named != nil && named.IsLoopback()
}
