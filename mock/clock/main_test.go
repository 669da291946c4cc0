package clock_test

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails when what these tests opened has left a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
