//go:build !unix

package claim_test

import (
	"testing"
	"time"

	"github.com/seed-954e9acd/orrery/mock/clock"
)

// processorTime is the time of day: nothing better is at hand on every system.
func processorTime(*testing.B) time.Duration { return time.Duration(clock.Real().Now().UnixNano()) }
