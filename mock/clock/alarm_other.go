//go:build !linux

package clock

import (
	"errors"
	"time"
)

// openAlarm fails: only Linux's timers are so late that kicking them is worth it, and only its
// poller is known to run them when it is kicked.
func openAlarm() (alarm, time.Time, error) {
	return nil, time.Time{}, errors.ErrUnsupported
}
