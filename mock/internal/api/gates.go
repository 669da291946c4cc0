package api

import (
	"context"
	"sync"
)

// gates hold the answers of a run back until they are released by name. A released gate stays open.
type gates struct {
	mu sync.Mutex
	by map[string]*gate
}

type gate struct {
	opened  chan struct{} // closed when it is
	open    bool
	waiting int
}

func newGates() *gates { return &gates{by: map[string]*gate{}} }

func (g *gates) named(name string) *gate {
	if g.by[name] == nil {
		g.by[name] = &gate{opened: make(chan struct{})}
	}
	return g.by[name]
}

// Wait returns nil when the gate is open, and ctx's error when ctx ends first.
func (g *gates) Wait(ctx context.Context, name string) error {
	g.mu.Lock()
	one := g.named(name)
	one.waiting++
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		one.waiting--
		g.mu.Unlock()
	}()
	select {
	case <-one.opened:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// release opens the gate and returns how many answers waited there.
func (g *gates) release(name string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	one := g.named(name)
	if !one.open {
		one.open = true
		close(one.opened)
	}
	return one.waiting
}
