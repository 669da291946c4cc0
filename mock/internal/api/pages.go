package api

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// idPage is a page of the lists that are walked by ids.
type idPage[T any] struct {
	Data    []T     `json:"data"`
	HasMore bool    `json:"has_more"`
	FirstID *string `json:"first_id"`
	LastID  *string `json:"last_id"`
}

// tokenPage is a page of the lists that are walked by a token.
type tokenPage[T any] struct {
	Data     []T     `json:"data"`
	NextPage *string `json:"next_page"`
}

// oldTokenPage is that of the skills' older lists.
type oldTokenPage[T any] struct {
	Data     []T     `json:"data"`
	HasMore  bool    `json:"has_more"`
	NextPage *string `json:"next_page"`
}

// pageByID cuts the page that limit, after_id and before_id ask for. Where validation is lax what
// is wrong with them counts as absent.
func pageByID[T any](all []T, id func(T) string, query url.Values, lax bool) (page []T, more bool, problem *wire.Error) {
	limit, problem := limitOf(query, lax)
	if problem != nil {
		return nil, false, problem
	}
	for _, key := range [...]string{"after_id", "before_id"} {
		asked := query.Get(key)
		if asked == "" {
			continue
		}
		at := slices.IndexFunc(all, func(v T) bool { return id(v) == asked })
		switch {
		case at < 0 && lax:
			continue
		case at < 0:
			return nil, false, wire.Invalid(key + ": Input should be the id of an object in this list")
		case key == "before_id":
			from := max(0, at-limit)
			return all[from:at], from > 0, nil
		}
		all = all[at+1:]
		break
	}
	n := min(limit, len(all))
	return all[:n], n < len(all), nil
}

func ids[T any](page []T, id func(T) string) (first, last *string) {
	if len(page) == 0 {
		return nil, nil
	}
	a, z := id(page[0]), id(page[len(page)-1])
	return &a, &z
}

// pageByToken cuts the page that limit and page ask for out of a list that is sorted by number,
// falling. A token holds the number of the last object seen, so it outlives that object.
func pageByToken[T any](all []T, number func(T) uint64, query url.Values, lax bool) (page []T, next *string, problem *wire.Error) {
	limit, problem := limitOf(query, lax)
	if problem != nil {
		return nil, nil, problem
	}
	token := query.Get("page")
	if token == "" {
		token = query.Get("page_token")
	}
	if token != "" {
		last, ok := openToken(token)
		switch {
		case ok:
			all = slices.DeleteFunc(slices.Clone(all), func(v T) bool { return number(v) >= last })
		case !lax:
			return nil, nil, wire.Invalid("page: Input should be the next_page of an earlier page")
		}
	}
	n := min(limit, len(all))
	if n < len(all) {
		made := "page_" + base64.RawURLEncoding.EncodeToString(strconv.AppendUint(nil, number(all[n-1]), 36))
		next = &made
	}
	return all[:n], next, nil
}

func openToken(token string) (uint64, bool) {
	text, ok := strings.CutPrefix(token, "page_")
	decoded, err := base64.RawURLEncoding.DecodeString(text)
	if !ok || err != nil {
		return 0, false
	}
	n, err := strconv.ParseUint(string(decoded), 36, 64)
	return n, err == nil
}

func limitOf(query url.Values, lax bool) (int, *wire.Error) {
	limit, problem := wire.LimitOf(query)
	if problem != nil && lax {
		return wire.LimitOf(nil)
	}
	return limit, problem
}

// each makes what a client sees of a list's objects; an empty list is no null.
func each[T, V any](all []T, view func(T) V) []V {
	seen := make([]V, len(all))
	for i, v := range all {
		seen[i] = view(v)
	}
	return seen
}

// asJSON encodes what can always be encoded.
func asJSON(v any) []byte {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return body
}

// stamp writes an instant as the API does; the zero one is null.
func stamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := t.UTC().Format("2006-01-02T15:04:05.000000Z")
	return &text
}
