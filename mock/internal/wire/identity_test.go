package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBodiesThatMeanTheSameHaveOneIdentity(t *testing.T) {
	long := strings.Repeat("x", 1000)
	for _, same := range [][]string{
		{`{"a":1,"b":[true,null]}`, `{"b":[true,null],"a":1}`, "{ \"b\" : [ true,\n null ] , \"a\" : 1 }"},
		{`{"a":"é\n"}`, `{"a":"\u00e9\u000a"}`, `{"\u0061":"é\n"}`},
		{`[1,100,-0]`, `[1.0,1e2,0]`},
		{`[0.5]`, `[5e-1]`, `[0.50]`},
		{`{"z":{"b":"` + long + `","a":1}}`, `{"z":{"a":1,"b":"` + long + `"}}`},
	} {
		for _, other := range same[1:] {
			require.Equal(t, identity(parsed(t, same[0])), identity(parsed(t, other)), "%.40s and %.40s", same[0], other)
		}
	}
}

func TestOneChangeIsAnotherIdentity(t *testing.T) {
	long := strings.Repeat("x", 300)
	seen := map[uint64]string{}
	for _, body := range []string{
		`null`, `true`, `false`, `0`, `1`, `""`, `"1"`, `"true"`, `"null"`, `[]`, `{}`, `[[]]`, `[{}]`, `0.1`, `1e300`, `123456789012345678901`,
		`["a","b"]`, `["ab",""]`, `["b","a"]`, `["a\",\"b"]`, `{"a":"b"}`, `{"b":"a"}`, `{"a":["b"]}`, `{"a":{},"b":1}`, `{"a":{"b":1}}`,
		`"` + long + `"`, `"` + long[1:] + `y"`, `"y` + long[1:] + `"`, `["` + long + `"]`,
	} {
		id := identity(parsed(t, body))
		require.NotContains(t, seen, id, "%s and %s", body, seen[id])
		seen[id] = body
	}
}

func BenchmarkIdentity(b *testing.B) {
	v := parsed(b, smallBody)
	b.ReportAllocs()
	for b.Loop() {
		identity(v)
	}
}
