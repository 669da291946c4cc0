package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

func serveCommand(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the API",
		Long: "Serves the API until SIGTERM or Ctrl-C; then it takes no new connection, lets the requests under\n" +
			"way end (for as long as --drain says), and exits 0. A second signal ends it at once.\n\n" +
			"Every flag may also stand in the environment (--journal-limit as ORRERY_JOURNAL_LIMIT) or in the\n" +
			"file of settings (journal-limit: 64MB). A flag wins over the environment, that over the file.",
		Example: "  orrery serve\n  orrery serve --scenario zio --seed 7\n  orrery serve --tls --ca-out ca.pem --http3\n  orrery serve --scenario ./slow.yaml --listen 127.0.0.1:0",
		Args:    noArgs("did you mean --scenario ARG?"),
		RunE: func(*cobra.Command, []string) error {
			if err := c.settings.load(); err != nil {
				return err
			}
			signals := make(chan os.Signal, 2)
			signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
			defer signal.Stop(signals)
			return c.serve(signals)
		},
	}
	c.settings.on(cmd, "listen", "scenario", "scenarios", "seed", "journal-limit", "journal", "journal-bodies", "state", "drain", "log", "log-bodies", "metrics-listen",
		"tls", "tls-cert", "tls-key", "tls-name", "ca-out", "http3", "speed", "watch")
	return cmd
}

// serve listens until the first signal, then drains.
func (c *console) serve(signals <-chan os.Signal) error {
	s := c.settings
	options := append(s.options(), mock.JournalLimit(int64(s.journalLimit)), mock.StateDir(string(s.state)))
	if s.journal != "" {
		options = append(options, mock.JournalFile(string(s.journal)))
	}
	if s.journalBody {
		options = append(options, mock.JournalBodies())
	}
	if logger := c.logger(); logger != nil {
		options = append(options, mock.Logger(logger))
	}
	if s.logBodies {
		options = append(options, mock.LogBodies())
	}
	if s.metrics != "" {
		options = append(options, mock.MetricsListen(string(s.metrics)))
	}
	if s.speed != 1 {
		options = append(options, mock.Speed(float64(s.speed)))
	}
	if s.controlToken != "" {
		options = append(options, mock.ControlToken(string(s.controlToken)))
	}
	secured, err := s.security()
	if err != nil {
		return err
	}
	srv, err := mock.Listen(string(s.listen), append(options, secured...)...)
	if err != nil {
		return s.explainListen(err)
	}
	if err := s.writeCA(srv); err != nil {
		return errors.Join(err, srv.Close())
	}
	if s.watch {
		stop, err := c.watch(srv)
		if err != nil {
			return errors.Join(err, srv.Close())
		}
		defer stop()
	}
	c.introduce(srv)
	if err := c.stdout.failure(); err != nil {
		return errors.Join(err, srv.Close()) // whoever waits for the line would wait for ever
	}

	c.notice(slog.LevelInfo, fmt.Sprintf("%v: requests under way have %s to end", <-signals, s.drain), "drain", s.drain.String())
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(s.drain))
	defer cancel()
	drained := make(chan error, 1)
	go func() { drained <- srv.Shutdown(ctx) }()
	select {
	case err = <-drained:
	case second := <-signals:
		err = errors.Join(fmt.Errorf("%v: ended at once, requests under way were cut off", second), srv.Close())
		cancel()
		<-drained
		return err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.Join(fmt.Errorf("requests under way were cut off after %s; --drain gives them longer", s.drain), srv.Close())
	}
	return err
}

// introduce says what is played and how to reach it.
func (c *console) introduce(srv *mock.Server) {
	s, playing := c.settings, srv.Scenario()
	if s.file != "" {
		c.notice(slog.LevelInfo, "settings read from "+s.file, "file", s.file)
	}
	if library, err := mock.Library(string(s.scenarios)); err == nil {
		for _, name := range library.Overridden() {
			c.notice(slog.LevelInfo, fmt.Sprintf("%s of %s stands in place of the built-in one", name, s.scenarios), "overridden", name)
		}
	}
	for _, what := range srv.Skipped() {
		c.notice(slog.LevelWarn, "skipped, since it can't be read: "+what, "skipped", what)
	}
	if !s.listen.loopback() {
		c.notice(slog.LevelWarn, fmt.Sprintf("%s is open to other machines, and any key is good; 127.0.0.1 keeps it to this one", s.listen),
			"listen", string(s.listen))
	}
	scheme, where, _ := strings.Cut(srv.URL, "://")
	base := scheme + "://" + address(where).reachable()
	c.notice(slog.LevelInfo, fmt.Sprintf("playing %s: %s", playing.Name, playing.Title), "scenario", playing.Name, "title", playing.Title)
	c.notice(slog.LevelInfo, "point a client at it: ANTHROPIC_BASE_URL="+base+" ANTHROPIC_API_KEY=any", "ANTHROPIC_BASE_URL", base)
	c.notice(slog.LevelInfo, "see what it does: "+base+"/_orrery/", "page", base+"/_orrery/")
	if srv.MetricsURL != "" {
		c.notice(slog.LevelInfo, "time series for Prometheus: "+srv.MetricsURL, "metrics", srv.MetricsURL)
	}
	if s.tls {
		c.introduceCA()
	}
	c.printf("listening on %s\n", srv.URL)
}

// options are the settings that say what is played.
func (s *settings) options() []mock.Option {
	name := string(s.scenario)
	var options []mock.Option
	if isPath(name) {
		options = append(options, mock.ScenarioFile(name))
	} else {
		options = append(options, mock.Scenario(name))
	}
	if dir := string(s.scenarios); dir != "" {
		options = append(options, mock.ScenarioDir(dir))
	}
	if s.seed.given {
		options = append(options, mock.Seed(s.seed.number))
	}
	return options
}

// isPath tells a file's path from a scenario's name.
func isPath(scenario string) bool {
	ext := filepath.Ext(scenario)
	return ext == ".yaml" || ext == ".yml" || strings.ContainsAny(scenario, `/\`)
}

// explainListen says what to do about an address that can't be had.
func (s *settings) explainListen(err error) error {
	// Windows has a number of its own for "address in use", which syscall doesn't name.
	const windowsInUse = syscall.Errno(10048)
	a, flag := s.listen, "--listen"
	var scrapes *mock.MetricsListenError
	if errors.As(err, &scrapes) {
		a, flag = s.metrics, "--metrics-listen"
	}
	var network *net.OpError
	switch {
	case errors.Is(err, syscall.EADDRINUSE), errors.Is(err, windowsInUse):
		if scrapes != nil && s.metrics == s.listen {
			return fmt.Errorf("can't listen on %s twice: --listen has it; choose another port with %s", a, flag)
		}
		return fmt.Errorf("can't listen on %s: another program does; end it, or choose another port with %s (127.0.0.1:0 picks a free one)", a, flag)
	case errors.As(err, &network):
		return fmt.Errorf("can't listen on %s: %w; choose another address with %s", a, network.Err, flag)
	}
	return explain(err)
}

// explain says what to do about a scenario that isn't there.
func explain(err error) error {
	var unknown *scenario.UnknownError
	var file *fs.PathError
	switch {
	case errors.As(err, &unknown):
		return fmt.Errorf("%w (orrery list shows them all; a file's name must end in .yaml)", err)
	case errors.As(err, &file):
		return fmt.Errorf("can't %w; name one that is there", file)
	}
	return err
}
