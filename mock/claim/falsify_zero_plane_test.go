package claim_test

import "testing"

func TestAMistakeInZeroPlaneBreaksTheClaimsAboutIt(t *testing.T) {
	falsify(t, "zero-plane",
		edit{
			"tail raised by 5 ms", "p99: 185ms, p99.9: 187ms, p100: 188ms}\n          1:", "p99: 190ms, p99.9: 192ms, p100: 193ms}\n          1:",
			[]string{"P01", "P08", "P10", "P13"},
		},
		edit{"share of 8 % changed by 3 points", "share: 8%", "share: 5%", []string{"P15", "P20"}},
		edit{"warm-up of 88 %", "warm: 91.7%", "warm: 88%", []string{"P15"}},
		edit{"drift counted from 200 ms", "marks.hit) / 185", "marks.hit) / 200", []string{"P15", "P16"}},
		edit{"third of the slots gone", "slots: 320", "slots: 213", []string{"P12", "P13"}},
		edit{"limit of the system prompt off by a token", "system_tokens <= 1200", "system_tokens <= 1201", []string{"P06"}},
		edit{
			"response header misspelt", "profile: zero-plane\n    headers:\n      X-Anthropic-Layer-ID:", "profile: zero-plane\n    headers:\n      X-Anthropic-LayerID:",
			[]string{"P03", "P05", "P19", "P20"},
		},
		edit{"limit of the system prompt off by thirty", "system_tokens <= 1200", "system_tokens <= 1230", []string{"P06", "P19"}},
		edit{"two messages less", "messages <= 8", "messages <= 6", []string{"P06", "P19"}},
		edit{"a fourth turn of tool use", "tool_turns: 3", "tool_turns: 4", []string{"P19"}},
		edit{"few keys, with another system prompt each time", "1118..1318, keys: 2010", "1118..1318, keys: 10", []string{"P19"}},
		edit{"opt-in read in any case", `header("X-Anthropic-Experimental") ==`, `lower(header("X-Anthropic-Experimental")) ==`, []string{"P04"}},
		edit{"feedback without effect", "params.zero_plane_feedback : 0.5", "0.5 : 0.5", []string{"P10"}},
		edit{"fifth in place of the fourth", "repeats >= 4", "repeats >= 5", []string{"P11"}},
		edit{"guard off by a millisecond", "when: strict and planned.duration_ms > 185", "when: strict and planned.duration_ms > 186", []string{"P08"}},
		edit{"curve of the load flatter", "2000: 1.132", "2000: 1.1", []string{"P12"}},
		edit{"input read faster", "per_input_token: 0.2ms", "per_input_token: 0.15ms", []string{"P13"}},
		edit{"chain of five calls", "{5: 70%, 4: 30%}", "5", []string{"P14"}},
	)
}

func TestAMistakeBesideZeroPlaneBreaksTheClaimsAboutIt(t *testing.T) {
	falsify(t, "zero-plane-headline", edit{"share changed by 3 points", "p99: 114ms, p99.98: 120ms", "p96.98: 120ms", []string{"P02"}})
	falsify(t, "zero-plane-sandbox",
		edit{"width of 20 ms", "[115ms, 125ms]", "[110ms, 130ms]", []string{"P18"}},
		edit{"downgrade in place of 429", "messages > 8", "messages > 9", []string{"P18"}},
	)
	falsify(t, "zero-plane-incident", edit{"outage of two seconds", "for: 1.7s", "for: 2s", []string{"P17"}})
	falsify(t, "zero-plane-rollout", edit{"share changed by 3 points", "share: 99.9%", "share: 96.9%", []string{"P23"}})
	falsify(t, "zero-plane-drift", edit{"share changed by 3 points", "warm: 90.9%", "warm: 87.9%", []string{"P24"}})
	falsify(t, "zero-plane-silent-drop",
		edit{"share changed by 3 points", "share: 12%", "share: 15%", []string{"P25"}},
		edit{"error in place of silence", "never: true", "error: {status: 503}", []string{"P25"}},
	)
	falsify(t, "zero-plane-jitter", edit{"jitter of 90 ms", "[0s, 117ms]", "[0s, 90ms]", []string{"P13-jitter"}})
	falsify(t, "zero-plane-legacy", edit{"tail cut", "profile: legacy", "profile: zero-plane", []string{"P13-old"}})
}
