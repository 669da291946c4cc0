package mock_test

import (
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
)

// The kernel's timer that a precise clock waits with belongs to the server: runs with clocks of their own,
// scaled and stepped, add none, and the server's end takes it along.
func TestClocksOfRunsAndServersLeaveNoDescriptorAndNoGoroutine(t *testing.T) {
	timers := func() int {
		fds, err := os.ReadDir("/proc/self/fd")
		require.NoError(t, err)
		n := 0
		for _, fd := range fds {
			if to, err := os.Readlink("/proc/self/fd/" + fd.Name()); err == nil && to == "anon_inode:[timerfd]" {
				n++
			}
		}
		return n
	}
	before, goroutines := timers(), runtime.NumGoroutine()
	srv, err := mock.Listen("127.0.0.1:0", mock.ScenarioText(sixtyTokens), mock.Speed(20))
	require.NoError(t, err)
	c := calling(srv)
	for i := range 50 {
		how := []string{`"speed": 10`, `"clock": "stepped"`, `"speed": 2, "clock": "stepped"`}[i%3]
		c.did(t, "POST", "/runs", fmt.Sprintf(`{"name": "r%d", %s}`, i, how))
		l, err := calling(srv, "X-Orrery-Run", fmt.Sprint("r", i)).listen(open(t), body(fields{"stream": true}))
		require.NoError(t, err)
		path := fmt.Sprint("/runs/sixty-tokens/r", i)
		if i%3 != 0 {
			c.did(t, "POST", path+"/clock", `{"next": 2}`)
			c.did(t, "POST", path+"/clock", `{"release": true}`)
		}
		if i%2 == 0 {
			_, err = l.rest()
			require.NoError(t, err)
		}
		require.NoError(t, l.Body.Close())
		c.did(t, "DELETE", path, "")
	}
	require.LessOrEqual(t, timers(), before+1, "all clocks wait by one")
	require.NoError(t, srv.Close())
	require.Equal(t, before, timers())
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= goroutines+1 }, 10*time.Second, ms, "one more is require's own")
}
