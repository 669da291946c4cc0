package scenario_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// headerValue renders the template of a route's header for a request that arrived then.
func headerValue(t *testing.T, template string, arrived time.Time) (string, error) {
	t.Helper()
	s := load(t, frame+"routes:\n  - {name: r, profile: p, headers: {x: '"+template+"'}}\n")
	require.True(t, s.Uses("arrived_unix_ns"))
	env := s.NewEnv()
	env.Set("arrived_unix_ns", int(arrived.UnixNano()))
	env.Set("messages", 5)
	env.Set("skew_ms", 1500.0)
	return s.Routes[0].Headers[0].Value.Text(env)
}

func TestADateIsSoManySecondsAfterArrival(t *testing.T) {
	arrived := time.Date(2026, 11, 29, 23, 59, 58, 600_000_000, time.UTC)
	for template, want := range map[string]string{
		"${http_date(0)}":                             "Sun, 29 Nov 2026 23:59:58 GMT",
		"${http_date(5)}":                             "Mon, 30 Nov 2026 00:00:03 GMT",
		"${http_date(1.5)}":                           "Mon, 30 Nov 2026 00:00:00 GMT",
		"${http_date(-60)}":                           "Sun, 29 Nov 2026 23:58:58 GMT",
		"${http_date(messages)}":                      "Mon, 30 Nov 2026 00:00:03 GMT",
		"${http_date(skew_ms / 1000)}":                "Mon, 30 Nov 2026 00:00:00 GMT",
		"${rfc850_date(5)}":                           "Monday, 30-Nov-26 00:00:03 GMT",
		"${rfc3339(5)}":                               "2026-11-30T00:00:03Z",
		"${messages > 3 ? http_date(1) : rfc3339(2)}": "Sun, 29 Nov 2026 23:59:59 GMT",
	} {
		text, err := headerValue(t, template, arrived)
		require.NoError(t, err, template)
		require.Equal(t, want, text, template)
	}
}

func TestADateThatIsNoneIsAnError(t *testing.T) {
	for _, template := range []string{"${http_date(1e12)}", "${rfc3339(-100000000000)}"} {
		_, err := headerValue(t, template, time.Unix(0, 0))
		require.ErrorContains(t, err, "seconds from arrival is no date", template)
	}
}
