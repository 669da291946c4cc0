package store_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/store"
)

func opened(t *testing.T, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(dir)
	require.NoError(t, err)
	return s
}

// keep keeps a file of that content.
func keep(t *testing.T, s *store.Store, id, content string) store.File {
	t.Helper()
	blob, err := s.Receive(strings.NewReader(content), store.MostFile)
	require.NoError(t, err)
	n, err := s.Number()
	require.NoError(t, err)
	f := store.File{Scope: "a", Number: n, ID: id, Name: "x", Created: time.Unix(int64(n), 0).UTC(), Blob: blob}
	require.NoError(t, s.Files.Put(f))
	return f
}

func contentOf(t *testing.T, s *store.Store, b store.Blob) string {
	t.Helper()
	r, err := s.Read(b)
	require.NoError(t, err)
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	return string(text)
}

func idsOf(all []store.File) (ids []string) {
	for _, f := range all {
		ids = append(ids, f.ID)
	}
	return ids
}

func TestWhatIsKeptIsFoundNewestFirst(t *testing.T) {
	for name, dir := range map[string]string{"in memory": "", "in a directory": t.TempDir()} {
		t.Run(name, func(t *testing.T) {
			s := opened(t, dir)
			large := strings.Repeat("large ", 100_000)
			keep(t, s, "one", "1")
			keep(t, s, "two", large)
			require.Equal(t, []string{"two", "one"}, idsOf(s.Files.List("a")))
			require.Empty(t, s.Files.List("b"), "another's")
			two, ok := s.Files.Get("a", "two")
			require.True(t, ok)
			require.Equal(t, large, contentOf(t, s, two.Blob))
			_, ok = s.Files.Get("b", "two")
			require.False(t, ok)

			gone, err := s.Files.Delete("a", "two")
			require.True(t, gone)
			require.NoError(t, err)
			gone, err = s.Files.Delete("a", "two")
			require.False(t, gone)
			require.NoError(t, err)
			require.Equal(t, []string{"one"}, idsOf(s.Files.List("a")))
		})
	}
}

func TestWhatIsKeptOutlivesTheProcess(t *testing.T) {
	dir := t.TempDir()
	first := opened(t, dir)
	one, two := keep(t, first, "one", "first"), keep(t, first, "two", strings.Repeat("x", 1<<20))
	_, err := first.Files.Delete("a", "one")
	require.NoError(t, err)
	require.NoError(t, first.Batches.Put(store.Batch{Scope: "a", Number: 900, ID: "b", Header: map[string][]string{"X": {"y"}}}))
	require.NoError(t, first.Skills.Put(store.Skill{Scope: "a", Number: 901, ID: "s", Versions: []store.SkillVersion{{ID: "v"}}}))
	_, _, err = first.Batches.Change("a", "b", func(b store.Batch) (store.Batch, error) {
		b.Canceled = time.Unix(9, 0).UTC()
		return b, nil
	})
	require.NoError(t, err)

	// Nothing is closed: a kill gives no time for that.
	again := opened(t, dir)
	require.Empty(t, again.Skipped)
	require.Equal(t, []store.File{two}, again.Files.List("a"))
	require.Equal(t, strings.Repeat("x", 1<<20), contentOf(t, again, two.Blob))
	b, ok := again.Batches.Get("a", "b")
	require.True(t, ok)
	require.Equal(t, time.Unix(9, 0).UTC(), b.Canceled)
	require.Equal(t, map[string][]string{"X": {"y"}}, b.Header)
	sk, ok := again.Skills.Get("a", "s")
	require.True(t, ok)
	require.Equal(t, "v", sk.Versions[0].ID)
	n, err := again.Number()
	require.NoError(t, err)
	require.Greater(t, n, uint64(901))
	require.NotEqual(t, one.Number, n)
}

func TestNumbersAreNeverGivenTwiceEvenWhenAllIsDeleted(t *testing.T) {
	dir, seen := t.TempDir(), map[uint64]bool{}
	for range 3 {
		s := opened(t, dir)
		for range 1500 {
			n, err := s.Number()
			require.NoError(t, err)
			require.False(t, seen[n], n)
			seen[n] = true
		}
	}
}

func TestSpoiltFilesAreNamedAndSkipped(t *testing.T) {
	dir := t.TempDir()
	first := opened(t, dir)
	good := keep(t, first, "good", "good")
	keep(t, first, "short", strings.Repeat("x", 1<<20))
	spoilt := map[string]string{
		"files/zzzz.json":       "{",
		"files/0000.json":       "{}",
		"files/writing-1":       "a write that was cut off",
		"blobs/receiving-1":     "a receipt that was cut off",
		"batches/00000000.json": `{"ID":"b","Blob":{"Size":3,"Name":"none.blob"}}`,
	}
	for name, text := range spoilt {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	blobs, err := filepath.Glob(filepath.Join(dir, "blobs", "*.blob"))
	require.NoError(t, err)
	for _, b := range blobs {
		if info, _ := os.Stat(b); info.Size() == 1<<20 {
			require.NoError(t, os.Truncate(b, 5))
		}
	}
	again := opened(t, dir)
	require.Equal(t, []store.File{good}, again.Files.List("a"))
	all := strings.Join(again.Skipped, "\n")
	require.Len(t, again.Skipped, 4, all)
	for _, part := range []string{"zzzz.json", "0000.json: it has no id", "have 5 bytes, not 1048576", "none.blob"} {
		require.Contains(t, all, part)
	}
	left, err := filepath.Glob(filepath.Join(dir, "blobs", "*.blob"))
	require.NoError(t, err)
	require.Equal(t, blobs, left, "somebody may want to mend the records")
	require.NoFileExists(t, filepath.Join(dir, "files/writing-1"))
	require.NoFileExists(t, filepath.Join(dir, "blobs/receiving-1"))
}

func TestADirectoryThatCantBeHadIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := store.Open(file)
	require.ErrorContains(t, err, "the directory of state")
}

func TestBoundsHold(t *testing.T) {
	s := opened(t, "")
	_, err := s.Receive(bytes.NewReader(make([]byte, 101)), 100)
	require.ErrorIs(t, err, store.ErrTooLarge)
	_, err = s.Receive(bytes.NewReader(make([]byte, 1<<20)), 1<<20-1)
	require.ErrorIs(t, err, store.ErrTooLarge)
	for i := range store.MostBatches {
		require.NoError(t, s.Batches.Put(store.Batch{Scope: "a", Number: uint64(i + 1), ID: string(rune('A' + i))}))
	}
	more := store.Batch{Scope: "a", Number: 5000, ID: "more"}
	require.ErrorIs(t, s.Batches.Put(more), store.ErrFull)
	require.NoError(t, s.Batches.MakeRoom(func(b store.Batch) bool { return b.Number > 2 }))
	require.NoError(t, s.Batches.Put(more))
	all := s.Batches.List("a")
	require.Len(t, all, store.MostBatches)
	require.EqualValues(t, 1, all[len(all)-1].Number)
	require.EqualValues(t, 2, all[len(all)-2].Number)
	require.EqualValues(t, 4, all[len(all)-3].Number, "the oldest that may go went")
}

func TestAFailingSourceKeepsNothing(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	for _, n := range []int{10, 1 << 20} {
		_, err := s.Receive(io.MultiReader(bytes.NewReader(make([]byte, n)), failing{}), store.MostFile)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	}
	left, err := os.ReadDir(filepath.Join(dir, "blobs"))
	require.NoError(t, err)
	require.Empty(t, left)
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestABlobWithoutItsRecordIsSwept(t *testing.T) {
	dir := t.TempDir()
	_, err := opened(t, dir).Receive(strings.NewReader("cut off before its record"), store.MostFile)
	require.NoError(t, err)
	opened(t, dir)
	left, err := os.ReadDir(filepath.Join(dir, "blobs"))
	require.NoError(t, err)
	require.Empty(t, left)
}
