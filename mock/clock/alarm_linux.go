package clock

import (
	"os"
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

// timerfd is an alarm: a timer of the kernel's as a file, which Go's netpoller watches. When it
// goes off, the poller's sleep ends, and the scheduler looks which of its timers are due. Nobody
// reads it, so no goroutine belongs to it: the poller watches for edges, and each ring is one.
type timerfd struct {
	file  *os.File // owns fd; the finalizer closes it
	fd    uintptr
	start int64 // on CLOCK_MONOTONIC, in ns
}

const (
	clockMonotonic = 1 // CLOCK_MONOTONIC, which time.Time's monotonic reading comes from
	absolute       = 1 // TFD_TIMER_ABSTIME
)

// openAlarm makes an alarm, and says which instant its zero is.
func openAlarm() (alarm, time.Time, error) {
	fd, _, errno := syscall.Syscall(syscall.SYS_TIMERFD_CREATE, clockMonotonic, syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if errno != 0 {
		return nil, time.Time{}, os.NewSyscallError("timerfd_create", errno)
	}
	file := os.NewFile(fd, "timerfd")
	if err := file.SetReadDeadline(time.Time{}); err != nil { // fails when the poller doesn't watch it
		file.Close()
		return nil, time.Time{}, err
	}
	t := &timerfd{file: file, fd: fd}
	var start time.Time
	start, t.start = pair()
	return t, start, nil
}

// pair reads both clocks at one instant, as nearly as can be: they are one clock in the kernel, so
// they never part. The best of some tries is within a fraction of a microsecond.
func pair() (at time.Time, monotonic int64) {
	best := time.Duration(1<<63 - 1)
	for range 16 {
		before := time.Now()
		ns := readMonotonic()
		took := time.Since(before)
		if took < best {
			best, at, monotonic = took, before.Add(took/2), ns
		}
	}
	return at, monotonic
}

func readMonotonic() int64 {
	var now syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockMonotonic, uintptr(unsafe.Pointer(&now)), 0)
	return now.Nano()
}

// itimerspec is the kernel's: once, or every interval.
type itimerspec struct{ interval, value syscall.Timespec }

func (t *timerfd) set(at int64) {
	t.setTime(itimerspec{value: syscall.NsecToTimespec(max(t.start+at, 1))})
}

func (t *timerfd) off() { t.setTime(itimerspec{}) }

// setTime can only fail for arguments that aren't made here; and a kick that is missing harms
// nothing.
func (t *timerfd) setTime(spec itimerspec) {
	syscall.RawSyscall6(syscall.SYS_TIMERFD_SETTIME, t.fd, absolute, uintptr(unsafe.Pointer(&spec)), 0, 0, 0)
	runtime.KeepAlive(t.file)
}

func (t *timerfd) close() { t.file.Close() }
