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
	secure       security
	clock        clock.Clock
	logger       *slog.Logger
	controlToken string
	speed        float64 // 0: 1
	journalFile  string
	journalBody  bool
	strict       TB

	metricsListen string
	logBodies     bool
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

// TLS makes the server speak TLS, with a certificate of its own making: for localhost, 127.0.0.1, ::1,
// orrery, the machine's name and the given names and addresses. [Server.Client] trusts it; others are
// told to by [Server.CA]. Default: in the clear. It excludes [TLSFiles]; the later one wins.
func TLS(names ...string) Option {
	return func(s *settings) {
		s.secure.on, s.secure.names, s.secure.certificate, s.secure.key = true, names, "", ""
	}
}

// TLSFiles makes the server speak TLS with the certificate and the key in these files, in PEM.
// It excludes [TLS]; the later one wins.
func TLSFiles(certificate, key string) Option {
	return func(s *settings) {
		s.secure.on, s.secure.names, s.secure.certificate, s.secure.key = true, nil, certificate, key
	}
}

// HTTP3 makes the server speak HTTP/3 too, on the UDP port of the same number, and announce it with
// Alt-Svc. There is none without TLS: unless [TLSFiles] is given, it is that of [TLS].
func HTTP3() Option { return func(s *settings) { s.secure.on, s.secure.http3 = true, true } }

// Clock replaces the clock. Default: [clock.Real], and where a socket is listened on [clock.Precise],
// which the server closes with itself.
func Clock(c clock.Clock) Option { return func(s *settings) { s.clock = c } }

// Logger receives one line for each request, without bodies and keys. Default: none.
func Logger(l *slog.Logger) Option { return func(s *settings) { s.logger = l } }

// LogBodies puts the first 4 KB of each request's body into its line of the log, prompts and all. Default:
// nothing of it.
func LogBodies() Option { return func(s *settings) { s.logBodies = true } }

// JournalFile adds a line of JSON to the file at path for each request that ends, without prompts and
// keys. What ends the process, however hard, leaves every line before the last whole. The file is
// made when there is none, and grows without a bound. Default: none.
func JournalFile(path string) Option { return func(s *settings) { s.journalFile = path } }

// JournalBodies puts the requests' bodies into the journal's file too, prompts and all.
func JournalBodies() Option { return func(s *settings) { s.journalBody = true } }

// Strict answers every request of the default run that [Handler.Next] has no answer for with a 501
// that clients don't retry, and fails the test at its end when there was one, or when an
// answer was never asked for.
func Strict(tb TB) Option { return func(s *settings) { s.strict = tb } }

// ControlToken opens the control API under /_orrery to other machines that send it as `authorization:
// Bearer TOKEN`. Default: none, and it answers this machine alone.
func ControlToken(token string) Option { return func(s *settings) { s.controlToken = token } }

// Speed makes every delay pass so many times as fast: at 10 it takes a tenth, at [clock.MaxSpeed] none. Plans
// stay what they are. A factor that [clock.Scaled] doesn't take is an error of [New]. Default: 1.
func Speed(factor float64) Option { return func(s *settings) { s.speed = factor } }
