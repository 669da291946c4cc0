package wire

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func parsed(t testing.TB, body string) *Value {
	t.Helper()
	var ps parsers
	v, err := ps.parse([]byte(body))
	require.NoError(t, err, body)
	return &v
}

func TestAValueIsReadAsItWasSent(t *testing.T) {
	v := parsed(t, ` {"b": [1, -2.50, 3e2, true, false, null], "a": {"q\"é": "line\nend \ud83d\ude00 ü"}} `)
	require.Equal(t, Object, v.Kind())
	require.Equal(t, `{"b":[1,-2.50,3e2,true,false,null],"a":{"q\"é":"line\nend 😀 ü"}}`, string(v.Append(nil)))
	require.Equal(t, "b", v.Members()[0].Name)
	require.Equal(t, "line\nend 😀 ü", v.Get("a").Get(`q"é`).Text())
	require.Len(t, v.Get("b").Members(), 6)

	n, ok := v.Get("b").Members()[2].Value.Int()
	require.True(t, ok)
	require.Equal(t, 300, n)
	_, ok = v.Get("b").Members()[1].Value.Int()
	require.False(t, ok)
	f, ok := v.Get("b").Members()[1].Value.Float()
	require.True(t, ok)
	require.InDelta(t, -2.5, f, 0)
	require.True(t, v.Get("b").Members()[3].Value.Bool())
}

func TestWhatIsNotThereIsNull(t *testing.T) {
	v := parsed(t, `{"a":"x"}`).Get("no").Get("way")
	require.Nil(t, v)
	require.Equal(t, Null, v.Kind())
	require.Empty(t, v.Text())
	require.False(t, v.Bool())
	require.Empty(t, v.Members())
	require.Equal(t, "null", string(v.Append(nil)))
	_, ok := v.Int()
	require.False(t, ok)
	_, ok = v.Float()
	require.False(t, ok)
	require.Nil(t, parsed(t, `[{"a":1}]`).Get("a"))
}

func TestABodyOutlivesTheBytesItCameFrom(t *testing.T) {
	body := []byte(`{"model":"m","messages":[{"role":"user","content":"hello"}]}`)
	req, problem := NewReader().Read(body, ReadOptions{Validation: Off})
	require.Nil(t, problem)
	clear(body)
	require.Equal(t, "hello", req.LastUserText())
	require.Equal(t, "m", req.Model)
}
