package claim_test

import (
	"strings"
	"testing"
)

func TestZioClaimsFailWhenTheSchedulerIsAnother(t *testing.T) {
	falsify(t, "zio",
		edit{"with a tail raised by 5 ms", "p50: 242ms, p98: 295ms, p99: 312ms", "p50: 242ms, p98: 295ms, p99: 317ms", []string{"O07"}},
		edit{
			"with 3 points less short gaps",
			"{share: 68.4%, uniform: [17ms, 23ms]}\n        - {share: 29%, p0: 85ms, p50: 87ms, p100: 92ms, tokens: 2..3}\n        - {share: 2.6%",
			"{share: 65.4%, uniform: [17ms, 23ms]}\n        - {share: 29%, p0: 85ms, p50: 87ms, p100: 92ms, tokens: 2..3}\n        - {share: 5.6%",
			[]string{"O04", "O11"},
		},
		edit{"with one HTTP/2 connection as any other", `protocol == "HTTP/2.0"`, `protocol == "HTTP/3.0"`, []string{"O07"}},
		edit{"with each request of HTTP/2 on its own connection", "connection.requests > 1", "connection.requests < 1", []string{"O07"}},
		edit{"with 0.003 % more other errors", "share: 0.009%", "share: 0.012%", []string{"O07"}},
		edit{"with its header shown", "expose_header: false", "expose_header: true", []string{"O01"}},
		edit{"cutting prompts from a token less on", "system_tokens > 2048 and", "system_tokens > 2047 and", []string{"O15"}},
		edit{"cutting prompts that are in three", " and not cut_in_three", "", []string{"O15"}},
		edit{"with the article's own second for midnight", `key.created < "2024-10-01T00:00:00Z"`, `key.created < "2024-10-01T18:40:00Z"`, []string{"O12"}},
		edit{
			"calling two tools at once", "- name: scheduled\n    profile: zio\n    reply: {tokens: 200..400}", "- name: scheduled\n    profile: zio\n    reply: {tokens: 200..400, tools: parallel}",
			[]string{"O23"},
		},
		edit{"never calling a tool", "- name: scheduled\n    profile: zio\n    reply: {tokens: 200..400}", "- name: scheduled\n    profile: zio\n    reply: {tokens: 200..400, tools: never}", []string{"O23"}},
		edit{"with images on the new path", "when: blocks.image > 0\n    profile: legacy", "when: blocks.image > 0\n    profile: zio", []string{"O16"}},
	)
}

func TestZioClaimsFailWhenTheOldPathIsAnother(t *testing.T) {
	falsify(t, "zio",
		edit{"with 0.03 points more of 503", "share: 0.15%", "share: 0.18%", []string{"O08"}},
		edit{"with cold starts of half a minute", "uniform: [4.6s, 6.6s]", "uniform: [24.6s, 32.6s]", []string{"O23"}},
		edit{"releasing slots at once", "queue: {slots: 20000, cancel: 420ms}", "queue: {slots: 20000}", []string{"O14"}},
		edit{"with one token in each event", "uniform: [60ms, 75ms], tokens: 2..3", "uniform: [60ms, 75ms], tokens: 1", []string{"O11"}},
		edit{
			"with 2 points less cold starts", "{share: 96.8%, p0: 205ms, p0.5: 210ms, p50: 222ms, p99.2: 295ms, p100: 310ms}\n        - {share: 2%",
			"{share: 98.7%, p0: 205ms, p0.5: 210ms, p50: 222ms, p99.2: 295ms, p100: 310ms}\n        - {share: 0.1%", []string{"O03"},
		},
	)
}

func TestZioClaimsFailInTheOtherScenarios(t *testing.T) {
	falsify(t, "zio-legacy",
		edit{"on the new path", "old_path: true", "old_path: false", []string{"O05"}},
	)
	scheduled := "profile: zio\n    reply: {tokens: 200..400}\n    faults: [write_size: 2048]\n\nworkloads"
	falsify(t, "zio-2k",
		edit{"a byte short", scheduled, strings.Replace(scheduled, "2048", "2047", 1), []string{"O10"}},
		edit{"with events that leave as they are", scheduled, strings.Replace(scheduled, "    faults: [write_size: 2048]\n", "", 1), []string{"O10"}},
		edit{"with units that start anew at each event", scheduled, strings.Replace(scheduled, "write_size: 2048", "{write_size: 2048, within: events}", 1), []string{"O10"}},
		edit{"with another size before", "when: old_path\n    profile: legacy\n    reply: {tokens: 200..400}\n    faults: [write_size: 8192]", "when: old_path\n    profile: legacy\n    reply: {tokens: 200..400}\n    faults: [write_size: 4096]", []string{"O10"}},
	)
	falsify(t, "zio-gzip",
		edit{"with plain bodies", "    faults: [gzip: flushed]\n", "", []string{"O13"}},
		edit{"with bodies that lack their end", "gzip: flushed", "gzip: truncated", []string{"O13"}},
		edit{"with bodies that wait for the compressor", "gzip: flushed", "gzip: unflushed", []string{"O13"}},
		edit{"with 3 points more short gaps", "{share: 45%, uniform: [17ms, 23ms]}\n        - {share: 52.4%", "{share: 48%, uniform: [17ms, 23ms]}\n        - {share: 49.4%", []string{"O13"}},
		edit{"with gzip for those who ask for identity", "when: compressed and stream and not old_path", "when: stream and not old_path", []string{"O13"}},
	)
	falsify(t, "zio-capacity",
		edit{"with a third of its slots gone", "slots: 839", "slots: 559", []string{"O22"}},
		edit{"with a third of the old slots gone", "slots: 1966", "slots: 1311", []string{"O22"}},
		edit{"with longer answers", "profile: zio\n    reply: {tokens: 256}", "profile: zio\n    reply: {tokens: 250}", []string{"O22"}},
	)
	falsify(t, "zio-neighbours",
		edit{"with a third of its slots gone", "slots: 2400", "slots: 1600", []string{"O17"}},
		edit{"with nobody too busy", "busy: {rate: 600/s", "busy: {rate: 500/s", []string{"O17"}},
	)
	falsify(t, "zio-overload",
		edit{"with slots in plenty", "slots: 20,", "slots: 2000,", []string{"O20"}},
		edit{"with 3 points more of 503", "share: 0.5%", "share: 3.5%", []string{"O20"}},
		edit{"without falling back", `utilization("zio") >= 1`, `utilization("zio") > 1`, []string{"O20"}},
	)
	falsify(t, "zio-flaky",
		edit{"forgiving from a millisecond later on", "since_last_ms < 500\n", "since_last_ms < 501\n", []string{"O09"}},
		edit{"with 3 points more second tries that fail", "share: 0.5%", "share: 3.5%", []string{"O09"}},
		edit{"for another status", "last_status == 429", "last_status == 428", []string{"O09"}},
	)
	falsify(t, "zio-billing",
		edit{"with the night an hour earlier", "starts: 2024-10-18T00:00:00Z", "starts: 2024-10-18T01:00:00Z", []string{"O06"}},
		edit{"with the header misspelt", `X-Request-Timestamp: "${http_date}"`, `X-Request-Timestmp: "${http_date}"`, []string{"O19"}},
	)
	falsify(t, "zio-cases",
		edit{"with a third of the old slots gone", "p99: 600ms}}\n        model: {lognormal: {p50: 420ms, p99: 870ms}}\n    queue: {slots: 740}", "p99: 600ms}}\n        model: {lognormal: {p50: 420ms, p99: 870ms}}\n    queue: {slots: 493}", []string{"O24"}},
		edit{"with 3 points less cold starts", "{share: 92%, constant: 0}, {share: 8%", "{share: 95%, constant: 0}, {share: 5%", []string{"O24"}},
		edit{"with one path for all tasks", "profile: tasks-scheduled-long", "profile: tasks-old-long", []string{"O24"}},
	)
}
