package wire

import "testing"

func TestALongCacheMarkComesBeforeAShortOne(t *testing.T) {
	const late = "cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. " +
		"Note that blocks are processed in the following order: `tools`, `system`, `messages`."
	mark := func(ttl string) string { return `"cache_control":{"type":"ephemeral"` + ttl + `}` }
	hour, five, bare := mark(`,"ttl":"1h"`), mark(`,"ttl":"5m"`), mark(``)
	text := func(mark string) string { return `{"type":"text","text":"a",` + mark + `}` }
	tool := func(mark string) string {
		return `"tools":[{"name":"f","input_schema":{"type":"object"},` + mark + `}],`
	}
	requireFaults(t, ReadOptions{Version: Version2026}, []faultCase{
		{inUserTurn(text(hour) + "," + text(five)), ""},
		{tool(hour) + `"system":[` + text(hour) + `],` + inUserTurn(text(bare)), ""},
		{inUserTurn(text(five) + "," + text(hour)), "messages.0.content.1." + late},
		{`"system":[` + text(bare) + `,` + text(hour) + `]`, "system.1." + late},
		{tool(five) + `"system":[` + text(hour) + `]`, "system.0." + late},
		{tool(five) + hour, late},
	})
}
