package wire_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

func TestABatchIsReadRequestByRequest(t *testing.T) {
	var got []string
	n, problem, err := wire.ReadBatch(strings.NewReader(` {"requests": [
		{"custom_id": "a", "params": {"model": "m",
		  "x": [1, 2]}},
		{"params": {}, "custom_id": "B_-9"}]} `), func(id string, params []byte) error {
		got = append(got, id+" "+string(params))
		return nil
	})
	require.NoError(t, err)
	require.Nil(t, problem)
	require.Equal(t, 2, n)
	require.Equal(t, []string{`a {"model":"m","x":[1,2]}`, `B_-9 {}`}, got)
}

func TestFaultsOfABatchAreTheFirstInOrder(t *testing.T) {
	for name, test := range map[string]struct{ body, message string }{
		"nothing":             {``, "The request body is not valid JSON: unexpected end of data: char 0"},
		"no object":           {`[1]`, "Input should be an object"},
		"no requests":         {`{}`, "requests: Field required"},
		"none":                {`{"requests":[]}`, "requests: List should have at least 1 item after validation, not 0"},
		"no array":            {`{"requests":{}}`, "requests: Input should be a valid array"},
		"another field":       {`{"requests":[{"custom_id":"a","params":{}}],"x":1}`, "x: Extra inputs are not permitted"},
		"another field first": {`{"x":1,"requests":[]}`, "requests: List should have at least 1 item after validation, not 0"},
		"a number":            {`{"requests":[3]}`, "requests.0: Input should be an object"},
		"no id":               {`{"requests":[{"params":{}}]}`, "requests.0.custom_id: Field required"},
		"no text":             {`{"requests":[{"custom_id":1,"params":{}}]}`, "requests.0.custom_id: Input should be a valid string"},
		"an empty id":         {`{"requests":[{"custom_id":"","params":{}}]}`, "requests.0.custom_id: String should have at least 1 character"},
		"a long id":           {`{"requests":[{"custom_id":"` + strings.Repeat("a", 65) + `","params":{}}]}`, "requests.0.custom_id: String should have at most 64 characters"},
		"an odd id":           {`{"requests":[{"custom_id":"a b","params":{}}]}`, "requests.0.custom_id: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'"},
		"twice":               {`{"requests":[{"custom_id":"a","params":{}},{"custom_id":"a","params":{}}]}`, "requests.1.custom_id: custom_id must be unique within a batch. Found duplicate: a"},
		"no params":           {`{"requests":[{"custom_id":"a"}]}`, "requests.0.params: Field required"},
		"params no object":    {`{"requests":[{"custom_id":"a","params":null}]}`, "requests.0.params: Input should be an object"},
		"another member":      {`{"requests":[{"custom_id":"a","params":{},"y":1}]}`, "requests.0.y: Extra inputs are not permitted"},
		"cut off":             {`{"requests":[{"custom_id":"a","params":{}}`, "The request body is not valid JSON: unexpected EOF"},
		"more behind":         {`{"requests":[{"custom_id":"a","params":{}}]} {}`, "The request body is not valid JSON: unexpected content after document"},
	} {
		t.Run(name, func(t *testing.T) {
			_, problem, err := wire.ReadBatch(strings.NewReader(test.body), func(string, []byte) error { return nil })
			require.NoError(t, err)
			require.NotNil(t, problem)
			require.Equal(t, 400, problem.Status)
			require.Contains(t, problem.Message, test.message)
		})
	}
}

func TestABatchHasAtMostAHundredThousandRequests(t *testing.T) {
	body := func(n int) io.Reader {
		pieces := []io.Reader{strings.NewReader(`{"requests":[`)}
		for i := range n {
			text := fmt.Sprintf(`{"custom_id":"%d","params":{}},`, i)
			if i == n-1 {
				text = strings.TrimSuffix(text, ",")
			}
			pieces = append(pieces, strings.NewReader(text))
		}
		return io.MultiReader(append(pieces, strings.NewReader(`]}`))...)
	}
	nothing := func(string, []byte) error { return nil }
	n, problem, err := wire.ReadBatch(body(wire.MostBatchRequests), nothing)
	require.NoError(t, err)
	require.Nil(t, problem)
	require.Equal(t, wire.MostBatchRequests, n)
	_, problem, err = wire.ReadBatch(body(wire.MostBatchRequests+1), nothing)
	require.NoError(t, err)
	require.Equal(t, "requests: List should have at most 100000 items", problem.Message)
}

func TestWhoTakesABatchesRequestsMayEndIt(t *testing.T) {
	full := errors.New("full")
	_, problem, err := wire.ReadBatch(strings.NewReader(`{"requests":[{"custom_id":"a","params":{}}]}`), func(string, []byte) error { return full })
	require.ErrorIs(t, err, full)
	require.Nil(t, problem)
}
