package mock_test

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails when a server, a client or a fixture of these tests has left a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
