package api_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAParameterIsCheckedInTheAPIsWords(t *testing.T) {
	for _, c := range []struct{ sent, said string }{
		{`"mode":"hard"`, ""},
		{`"mode":"loud"`, "mode: Input should be 'hard' or 'soft'"},
		{`"mode":7`, "mode: Input should be a valid string"},
		{`"level":3`, ""},
		{`"level":3.0`, ""},
		{`"level":3.5`, "level: Input should be a valid integer"},
		{`"level":"3"`, "level: Input should be a valid integer"},
		{`"level":0`, "level: Input should be greater than or equal to 1"},
		{`"level":6`, "level: Input should be less than or equal to 5"},
		{`"share":0.25`, ""},
		{`"share":-1e9`, ""},
		{`"share":true`, "share: Input should be a valid number"},
		{`"warm":false`, ""},
		{`"warm":"false"`, "warm: Input should be a valid boolean"},
		{`"note":""`, ""},
		{`"note":["a"]`, "note: Input should be a valid string"},
		{`"note":null`, "note: Input should be a valid string"},
	} {
		t.Run(c.sent, func(t *testing.T) {
			w := serving(t).post(strings.Replace(hello, "{", "{"+c.sent+",", 1))
			if c.said == "" {
				require.Equal(t, 200, w.Code, w.Body.String())
			} else {
				require.Equal(t, c.said, requireError(t, w, 400, "invalid_request_error"))
			}
		})
	}
}
