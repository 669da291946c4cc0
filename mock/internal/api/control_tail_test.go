package api_test

import (
	"context"
	"net/http/httptest"
	"regexp"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestATailTellsNoMoreASecondThanItIsAskedTo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := controls{serving(t)}
		ctx, leave := context.WithCancel(t.Context())
		told := httptest.NewRecorder()
		left := make(chan bool)
		ask := httptest.NewRequestWithContext(ctx, "GET", "http://127.0.0.1/_orrery/journal/tail?fields=summary&most=20", nil)
		ask.RemoteAddr = "127.0.0.1:1"
		go func() {
			c.ServeHTTP(told, ask)
			close(left)
		}()
		synctest.Wait()
		for range 11 { // one is told at once, and the others come while it rests
			c.ask("/scenarios/quick", hello)
			synctest.Wait()
		}
		time.Sleep(time.Second)
		synctest.Wait()
		c.ask("/scenarios/quick", hello)
		synctest.Wait()
		leave()
		<-left
		require.Equal(t, []string{"id: 1", "id: 2", `data: {"dropped":9}`, "id: 12"},
			regexp.MustCompile(`(?m)^id: \d+$|^data: {"dropped.*$`).FindAllString(told.Body.String(), -1))
	})
}
