package api

import (
	"context"
	"log/slog"
	"strings"
	"time"
)

// loggedBody is how much of a body gets into the log, in bytes.
const loggedBody = 4 << 10

// log writes the line of a request that has ended: no header, no query of the URL, and so no key; of the
// body something only when that was asked for.
func (x *exchange) log(took time.Duration) {
	l := x.service.Logger
	if l == nil || !l.Enabled(context.Background(), slog.LevelInfo) {
		return
	}
	line := []slog.Attr{
		slog.String("scenario", x.run.Scenario().Name), slog.String("run", x.run.Name()), slog.String("method", x.r.Method),
		slog.String("path", x.r.URL.Path), slog.Int("status", x.status), slog.String("outcome", string(x.outcome)),
		slog.String("phase", string(x.phase)), slog.Duration("took", took),
	}
	if d := x.decision; d != nil {
		line = append(line, slog.String("route", d.Route()), slog.String("request_id", d.RequestID()))
	}
	if x.service.LogBodies {
		line = append(line, slog.String("body", strings.ToValidUTF8(string(x.asked[:min(len(x.asked), loggedBody)]), "")))
	}
	l.LogAttrs(context.Background(), slog.LevelInfo, "request", line...)
}
