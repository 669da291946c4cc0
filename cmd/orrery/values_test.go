package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSizesReadAndPrintInPowersOf1024(t *testing.T) {
	for word, want := range map[string]struct {
		bytes  int64
		prints string
	}{
		"1":           {1, "1"},
		"1500":        {1500, "1500"},
		"65536":       {65536, "64KB"},
		"64K":         {65536, "64KB"},
		"64 KB":       {65536, "64KB"},
		"256MB":       {256 << 20, "256MB"},
		"256MiB":      {256 << 20, "256MB"},
		"1g":          {1 << 30, "1GB"},
		"8589934591G": {8589934591 << 30, "8589934591GB"},
	} {
		var size byteSize
		require.NoError(t, size.Set(word), word)
		require.Equal(t, want.bytes, int64(size), word)
		require.Equal(t, want.prints, size.String(), word)
	}
	for _, word := range []string{"", "0", "-1", "B", "MB", "1T", "1.5G", "8589934592G", "1KK", "ten"} {
		size := byteSize(7)
		require.Error(t, size.Set(word), "%q", word)
		require.EqualValues(t, 7, size, "a refused value changes nothing")
	}
}

func TestAddressesAreHostAndPort(t *testing.T) {
	for word, want := range map[string]struct {
		loopback  bool
		reachable string
	}{
		"127.0.0.1:4010": {true, "127.0.0.1:4010"},
		"127.9.9.9:1":    {true, "127.9.9.9:1"},
		"[::1]:80":       {true, "[::1]:80"},
		"localhost:0":    {true, "localhost:0"},
		":4010":          {false, "127.0.0.1:4010"},
		"0.0.0.0:4010":   {false, "127.0.0.1:4010"},
		"[::]:4010":      {false, "127.0.0.1:4010"},
		"10.0.0.1:65535": {false, "10.0.0.1:65535"},
		"mock.test:80":   {false, "mock.test:80"},
	} {
		var a address
		require.NoError(t, a.Set(word), word)
		require.Equal(t, want.loopback, a.loopback(), word)
		require.Equal(t, want.reachable, a.reachable(), word)
	}
	for _, word := range []string{"", "4010", "localhost", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:http", "::1:80"} {
		a := address("before")
		require.Error(t, a.Set(word), "%q", word)
		require.Equal(t, address("before"), a)
	}
}

func TestSeedsAreWholeNumbers(t *testing.T) {
	var s seed
	require.Empty(t, s.String(), "a seed that wasn't given prints as nothing")
	require.NoError(t, s.Set("0"))
	require.Equal(t, seed{given: true}, s)
	require.Equal(t, "0", s.String())
	for _, word := range []string{"", "-1", "1.5", "18446744073709551616", "x"} {
		require.Error(t, s.Set(word), "%q", word)
	}
}

func TestDurationsAreNotNegative(t *testing.T) {
	var d duration
	require.NoError(t, d.Set("1500ms"))
	require.Equal(t, "1.5s", d.String())
	for _, word := range []string{"", "10", "-1s", "soon"} {
		require.Error(t, d.Set(word), "%q", word)
	}
}
