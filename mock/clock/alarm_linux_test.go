package clock

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestThePreciseClockOpensAtTheFirstWaitAndHasNoGoroutine(t *testing.T) {
	before, c := runtime.NumGoroutine(), Precise()
	require.Nil(t, c.opened.Load())
	require.NoError(t, c.WaitUntil(t.Context(), c.Now()))
	require.Nil(t, c.opened.Load(), "there was nothing to wait for")
	require.NoError(t, c.WaitUntil(t.Context(), c.Now().Add(time.Millisecond)))
	k := c.opened.Load().kicks
	require.NotNil(t, k)
	require.LessOrEqual(t, runtime.NumGoroutine(), before)
	fd := k.alarm.(*timerfd).fd
	require.NoError(t, c.Close())
	require.Empty(t, isTimer(fd))
	require.Nil(t, c.opened.Load().kicks)
}

func TestTheKernelsTimerIsDisarmedWhenNobodyWaits(t *testing.T) {
	c := Precise()
	defer c.Close()
	k := c.kicker(time.Now())
	require.NotNil(t, k)
	fd, w := k.alarm.(*timerfd).fd, &wish{}
	const disarmed = "it_value: (0, 0)"
	require.Contains(t, isTimer(fd), disarmed)
	now := int64(time.Since(k.start))
	k.add(w, now+int64(time.Hour), now)
	require.NotContains(t, isTimer(fd), disarmed)
	k.drop(w, now)
	require.Contains(t, isTimer(fd), disarmed)
	require.NoError(t, c.WaitUntil(t.Context(), c.Now().Add(time.Millisecond)))
	require.Contains(t, isTimer(fd), disarmed, "and when all have been woken")
}

// isTimer is what the kernel says of a timer that is open; "" when it isn't one.
func isTimer(fd uintptr) string {
	info, _ := os.ReadFile(fmt.Sprint("/proc/self/fdinfo/", fd))
	if !strings.Contains(string(info), "it_value") {
		return ""
	}
	return string(info)
}

func TestTheAlarmsZeroIsTheSameOnBothClocks(t *testing.T) {
	start, monotonic := pair()
	before := time.Now()
	now := readMonotonic()
	after := time.Now()
	require.GreaterOrEqual(t, now-monotonic, int64(before.Sub(start))-us)
	require.LessOrEqual(t, now-monotonic, int64(after.Sub(start))+us)
}
