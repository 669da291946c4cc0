package api

import (
	"context"
	"maps"
	"slices"
	"sync"
)

// gates hold the answers of a run back until they are released by name. A released gate stays open.
type gates struct {
	mu sync.Mutex
	by map[string]*gate // those that an answer may come to, and those that were released
}

type gate struct {
	opened  chan struct{} // closed when it is
	open    bool
	waiting int
}

// newGates are the gates that a scenario's answers may come to.
func newGates(names []string) *gates {
	g := &gates{by: make(map[string]*gate, len(names))}
	g.expect(names)
	return g
}

// expect adds gates that answers may come to.
func (g *gates) expect(names []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, name := range names {
		g.named(name)
	}
}

func (g *gates) named(name string) *gate {
	if g.by[name] == nil {
		g.by[name] = &gate{opened: make(chan struct{})}
	}
	return g.by[name]
}

// known are the names of all, sorted; has reports whether this is one of them.
func (g *gates) known(name string) (all []string, has bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, has = g.by[name]
	return slices.Sorted(maps.Keys(g.by)), has
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
	return g.named(name).release()
}

// releaseAll opens every gate.
func (g *gates) releaseAll() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, one := range g.by {
		one.release()
	}
}

func (g *gate) release() int {
	if !g.open {
		g.open = true
		close(g.opened)
	}
	return g.waiting
}
