package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cast"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"
)

// settings is the one model behind flags, environment and file: each setting is a flag with a
// name, a default and a parser; ORRERY_NAME and the file's key of the same name go through that
// parser too. A flag wins over the environment, that over the file, that over the default.
type settings struct {
	listen       address
	scenario     text
	scenarios    text
	seed         seed
	journalLimit byteSize
	journal      text
	journalBody  toggle
	state        text
	drain        duration
	log          logFormat
	logBodies    toggle
	metrics      address
	tls          toggle
	tlsCert      text
	tlsKey       text
	tlsName      words
	caOut        text
	http3        toggle
	speed        speed
	watch        toggle
	controlToken text
	probeKey     text

	// config is the file asked for by --config or ORRERY_CONFIG, file the one that was read.
	config text
	file   string

	flags *pflag.FlagSet
}

// Only a file of one of these names in the working directory is read without being asked for.
const (
	visibleFile = "orrery.yaml"
	hiddenFile  = ".orrery.yaml"
)

const envPrefix = "ORRERY_"

func newSettings() *settings {
	s := &settings{
		listen:       "127.0.0.1:4010",
		scenario:     "messages",
		journalLimit: 256 << 20,
		drain:        duration(10 * time.Second),
		log:          logText,
		speed:        1,
		probeKey:     "any",
		flags:        pflag.NewFlagSet("settings", pflag.ContinueOnError),
	}
	f := s.flags
	f.Var(&s.listen, "listen", "the `HOST:PORT` to listen on; port 0 picks a free one")
	f.Var(&s.scenario, "scenario", "what to play: a built-in's `NAME`, one of --scenarios, or the path of a .yaml file")
	f.Var(&s.scenarios, "scenarios", "a `DIR` of scenario files of your own, beside the built-in ones")
	f.Var(&s.seed, "seed", "the seed of every run, a whole `NUMBER` (default: the scenario's own)")
	f.Var(&s.journalLimit, "journal-limit", "the `SIZE` that the journal may take in memory, such as 64MB; the oldest requests go first")
	f.Var(&s.journal, "journal", "a `FILE` that gets a line of JSON for each request that ends, without prompts and keys (default: none)")
	f.Var(&s.journalBody, "journal-bodies", "put the requests' bodies into --journal's file too, prompts and all")
	f.Var(&s.state, "state", "a `DIR` to keep batches, files and skills in, so that they outlive the process (default: memory)")
	f.Var(&s.drain, "drain", "how long SIGTERM waits for requests under way, a `DURATION` such as 10s")
	f.Var(&s.log, "log", "the log's `FORMAT` on stderr: text, json or off")
	f.Var(&s.logBodies, "log-bodies", "put the beginning of the requests' bodies into the log, prompts and all")
	f.Var(&s.metrics, "metrics-listen", "the `HOST:PORT` of a second listener, for http://HOST:PORT/metrics alone (default: only /_orrery/metrics)")
	f.Var(&s.tls, "tls", "speak TLS, with a certificate made at each start or that of --tls-cert")
	f.Var(&s.tlsCert, "tls-cert", "a `FILE` with the certificate to show, and with those that signed it, in PEM")
	f.Var(&s.tlsKey, "tls-key", "the `FILE` with the key of --tls-cert, in PEM")
	f.Var(&s.tlsName, "tls-name", "further `NAMES` and addresses for the certificate that is made, such as mock.test,10.0.0.7")
	f.Var(&s.caOut, "ca-out", "a `FILE` to write the certificate to that clients must trust, in PEM and without a key")
	f.Var(&s.http3, "http3", "speak HTTP/3 too, on the UDP port of --listen's number")
	f.Var(&s.speed, "speed", "how many times as fast every delay passes, a `FACTOR` such as 10, or max for none at all")
	f.Var(&s.watch, "watch", "read the files of --scenario and --scenarios anew when they change; one with a mistake changes nothing")
	for _, name := range []string{"tls", "http3", "journal-bodies", "log-bodies", "watch"} {
		f.Lookup(name).NoOptDefVal = "true"
	}
	// No command has it as a flag: whoever lists the processes would read the key.
	f.Var(&s.probeKey, "probe-key", "the key that probe sends")
	f.Var(&s.controlToken, "control-token", "the token that opens the control API to other machines")
	f.Var(&s.config, "config", "a `FILE` of settings (default: "+visibleFile+" or "+hiddenFile+" in the working directory, if there)")
	return s
}

// on gives a command the flags of the named settings, and --config.
func (s *settings) on(cmd *cobra.Command, names ...string) {
	for _, name := range append(names, "config") {
		cmd.Flags().AddFlag(s.flags.Lookup(name))
	}
}

// load fills in from environment and file what no flag has set. It reports all problems at once.
func (s *settings) load() error {
	problems := unknownVariables(os.Environ(), s.names())
	v := viper.New()
	source, err := s.readFile(v)
	if err != nil {
		return misused{err.Error()}
	}
	inFile := v.AllKeys()
	slices.Sort(inFile)
	problems = append(problems, s.wrongKeys(v, inFile, source)...)

	v.SetEnvPrefix(strings.TrimSuffix(envPrefix, "_"))
	v.SetEnvKeyReplacer(strings.NewReplacer("-", "_"))
	v.AutomaticEnv()
	if err := v.BindPFlags(s.flags); err != nil {
		return err
	}
	s.flags.VisitAll(func(f *pflag.Flag) {
		var where string
		switch {
		case f.Changed || f.Name == "config":
			return
		case os.Getenv(variable(f.Name)) != "":
			where = "environment variable " + variable(f.Name)
		case slices.Contains(inFile, f.Name) && v.InConfig(f.Name):
			where = s.place(f.Name, source) + ": " + f.Name
		default:
			return
		}
		if err := f.Value.Set(v.GetString(f.Name)); err != nil {
			problems = append(problems, fmt.Sprintf("%s: %s", where, err))
		}
	})
	if len(problems) > 0 {
		return misused{strings.Join(problems, "\norrery: ")}
	}
	return nil
}

func (s *settings) names() []string {
	var names []string
	s.flags.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// variable is the environment's name of a setting.
func variable(name string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// readFile reads the file of settings, if there is one, and returns its text.
func (s *settings) readFile(v *viper.Viper) ([]byte, error) {
	if !s.flags.Lookup("config").Changed {
		s.config = text(os.Getenv(variable("config")))
	}
	name := string(s.config)
	if name == "" {
		found := slices.DeleteFunc([]string{visibleFile, hiddenFile}, func(name string) bool {
			_, err := os.Stat(name)
			return errors.Is(err, fs.ErrNotExist)
		})
		if len(found) == 0 {
			return nil, nil
		}
		if len(found) > 1 {
			return nil, fmt.Errorf("both %s and %s are here; remove one, or name one with --config", visibleFile, hiddenFile)
		}
		name = found[0]
	}
	source, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("can't read the settings: %w; name a readable file with --config", err)
	}
	if kind := filepath.Ext(name); kind != ".yaml" && kind != ".yml" {
		return nil, fmt.Errorf("can't read the settings in %s: their file must end in .yaml", name)
	}
	v.SetConfigType("yaml")
	if err := v.ReadConfig(bytes.NewReader(source)); err != nil {
		return nil, fmt.Errorf("can't read the settings in %s: %w", name, err)
	}
	s.file = name
	return source, nil
}

// wrongKeys names the file's keys that are no settings, and those without a plain value.
func (s *settings) wrongKeys(v *viper.Viper, keys []string, source []byte) []string {
	known := slices.DeleteFunc(s.names(), func(name string) bool { return name == "config" })
	var problems []string
	for _, key := range keys {
		top, _, nested := strings.Cut(key, ".")
		switch _, err := cast.ToStringE(v.Get(key)); {
		case !slices.Contains(known, top):
			problems = append(problems, fmt.Sprintf("%s: unknown setting %s%s (the settings: %s)",
				s.place(top, source), key, didYouMean(key, known), strings.Join(known, ", ")))
		case !v.InConfig(key):
			problems = append(problems, fmt.Sprintf("%s: %s has no value; give it one, or take the line out", s.place(top, source), key))
		case nested, err != nil:
			problems = append(problems, fmt.Sprintf("%s: %s wants one plain value, not a list or a map", s.place(top, source), top))
		}
	}
	return problems
}

// place is where in the file a key stands.
func (s *settings) place(key string, source []byte) string {
	if line := lineOf(key, source); line > 0 {
		return fmt.Sprintf("%s:%d", s.file, line)
	}
	return s.file
}

// lineOf is the line of a top-level key, counted from 1; 0 when it isn't there. Viper keeps no
// positions, and folds case.
func lineOf(key string, source []byte) int {
	at := regexp.MustCompile(`(?mi)^["']?` + regexp.QuoteMeta(key) + `["']?[ \t]*:`).FindIndex(source)
	if at == nil {
		return 0
	}
	return 1 + bytes.Count(source[:at[0]], []byte("\n"))
}

// orchestrated matches the variables that Kubernetes puts into every container near a service
// called orrery. Nobody can leave them out, so they can't be refused.
var orchestrated = regexp.MustCompile(`^ORRERY_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP)(_\w+)?)=|^ORRERY_PORT=(tcp|udp)://`)

// unknownVariables names the ORRERY_* variables that are no settings.
func unknownVariables(environ, known []string) []string {
	var variables, problems []string
	for _, name := range known {
		variables = append(variables, variable(name))
	}
	slices.Sort(environ)
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		// ORRERY_REQUIRE tells the project's own tests what they may not skip, ORRERY_FAULT the command
		// that gauntlet runs which fault it meets.
		if !strings.HasPrefix(name, envPrefix) || name == envPrefix+"REQUIRE" || name == faultVariable ||
			slices.Contains(variables, name) || orchestrated.MatchString(entry) {
			continue
		}
		problems = append(problems, fmt.Sprintf("environment variable %s: unknown setting%s (the settings: %s)",
			name, didYouMean(name, variables), strings.Join(variables, ", ")))
	}
	return problems
}
