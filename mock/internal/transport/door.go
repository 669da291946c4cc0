package transport

import (
	"net"
	"sync"
	"sync/atomic"
)

// door is the listener that net/http accepts from: what comes through it has been let in before.
type door struct {
	listener net.Listener
	places   chan struct{} // one for each connection that is open; nil: any number
	given    chan net.Conn
	shut     chan struct{}
	once     sync.Once // closes shut
	err      error     // of closing the listener
	inside   atomic.Int64
	full     atomic.Uint64 // how often a place had to be waited for
	refused  atomic.Uint64 // how often enter found none
}

func newDoor(l net.Listener, connections int) *door {
	d := &door{listener: l, given: make(chan net.Conn), shut: make(chan struct{})}
	if connections > 0 {
		d.places = make(chan struct{}, connections)
	}
	return d
}

// next waits for a place and for a connection that takes it, until leave.
func (d *door) next() (net.Conn, error) {
	if !d.try() {
		d.full.Add(1)
		select {
		case d.places <- struct{}{}:
		case <-d.shut:
			return nil, net.ErrClosed
		}
	}
	c, err := d.listener.Accept()
	if err != nil {
		d.giveUp()
		return nil, err
	}
	d.inside.Add(1)
	return c, nil
}

// try takes a place if there is one.
func (d *door) try() bool {
	if d.places == nil {
		return true
	}
	select {
	case d.places <- struct{}{}:
		return true
	default:
		return false
	}
}

// enter counts a connection that came another way, if there is a place.
func (d *door) enter() bool {
	if !d.try() {
		d.refused.Add(1)
		return false
	}
	d.inside.Add(1)
	return true
}

// leave counts a connection that has been closed, and gives its place back.
func (d *door) leave() {
	d.inside.Add(-1)
	d.giveUp()
}

// giveUp gives a place back.
func (d *door) giveUp() {
	if d.places != nil {
		<-d.places
	}
}

// give hands a connection to net/http. It reports false when the door has been shut.
func (d *door) give(c net.Conn) bool {
	select {
	case d.given <- c:
		return true
	case <-d.shut:
		return false
	}
}

func (d *door) Accept() (net.Conn, error) {
	select {
	case c := <-d.given:
		return c, nil
	case <-d.shut:
		return nil, net.ErrClosed
	}
}

func (d *door) Close() error {
	d.once.Do(func() {
		close(d.shut)
		d.err = d.listener.Close()
	})
	return d.err
}

func (d *door) Addr() net.Addr { return d.listener.Addr() }
