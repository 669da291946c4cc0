package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// read loads settings in an empty directory that holds files, with the flags and variables given.
func read(t *testing.T, files, variables map[string]string, flags ...string) (*settings, error) {
	t.Helper()
	for _, entry := range os.Environ() {
		if name, value, _ := strings.Cut(entry, "="); strings.HasPrefix(name, envPrefix) {
			t.Setenv(name, value) // puts it back afterwards
			require.NoError(t, os.Unsetenv(name))
		}
	}
	t.Chdir(t.TempDir())
	for name, content := range files {
		require.NoError(t, os.WriteFile(name, []byte(content), 0o600))
	}
	for name, value := range variables {
		t.Setenv(name, value)
	}
	s := newSettings()
	require.NoError(t, s.flags.Parse(flags))
	return s, s.load()
}

func TestWithoutSettingsTheDefaultsHold(t *testing.T) {
	s, err := read(t, nil, nil)
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1:4010", s.listen.String())
	require.Equal(t, "messages", s.scenario.String())
	require.Equal(t, "256MB", s.journalLimit.String())
	require.Equal(t, 10*time.Second, time.Duration(s.drain))
	require.Equal(t, logText, s.log)
	require.False(t, s.seed.given)
	require.Empty(t, s.file)
}

func TestAFlagWinsOverTheEnvironmentThatOverTheFileThatOverTheDefault(t *testing.T) {
	file := map[string]string{"orrery.yaml": "drain: 1s\nscenario: from-file\nlog: json\njournal-limit: 1G\n"}
	environment := map[string]string{"ORRERY_DRAIN": "2s", "ORRERY_SCENARIO": "from-environment", "ORRERY_JOURNAL_LIMIT": "2M"}
	s, err := read(t, file, environment, "--drain", "3s")
	require.NoError(t, err)
	require.Equal(t, 3*time.Second, time.Duration(s.drain))
	require.Equal(t, "from-environment", s.scenario.String())
	require.EqualValues(t, 2<<20, s.journalLimit)
	require.Equal(t, logJSON, s.log)
	require.Equal(t, "127.0.0.1:4010", s.listen.String())
}

func TestEverySettingCanBeGivenInEachOfTheThreeWays(t *testing.T) {
	values := map[string]string{
		"listen": "127.0.0.1:0", "scenario": "zio", "scenarios": "own", "seed": "18446744073709551615",
		"journal-limit": "1MB", "drain": "1m0s", "log": "off", "state": "kept", "probe-key": "secret",
		"journal": "requests.jsonl", "journal-bodies": "true", "speed": "10", "watch": "true", "control-token": "secret",
		"log-bodies": "true", "metrics-listen": "127.0.0.1:0",
		"tls": "true", "tls-cert": "cert.pem", "tls-key": "key.pem", "tls-name": "mock.test", "ca-out": "ca.pem", "http3": "true",
	}
	for _, name := range newSettings().names() {
		if name == "config" {
			continue
		}
		require.Contains(t, values, name, "a setting without a row in this test")
		value := values[name]
		for way, s := range map[string]func() (*settings, error){
			"flag":        func() (*settings, error) { return read(t, nil, nil, "--"+name+"="+value) },
			"environment": func() (*settings, error) { return read(t, nil, map[string]string{variable(name): value}) },
			"file": func() (*settings, error) {
				return read(t, map[string]string{"orrery.yaml": name + ": " + value + "\n"}, nil)
			},
			"file in braces": func() (*settings, error) {
				return read(t, map[string]string{"orrery.yaml": "{" + name + ": '" + value + "'}\n"}, nil)
			},
		} {
			got, err := s()
			require.NoError(t, err, "%s by %s", name, way)
			require.Equal(t, value, got.flags.Lookup(name).Value.String(), "%s by %s", name, way)
		}
	}
}

func TestTheFileIsFoundOrNamed(t *testing.T) {
	const content = "drain: 1s\n"
	for name, test := range map[string]struct {
		files, variables map[string]string
		flags            []string
		read             string
	}{
		"by its name":          {files: map[string]string{"orrery.yaml": content}, read: "orrery.yaml"},
		"by its hidden name":   {files: map[string]string{".orrery.yaml": content}, read: ".orrery.yaml"},
		"by the flag":          {files: map[string]string{"x.yml": content, "orrery.yaml": "drain: 9s"}, flags: []string{"--config=x.yml"}, read: "x.yml"},
		"by the variable":      {files: map[string]string{"x.yaml": content}, variables: map[string]string{"ORRERY_CONFIG": "x.yaml"}, read: "x.yaml"},
		"by the flag, not env": {files: map[string]string{"x.yaml": content}, variables: map[string]string{"ORRERY_CONFIG": "y.yaml"}, flags: []string{"--config=x.yaml"}, read: "x.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := read(t, test.files, test.variables, test.flags...)
			require.NoError(t, err)
			require.Equal(t, test.read, s.file)
			require.Equal(t, time.Second, time.Duration(s.drain))
		})
	}
}

func TestWrongSettingsAreRefusedWithWhatWhereAndAHint(t *testing.T) {
	for name, test := range map[string]struct {
		files, variables map[string]string
		flags            []string
		want             []string
	}{
		"an unknown key": {
			files: map[string]string{"orrery.yaml": "# mine\nscenari: zio\n"},
			want:  []string{"orrery.yaml:2: unknown setting scenari; did you mean scenario", "the settings: ca-out, control-token"},
		},
		"an unknown key that resembles none": {
			files: map[string]string{"orrery.yaml": "wobble: 1\n"},
			want:  []string{"orrery.yaml:1: unknown setting wobble (the settings: "},
		},
		"config inside the file": {
			files: map[string]string{"orrery.yaml": "config: other.yaml\n"},
			want:  []string{"orrery.yaml:1: unknown setting config"},
		},
		"an unknown variable": {
			variables: map[string]string{"ORRERY_SCENARO": "zio"},
			want:      []string{"environment variable ORRERY_SCENARO: unknown setting; did you mean ORRERY_SCENARIO"},
		},
		"a wrong value in a variable": {
			variables: map[string]string{"ORRERY_DRAIN": "ten"},
			want:      []string{`environment variable ORRERY_DRAIN: "ten" is no duration of 0 or more such as 10s`},
		},
		"a wrong value in the file": {
			files: map[string]string{"orrery.yaml": "log: jsn\n"},
			want:  []string{`orrery.yaml:1: log: the log is text, json or off, not "jsn"; did you mean json?`},
		},
		"all of them at once": {
			files:     map[string]string{"orrery.yaml": "seed: -1\nlisten: 4010\n"},
			variables: map[string]string{"ORRERY_JOURNAL_LIMIT": "much", "ORRERY_PORT": "8080"},
			want: []string{
				`orrery.yaml:1: seed: "-1" is no whole number`, `orrery.yaml:2: listen: "4010" is no HOST:PORT`,
				`ORRERY_JOURNAL_LIMIT: "much" is no size`, "environment variable ORRERY_PORT: unknown setting",
			},
		},
		"a key without a value": {
			files: map[string]string{"orrery.yaml": "drain:\n"},
			want:  []string{"orrery.yaml:1: drain has no value"},
		},
		"a list": {
			files: map[string]string{"orrery.yaml": "listen: [a, b]\n"},
			want:  []string{"orrery.yaml:1: listen wants one plain value, not a list or a map"},
		},
		"a map": {
			files: map[string]string{"orrery.yaml": "listen:\n  host: a\n"},
			want:  []string{"orrery.yaml:1: listen wants one plain value, not a list or a map"},
		},
		"no YAML": {
			files: map[string]string{"orrery.yaml": "listen: [\n"},
			want:  []string{"can't read the settings in orrery.yaml: "},
		},
		"two files": {
			files: map[string]string{"orrery.yaml": "", ".orrery.yaml": ""},
			want:  []string{"both orrery.yaml and .orrery.yaml are here; remove one, or name one with --config"},
		},
		"no such file": {
			flags: []string{"--config", "none.yaml"},
			want:  []string{"can't read the settings: ", "none.yaml", "name a readable file with --config"},
		},
		"another kind of file": {
			files: map[string]string{"orrery.toml": ""},
			flags: []string{"--config", "orrery.toml"},
			want:  []string{"orrery.toml: their file must end in .yaml"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := read(t, test.files, test.variables, test.flags...)
			require.ErrorIs(t, err, errMisuse)
			for _, want := range test.want {
				require.ErrorContains(t, err, want)
			}
		})
	}
}

func TestVariablesThatAreNoSettingsOfOursAreLeftAlone(t *testing.T) {
	_, err := read(t, nil, map[string]string{
		"ORRERY_REQUIRE":             "all",
		"ORRERY_DRAIN":               "", // as compose passes a variable that isn't set
		"ORRERY_SERVICE_HOST":        "10.0.0.1",
		"ORRERY_SERVICE_PORT_HTTP":   "4010",
		"ORRERY_PORT":                "tcp://10.0.0.1:4010",
		"ORRERY_PORT_4010_TCP_PROTO": "tcp",
		"ORRERYX":                    "1",
	})
	require.NoError(t, err)
}

func TestAScenarioIsANameOrAPath(t *testing.T) {
	for word, path := range map[string]bool{
		"zio": false, "zero-plane": false, "zio.yaml": true, "./zio": true, "a/b.yml": true, `a\b`: true,
		filepath.Join("own", "zio"): true,
	} {
		require.Equal(t, path, isPath(word), word)
	}
}
