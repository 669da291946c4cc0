package clock

// Host is a clock that wants to know who works by it: [Stepped] takes a step for done when the work
// that it woke has come to rest, and at [MaxSpeed] each piece of work has a time of its own.
type Host interface {
	Clock
	// Enter is what the function [Enter] calls.
	Enter(label string) (Clock, func())
}

// Enter begins a piece of work, such as a request, before it first reads the time. It returns the
// clock to read and to wait on meanwhile, and the function to call once when the work is over.
// The label, such as a request's id, is shown by [Stepped.Waiting]. One goroutine at a time may
// wait within a piece of work.
//
// A clock that is no [Host] is returned as it is.
func Enter(c Clock, label string) (work Clock, leave func()) {
	if h, ok := c.(Host); ok {
		return h.Enter(label)
	}
	return c, nothing
}

// Resting is a piece of work's clock that wants to know when it waits for anything but time.
type Resting interface {
	Clock
	// Rest is what the function [Rest] calls.
	Rest() (resume func())
}

// Rest says that the work of this clock, as [Enter] gave it, is about to wait for something other
// than time, such as a gate or the client's leaving, until the function that it returns is called.
// It does nothing with the clocks that don't care.
func Rest(work Clock) (resume func()) {
	if r, ok := work.(Resting); ok {
		return r.Rest()
	}
	return nothing
}

func nothing() {}
