package mock

import (
	"log/slog"

	"github.com/seed-954e9acd/orrery/mock/clock"
)

// Option sets one thing of a mock. Later options win over earlier ones.
type Option func(*settings)

type settings struct {
	scenario     string // this one, file and text exclude one another
	file         string
	text         string
	dir          string
	seed         *uint64
	journalLimit int64
	state        string
	connections  int
	clock        clock.Clock
	logger       *slog.Logger
}

// Scenario plays the scenario of that name: a built-in one, or one of [ScenarioDir].
// Default: messages.
func Scenario(name string) Option {
	return func(s *settings) { s.scenario, s.file, s.text = name, "", "" }
}

// ScenarioFile plays the scenario in the file at path. It may extend the built-in ones, and those
// beside it.
func ScenarioFile(path string) Option {
	return func(s *settings) { s.scenario, s.file, s.text = "", path, "" }
}

// ScenarioText plays the scenario written in text, as a file would hold it. It may extend the
// built-in ones.
func ScenarioText(text string) Option {
	return func(s *settings) { s.scenario, s.file, s.text = "", "", text }
}

// ScenarioDir adds the *.yaml files below dir to the built-in scenarios. A file with a
// built-in's name takes its place.
func ScenarioDir(dir string) Option { return func(s *settings) { s.dir = dir } }

// Seed replaces the scenario's own seed in every run.
func Seed(seed uint64) Option { return func(s *settings) { s.seed = &seed } }

// JournalLimit bounds the journal's memory, in bytes. Default: 256 MB.
func JournalLimit(bytes int64) Option { return func(s *settings) { s.journalLimit = bytes } }

// StateDir keeps batches, files and skills under dir, so that they outlive the process. One
// process at a time may use a directory. Default: in memory; files above 64 KB in temporary files.
func StateDir(dir string) Option { return func(s *settings) { s.state = dir } }

// Connections bounds how many connections are open at once; further ones wait. Default: 10,000.
// It has no effect on [New], which listens nowhere.
func Connections(n int) Option { return func(s *settings) { s.connections = n } }

// Clock replaces the clock. Default: [clock.Real].
func Clock(c clock.Clock) Option { return func(s *settings) { s.clock = c } }

// Logger receives one line for each request, without bodies and keys. Default: none.
func Logger(l *slog.Logger) Option { return func(s *settings) { s.logger = l } }
