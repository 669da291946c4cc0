package api_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/api"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

func TestAHeadAsItStandsIsFollowedByTheEndThatIsAskedFor(t *testing.T) {
	for end, terminated := range map[string]bool{"finish": true, "cut": false} {
		t.Run(end, func(t *testing.T) {
			changed := files()
			changed["home.yaml"].Data = fmt.Appendf(nil, `
orrery: 1
name: home
profiles: {quick: {respond: 0}}
routes: [{name: all, protocol: http/1.1, profile: quick, reply: odd, verbatim_head: true, headers: {REQUEST-id: "  odd  "}, faults: [{write_size: 50}, {end: %s}]}]
`, end)
			library, err := scenario.NewLibrary(changed)
			require.NoError(t, err)
			home, err := library.Load("home")
			require.NoError(t, err)
			connected(t, func(t *testing.T, n *network) {
				c := n.raw(fmt.Sprintf("POST /v1/messages HTTP/1.1\r\nHost: x\r\nX-Api-Key: any\r\nAnthropic-Version: 2023-06-01\r\nContent-Length: %d\r\n\r\n%s", len(hello), hello))
				got, err := io.ReadAll(c) // which ends only when the connection is closed
				require.NoError(t, err)
				require.Contains(t, string(got), "\r\nREQUEST-id:  odd  \r\n")
				if terminated {
					require.Regexp(t, `\r\n0\r\n\r\n$`, string(got))
				} else {
					require.NotRegexp(t, `\r\n0\r\n\r\n$`, string(got))
				}
			}, func(c *api.Config) { c.Library, c.Default = library, home })
		})
	}
}
