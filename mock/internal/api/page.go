package api

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/seed-954e9acd/orrery/mock/web"
)

// page answers with the page itself, at the one path that its files' relative addresses are right for.
func (s *Service) page(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/_orrery" {
		http.Redirect(w, r, "/_orrery/", http.StatusTemporaryRedirect)
		return
	}
	s.givePage(w, r, "index.html")
}

func (s *Service) pageFile(w http.ResponseWriter, r *http.Request) {
	s.givePage(w, r, chi.URLParam(r, "*"))
}

func (s *Service) givePage(w http.ResponseWriter, r *http.Request, name string) {
	if !web.Serve(w, r, name) {
		refuse(w, http.StatusNotFound, "", "the page has no such file")
	}
}
