package metrics_test

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
)

func TestARequestLeavesItsSeriesWhenItIsTooLongAgo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(`
orrery: 1
name: own
profiles: {quick: {respond: 10ms}}
routes: [{name: all, profile: quick, reply: hi}]
metrics:
  own_requests: {help: Requests of the last minute., measure: "count(journal)", over: 1m}
  own_requests_long: {help: Requests of the last 5 minutes., measure: "count(journal)"}
  own_nothing_ratio: {help: The share of nothing., measure: "share(journal, answered, status == 500)"}
`))
		require.NotContains(t, families(t, srv, plain), "own_requests", "nobody has asked")
		ask(t, srv, "/v1/messages", body(""))
		time.Sleep(59 * time.Second)
		ask(t, srv, "/v1/messages", body(""))
		require.Equal(t, 2.0, value(t, families(t, srv, plain), "own_requests"))
		require.True(t, math.IsNaN(value(t, families(t, srv, plain), "own_nothing_ratio")))
		time.Sleep(2 * time.Second)
		require.Equal(t, 1.0, value(t, families(t, srv, plain), "own_requests"))
		require.Equal(t, 2.0, value(t, families(t, srv, plain), "own_requests_long"))
		time.Sleep(5 * time.Minute)
		require.Zero(t, value(t, families(t, srv, plain), "own_requests_long"))
	})
}
