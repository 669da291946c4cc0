package api_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

func TestAThoughtMustCarryTheSignatureThatItWasSentWith(t *testing.T) {
	s := serving(t)
	body := func(thought string) string {
		return `{"model":"claude-opus-4-5","max_tokens":100,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[` +
			`{"type":"thinking","thinking":"` + thought + `","signature":"` + wire.Signature("hm", 7) + `"},{"type":"text","text":"ho"}]},{"role":"user","content":"and?"}]}`
	}
	require.Equal(t, 200, s.post(body("hm")).Code)
	require.Equal(t, "messages.1.content.0: Invalid `signature` in `thinking` block", requireError(t, s.post(body("ha")), 400, "invalid_request_error"))
	require.Equal(t, 200, s.do(request("POST", "/scenarios/lax/v1/messages", body("ha"))).Code)
}
