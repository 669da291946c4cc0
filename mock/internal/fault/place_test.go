package fault_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	. "github.com/seed-954e9acd/orrery/mock/internal/fault"
)

func TestAPlaceIsReadAndWrittenAlike(t *testing.T) {
	for text, want := range map[string]Place{
		"3":                           {Nth: 3},
		"message_stop":                {Event: "message_stop"},
		"content_block_delta 5":       {Event: delta, Nth: 5},
		"last content_block_delta":    {Event: delta, Last: true},
		"last":                        {Last: true},
		"every content_block_delta":   {Event: delta, Every: true},
		"every content_block_delta 3": {Event: delta, Every: true, Nth: 3},
		"every 3":                     {Every: true, Nth: 3},
		"all":                         {Every: true},
		"headers":                     {Headers: true},
		"start":                       {Start: true},
		"end":                         {End: true},
		"line 2":                      {Line: 2},
		"byte 0":                      {AtByte: true},
		"byte 100":                    {Byte: 100, AtByte: true},
		"2s":                          {After: 2 * time.Second},
	} {
		p, err := ParsePlace(text)
		require.NoError(t, err, text)
		require.Equal(t, want, p, text)
		require.Equal(t, text, p.String())
	}
	require.Empty(t, Place{}.String())
}

func TestABadPlaceSaysWhatAPlaceLooksLike(t *testing.T) {
	for text, want := range map[string]string{
		"":              `a place is empty: write one such as 3, message_stop, last content_block_delta, start, end, byte 100 or 2s`,
		"0":             `place "0": an offset from the request's arrival lies above 0 and below 146 years; for the very start write start`,
		"-1":            `place "-1" can't be read: write a count from 1, the name of an event, start, end or an offset such as 2s`,
		"-1s":           `place "-1s": an offset from the request's arrival lies above 0 and below 146 years; for the very start write start`,
		"byte":          `place "byte" lacks its number: write one such as byte 3`,
		"byte x":        `place "byte x": byte takes one whole number from 0, such as byte 100`,
		"line 0":        `place "line 0": line takes one whole number from 1, such as line 2`,
		"last 3":        `place "last 3": last takes the name of an event, such as last content_block_delta`,
		"every start":   `place "every start": every takes the name of an event, a whole number from 1, or both, such as every 3`,
		"3 ping":        `place "3 ping" can't be read: write one such as 3, content_block_delta 5, last content_block_delta, every 3, byte 100 or 2s`,
		"ping 1 2":      `place "ping 1 2" can't be read: write one such as 3, content_block_delta 5, last content_block_delta, every 3, byte 100 or 2s`,
		"message stop!": `place "message stop!" can't be read: write one such as 3, content_block_delta 5, last content_block_delta, every 3, byte 100 or 2s`,
	} {
		_, err := ParsePlace(text)
		require.EqualError(t, err, want)
	}
}

func FuzzParsePlace(f *testing.F) {
	for _, text := range []string{"3", "every ping 2", "last", "byte 100", "2s", "1h2m", "line 2", "start"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePlace(text)
		if err != nil {
			return
		}
		again, err := ParsePlace(p.String())
		require.NoError(t, err)
		require.Equal(t, p, again)
	})
}
