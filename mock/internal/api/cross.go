package api

import (
	"net/http"
	"strings"

	"github.com/rs/cors"
)

// cross lets pages of other origins call the API's own paths, and no others.
func cross(next http.Handler) http.Handler {
	open := cors.New(cors.Options{
		AllowedOrigins: []string{"*"},
		AllowedMethods: []string{http.MethodGet, http.MethodPost, http.MethodDelete},
		AllowedHeaders: []string{"*"},
		ExposedHeaders: []string{"*"},
	}).Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Origin") != "" && strings.HasPrefix(pathOf(r), "/v1/") {
			open.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}
