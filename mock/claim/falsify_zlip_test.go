package claim_test

import "testing"

func TestZlipClaimsFailWhenTheFastPathIsAnother(t *testing.T) {
	falsify(t, "zlip",
		edit{"with a tail raised by 5 ms", "p50: 17ms, p95: 19.8ms, p99: 24ms, p100: 30ms", "p50: 17ms, p95: 24.8ms, p99: 29ms, p100: 35ms", []string{"Z08", "Z23"}},
		edit{"with a later median", "p50: 17ms, p95: 19.8ms", "p50: 18.5ms, p95: 19.8ms", []string{"Z05"}},
		edit{"with slower tokens", "uniform: [5.5ms, 6.9ms]", "uniform: [5.8ms, 7.2ms]", []string{"Z06", "Z12"}},
		edit{"without its pace", "    pace: {p0: 0.5, p5: 0.72, p50: 1, p95: 1.238, p99: 1.3, p100: 1.31}\n", "", []string{"Z06", "Z07", "Z11"}},
		edit{"slower under load", "slots: 1024, gpus: 80, wait: 30s}", "slots: 1024, gpus: 80, wait: 30s}\n    load: {by: qps, at: {150: 1, 200: 1.03}}", []string{"Z10", "Z12"}},
		edit{"with a third of its slots gone", "slots: 1024", "slots: 683", []string{"Z09"}},
		edit{"with its header misspelt", "headers: {x-anthropic-zlip: enabled}", "headers: {x-anthropic-zilp: enabled}", []string{"Z01", "Z03"}},
		edit{"without its usage", "    usage: {cache_creation_input_tokens: input_tokens}\n", "", []string{"Z02", "Z03"}},
		edit{"from a day later on", "model_date >= 20240620", "model_date >= 20240621", []string{"Z03"}},
		edit{"from a day earlier on", "model_date >= 20240620", "model_date >= 20240619", []string{"Z03"}},
		edit{"with a larger wire format", "1.9 * (input_tokens", "2.2 * (input_tokens", []string{"Z20"}},
		edit{"without the click", "(arrived_unix_ns - click_ns) / 1000000", "0", []string{"Z21"}},
		edit{"without a warning of odd clicks", `header("x-start-time-ns") != "" and not click_known`, "false", []string{"Z21"}},
	)
}

func TestZlipClaimsFailWhenTheLegacyPathIsAnother(t *testing.T) {
	falsify(t, "zlip",
		edit{"with a third of its slots gone", "slots: 121", "slots: 81", []string{"Z05", "Z06", "Z07", "Z10"}},
		edit{"with slots in plenty", "slots: 121", "slots: 363", []string{"Z09", "Z10"}},
		edit{"with more padding", "padding: 60ms", "padding: 70ms", []string{"Z05"}},
		edit{"with a steadier pace", "p95: 3.09", "p95: 2.5", []string{"Z06", "Z07", "Z11"}},
	)
}

func TestZlipClaimsFailInTheOtherScenarios(t *testing.T) {
	falsify(t, "zlip-legacy",
		edit{"on the fast path", "profile: legacy", "profile: zlip", []string{"Z22"}},
	)
	falsify(t, "zlip-udp-blocked",
		edit{"with too few of them blocked", "share: 12%", "share: 6%", []string{"Z15"}},
		edit{"with a tail of a second", "p91.667: 800ms", "p91.667: 900ms", []string{"Z15"}},
	)
	falsify(t, "zlip-lossy",
		edit{"with 3 points more lost", "share: 3%", "share: 6%", []string{"Z16"}},
		edit{"with another status", "status: 503", "status: 529", []string{"Z16"}},
		edit{"with a slower retransmit", "third-retransmit: {uniform: [384ms, 416ms]}", "third-retransmit: {uniform: [484ms, 516ms]}", []string{"Z16"}},
	)
	falsify(t, "zlip-text",
		edit{"as events", "framing: raw-text", "framing: sse", []string{"Z13"}},
		edit{"with characters in one piece", "    faults: [{cut: inside-character, gap: 1ms}]\n", "", []string{"Z13"}},
		edit{"with a character cut in the first piece alone", "{cut: inside-character, gap: 1ms}", "{cut: byte 1}", []string{"Z13"}},
		edit{"with its last bytes missing", "faults: [{cut", "faults: [{end: finish, after: byte 60}, {cut", []string{"Z13"}},
		edit{"with a slow second half", "gap: 1ms", "gap: 20ms", []string{"Z13"}},
	)
	falsify(t, "zlip-http3",
		edit{"where the protocol doesn't matter", `protocol_matters: "true"`, `protocol_matters: "false"`, []string{"Z14"}},
		edit{"with 3 points more of HTTP/1.1", "{share: 70%, request: {protocol: HTTP/3.0}}\n      http1: {share: 30%", "{share: 67%, request: {protocol: HTTP/3.0}}\n      http1: {share: 33%", []string{"Z14"}},
	)
	falsify(t, "zlip-cache",
		edit{"a token short", "own_tokens: input_tokens - template_tokens", "own_tokens: input_tokens - template_tokens - 1", []string{"Z17", "Z18"}},
		edit{"with the template billed", "{requests: 20, rate: 10/s, request: {model: claude-3-5-sonnet-20241022, input_tokens: 2048, template_tokens: 892", "{requests: 20, rate: 10/s, request: {model: claude-3-5-sonnet-20241022, input_tokens: 2048, template_tokens: 893", []string{"Z17"}},
		edit{"with near misses as fast as any", "    per_input_token: 150us\n", "", []string{"Z18"}},
		edit{"with near misses unnoticed", "active and cache.near", "active and cache.near and false", []string{"Z18"}},
		edit{"with 3 points more repetitions", "mix: {again: {share: 41%, vary: none}, new: {share: 59%}}", "mix: {again: {share: 44%, vary: none}, new: {share: 56%}}", []string{"Z19"}},
		edit{"that forgets what it has read", "cached_tokens: min(cache.read_tokens, own_tokens)", "cached_tokens: min(cache.read_tokens, 0)", []string{"Z18", "Z19"}},
	)
}
