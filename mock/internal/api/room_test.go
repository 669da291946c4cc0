package api

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// visit is a large body that comes in two halves, the second when it is told.
func visit(ctx context.Context, r *room, size int) (onward chan bool, result chan error) {
	onward, result = make(chan bool), make(chan error, 1)
	first, second := strings.NewReader(strings.Repeat("a", size/2)), strings.NewReader(strings.Repeat("b", size/2))
	told := false
	g := &guest{context: ctx, room: r, Reader: io.MultiReader(first, readerFunc(func(p []byte) (int, error) {
		if !told {
			told = true
			<-onward
		}
		return second.Read(p)
	}))}
	go func() {
		defer g.leave()
		_, err := io.Copy(io.Discard, g)
		result <- err
	}()
	return onward, result
}

// left is how much room there is.
func left(r *room) int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.free
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestBodiesThatHoldAllTheRoomDoNotWaitForOneAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRoom(1000)
		var onwards []chan bool
		var results []chan error
		for range 5 { // each holds a half, and then all want the other
			onward, result := visit(t.Context(), r, 400)
			onwards, results = append(onwards, onward), append(results, result)
		}
		synctest.Wait()
		require.Zero(t, left(r))
		close(onwards[0])
		synctest.Wait()
		require.NoError(t, <-results[0], "one goes on without room")
		for _, onward := range onwards[1:] {
			close(onward)
		}
		for _, result := range results[1:] {
			require.NoError(t, <-result)
		}
		synctest.Wait()
		require.Equal(t, int64(1000), left(r), "all has been given back")
	})
}

func TestWhoWaitsForRoomIsCountedAndMayLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRoom(100)
		holds, held := visit(t.Context(), r, 400) // goes on without room, and stands still
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		_, result := visit(ctx, r, 400)
		synctest.Wait()
		waiting, waited := r.counts()
		require.Equal(t, []any{1, uint64(1)}, []any{waiting, waited})
		cancel()
		require.ErrorIs(t, <-result, context.Canceled)
		close(holds)
		require.NoError(t, <-held)
		waiting, waited = r.counts()
		require.Equal(t, []any{0, uint64(1)}, []any{waiting, waited})
	})
}
