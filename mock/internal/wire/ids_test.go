package wire

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestIDsHaveTheFormOfTheAPIs(t *testing.T) {
	const base58 = `[1-9A-HJ-NP-Za-km-z]`
	for name, c := range map[string]struct {
		form string
		make func(hi, lo uint64) string
	}{
		"message":  {`^msg_01` + base58 + `{22}$`, MessageID},
		"request":  {`^req_011C` + base58 + `{20}$`, RequestID},
		"tool use": {`^toolu_01` + base58 + `{22}$`, ToolUseID},
		"organization": {
			`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`,
			func(hi, lo uint64) string { return OrganizationID(hi<<32 | lo) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			form := regexp.MustCompile(c.form)
			seen := map[string]bool{}
			for hi := range uint64(4) {
				for lo := range uint64(5000) {
					id := c.make(hi, lo)
					require.Regexp(t, form, id)
					require.False(t, seen[id], "%d %d: %s again", hi, lo, id)
					seen[id] = true
					require.Equal(t, id, c.make(hi, lo))
				}
			}
			require.Regexp(t, form, c.make(1<<64-1, 1<<64-1))
		})
	}
}

func TestIDsStayTheSameOnEveryMachine(t *testing.T) {
	require.Equal(t, "msg_01K7PohTn8hsr4pCmRfuhYtu", MessageID(1, 2))
	require.Equal(t, "req_011CibBZ9vPqChGE8Jb7VtcN", RequestID(1, 2))
	require.Equal(t, "toolu_01Dpr2c4CJqKHhz8mrmei6Cz", ToolUseID(1, 2))
	require.Equal(t, "895a1438-3dd6-4fcf-bf29-0916570ef705", OrganizationID(1))
}

func TestNeighbouringIDsShareNoMoreCharactersThanChance(t *testing.T) {
	same, chars := 0, 0
	for n := range uint64(1000) {
		a, b := MessageID(7, n)[6:], MessageID(7, n+1)[6:]
		for i := range a {
			chars++
			if a[i] == b[i] {
				same++
			}
		}
	}
	require.InDelta(t, 1.0/58, float64(same)/float64(chars), 0.004)
}

func TestAnIDCostsOneAllocation(t *testing.T) {
	ids := make([]string, 1)
	require.Equal(t, 1.0, testing.AllocsPerRun(100, func() { ids[0] = MessageID(1, 2) }))
}

func BenchmarkMessageID(b *testing.B) {
	for b.Loop() {
		MessageID(1, 2)
	}
}
