package mock_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/claim"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

func TestAServerMeasuresClaimsAsTheCommandDoes(t *testing.T) {
	library, err := mock.Library("")
	require.NoError(t, err)
	zlip, err := library.Load("zlip")
	require.NoError(t, err)
	verdicts, err := claim.Verify(t.Context(), []*scenario.Scenario{zlip}, claim.Options{Requests: 300})
	require.NoError(t, err)
	var want bytes.Buffer
	require.NoError(t, claim.Write(&want, "json", verdicts))

	var got json.RawMessage
	calling(mock.StartInMemory(t)).tell(t, "/scenarios/zlip/verify?requests=300", "", &got)
	require.JSONEq(t, want.String(), string(got), "whatever the number of goroutines")
}
