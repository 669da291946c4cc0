package api

import (
	"net/http"
	"regexp"
	"strings"
)

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

// document is the OpenAPI description of the control API, made from the table that it is served from.
func (s *Service) document(w http.ResponseWriter, _ *http.Request) {
	paths := map[string]map[string]any{}
	for _, o := range operations() {
		path := "/_orrery" + o.path
		if paths[path] == nil {
			paths[path] = map[string]any{}
		}
		parameters := []map[string]any{}
		for _, m := range pathParameter.FindAllStringSubmatch(o.path, -1) {
			parameters = append(parameters, map[string]any{"name": m[1], "in": "path", "required": true, "schema": map[string]string{"type": "string"}})
		}
		for _, name := range o.query {
			parameters = append(parameters, map[string]any{"name": name, "in": "query", "schema": map[string]string{"type": "string"}})
		}
		described := map[string]any{
			"summary": o.about, "parameters": parameters,
			"responses": map[string]any{
				"2XX":     map[string]string{"description": o.about},
				"default": map[string]any{"description": "a problem", "content": map[string]any{"application/problem+json": map[string]any{"schema": map[string]string{"$ref": "#/components/schemas/Problem"}}}},
			},
		}
		if o.body != "" {
			described["requestBody"] = map[string]any{"description": o.body, "content": map[string]any{"application/json": map[string]any{}}}
		}
		paths[path][strings.ToLower(o.method)] = described
	}
	text, number := map[string]string{"type": "string"}, map[string]string{"type": "integer"}
	tell(w, http.StatusOK, map[string]any{
		"openapi": "3.1.0",
		"info": map[string]string{
			"title": "Orrery's control API", "version": "1",
			"description": "For this machine alone, or with `authorization: Bearer TOKEN`; never for pages of another origin.",
		},
		"paths": paths,
		"components": map[string]any{"schemas": map[string]any{"Problem": map[string]any{
			"type": "object", "required": []string{"type", "title", "status", "detail"},
			"properties": map[string]any{"type": text, "title": text, "status": number, "detail": text, "field": text},
		}}},
	})
}
