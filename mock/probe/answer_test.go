package probe_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/probe"
)

func TestEventsThatAMessageIsMadeOf(t *testing.T) {
	for name, test := range map[string]struct {
		stream string
		want   probe.Result
	}{
		"unknown events and fields are left alone": {
			stream: sse(`{"type":"ping"}`) + "event: later_on\ndata: not JSON\n\n" + sse(`{"type":"message_start","message":{"new":1}}`) + sse(stopped),
			want:   probe.Result{Events: 4},
		},
		"an event's name may be only in its data": {
			stream: "data: " + started + "\n\ndata: " + spoken + "\n\ndata: " + stopped + "\n\n",
			want: probe.Result{Events: 3, Text: "Good ", Deltas: []probe.Delta{{Bytes: 5, Text: "Good "}},
				Usage: probe.Usage{Input: 7, Output: 1, CacheRead: 5}},
		},
		"the last usage wins, field by field": {
			stream: sse(started) + sse(`{"type":"message_delta","delta":{"stop_reason":"max_tokens"},"usage":{"output_tokens":0,"cache_creation_input_tokens":2}}`) + sse(stopped),
			want:   probe.Result{Events: 3, StopReason: "max_tokens", Usage: probe.Usage{Input: 7, CacheCreation: 2, CacheRead: 5}},
		},
		"thinking and tool input are deltas but no text": {
			stream: sse(`{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"Hm."}}`) +
				sse(`{"type":"content_block_delta","delta":{"type":"input_json_delta","partial_json":"{\"a\":"}}`) +
				sse(`{"type":"content_block_delta","delta":{"type":"signature_delta","signature":"EqQB"}}`) + sse(stopped),
			want: probe.Result{Events: 4, Deltas: []probe.Delta{{Bytes: 3, Text: "Hm."}, {Bytes: 5, Text: `{"a":`}, {Bytes: 4}}},
		},
		"calls of tools are counted, those of the server's are not": {
			stream: sse(`{"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","name":"web_search"}}`) +
				sse(`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","name":"a"}}`) +
				sse(`{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","name":"b"}}`) + sse(stopped),
			want: probe.Result{Events: 4, Calls: 2},
		},
		"a completion of old ends with its reason": {
			stream: sse(`{"type":"completion","completion":" Hello","stop_reason":null}`) + sse(`{"type":"completion","completion":"","stop_reason":"stop_sequence"}`),
			want:   probe.Result{Events: 2, StopReason: "stop_sequence", Text: " Hello", Deltas: []probe.Delta{{Bytes: 6, Text: " Hello"}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got := one(t, serve(t, streaming(test.stream)), probe.Shot{})
				require.Equal(t, probe.Answered, got.Outcome, got.Err)
				require.Equal(t, test.want, probe.Result{Events: got.Events, Text: got.Text, Deltas: got.Deltas, Usage: got.Usage, StopReason: got.StopReason, Calls: got.Calls})
			})
		})
	}
}

func TestTextsAreOnlyKeptWhenAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := serve(t, streaming(sse(started), sse(spoken), sse(stopped)))
		r := open(t, every(s, 1, probe.Shot{}), probe.Options{Client: client})[0]
		require.Empty(t, r.Text)
		require.Empty(t, r.Reads)
		require.Equal(t, []probe.Delta{{At: time.Duration(0), Bytes: 5}}, r.Deltas)
	})
}
