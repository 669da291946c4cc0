package api

import (
	"context"
	"io"
	"sync"
)

// The bounds on bodies that aren't small: what of them is held at once while they are read, in all.
const (
	largeBody   = 64 << 10
	mostAtOnce  = 512 << 20
	pieceOfBody = 64 << 10
)

// room is what large bodies are read into. They take it as they come: who announces much and sends
// little holds little. When there is none, one of them may go on all the same, so that they can't
// all wait for one another.
type room struct {
	mu      sync.Mutex // guards what follows
	free    int64
	lent    bool          // one goes on without room
	changed chan struct{} // closed, and replaced, when somebody leaves
	waiting int           // at the moment
	waited  uint64        // how often somebody had to
}

func newRoom(bytes int64) *room { return &room{free: bytes, changed: make(chan struct{})} }

// guest is a large body that takes room. It must leave.
type guest struct {
	io.Reader
	context context.Context
	room    *room
	taken   int64
	first   bool // it goes on without room
}

func (g *guest) Read(p []byte) (int, error) {
	n, err := g.Reader.Read(p[:min(len(p), pieceOfBody)])
	if waited := g.take(int64(n)); waited != nil {
		return n, waited
	}
	return n, err
}

// take waits for room, or for the leave to go on without.
func (g *guest) take(n int64) error {
	r := g.room
	r.mu.Lock()
	defer r.mu.Unlock()
	for told := false; !g.first; told = true {
		if r.free >= n {
			r.free -= n
			g.taken += n
			return nil
		}
		if !r.lent {
			r.lent, g.first = true, true
			return nil
		}
		if !told {
			r.waited++
		}
		if err := r.wait(g.context); err != nil {
			return err
		}
	}
	return nil
}

// wait gives up the lock until somebody leaves, or ctx ends.
func (r *room) wait(ctx context.Context) error {
	changed := r.changed
	r.waiting++
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		r.waiting--
	}()
	select {
	case <-changed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *guest) leave() {
	r := g.room
	r.mu.Lock()
	defer r.mu.Unlock()
	r.free += g.taken
	if g.first {
		r.lent = false
	}
	close(r.changed)
	r.changed = make(chan struct{})
}

// counts are how many bodies wait for room, and how often one had to.
func (r *room) counts() (waiting int, waited uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.waiting, r.waited
}
