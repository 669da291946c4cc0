package api

import (
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// listedKey is one entry of the list of keys: the mock's own shape, like the API's other lists.
type listedKey struct {
	Type        string  `json:"type"` // api_key
	Name        string  `json:"name"`
	CreatedAt   *string `json:"created_at"`  // RFC 3339; null when the file doesn't say
	Fingerprint string  `json:"fingerprint"` // as the journal's
	Tier        string  `json:"tier,omitempty"`
}

// keys lists the scenario's keys without their texts (CLAIMS.md O12). A scenario without keys has
// no such endpoint, like the API.
func (x *exchange) keys() *run.Decision {
	all := x.run.Scenario().Keys
	if len(all) == 0 {
		return x.notFound()
	}
	list := struct {
		Data    []listedKey `json:"data"`
		HasMore bool        `json:"has_more"`
	}{Data: []listedKey{}}
	for _, k := range all {
		if k.Name == scenario.Rest {
			continue
		}
		listed := listedKey{Type: "api_key", Name: k.Name, Fingerprint: fingerprintOf(k.Text), Tier: k.Tier}
		if !k.Created.IsZero() {
			created := k.Created.Format(time.RFC3339)
			listed.CreatedAt = &created
		}
		list.Data = append(list.Data, listed)
	}
	return x.direct(asJSON(list), nil)
}
