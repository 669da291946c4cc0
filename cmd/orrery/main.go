// Command orrery serves the Anthropic Messages API from a scenario file, and shows what it would
// answer. It is one process around package mock: it can do nothing that an importer of mock can't.
//
//	orrery serve --scenario zio
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The exit codes.
const (
	exitFine   = 0
	exitFound  = 1 // a problem was found: in a file, a scenario, a server
	exitMisuse = 2 // the command line or a setting is wrong, whatever the files hold
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run does what the arguments say and returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c := &console{
		stdin:    stdin,
		stdout:   &output{w: stdout},
		stderr:   stderr,
		settings: newSettings(),
	}
	root := newRoot(c)
	root.SetArgs(append([]string{}, args...))
	err := root.Execute()
	if err == nil {
		err = c.stdout.failure()
	}
	if err == nil {
		return exitFine
	}
	if !errors.Is(err, errReported) {
		c.complain(err)
	}
	// Whatever cobra refuses before a command starts is the command line's fault.
	if !c.started || errors.Is(err, errMisuse) {
		return exitMisuse
	}
	return exitFound
}

// newRoot makes the command tree. It is made anew for each run, so that nothing is shared.
func newRoot(c *console) *cobra.Command {
	root := &cobra.Command{
		Use:   "orrery",
		Short: "A local Messages API that answers on the beat",
		Long: "Orrery serves the Anthropic Messages API from a scenario file: which request gets which answer,\n" +
			"and when each byte of it leaves. It is no model and needs no network.",
		Example:           "  orrery serve\n  orrery serve --scenario zio\n  orrery plan zio",
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: func(*cobra.Command, []string) error { c.started = true; return nil },
		RunE: func(cmd *cobra.Command, _ []string) error {
			cmd.SetOut(c.stderr)
			if err := cmd.Help(); err != nil {
				return err
			}
			return misuse("name a command, such as: orrery serve")
		},
	}
	root.SetIn(c.stdin)
	root.SetOut(c.stdout)
	root.SetErr(c.stderr)
	root.SetFlagErrorFunc(explainFlag)
	root.SetHelpCommand(helpCommand(root))
	root.AddCommand(
		serveCommand(c), listCommand(c), checkCommand(c), planCommand(c),
		tokensCommand(c), schemaCommand(c), factsCommand(c), versionCommand(c), healthCommand(c),
		probeCommand(c), plotCommand(c), verifyCommand(c), claimsCommand(c), gauntletCommand(c),
	)
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.RunE = noShell
		completion.Args = cobra.ArbitraryArgs
	}
	return root
}

// noShell refuses completion without a shell that cobra knows.
func noShell(cmd *cobra.Command, args []string) error {
	var shells []string
	for _, shell := range cmd.Commands() {
		shells = append(shells, shell.Name())
	}
	if len(args) == 0 {
		return misuse("completion wants a shell: %s", strings.Join(shells, ", "))
	}
	return misuse("completion wants a shell (%s), not %q%s", strings.Join(shells, ", "), args[0], didYouMean(args[0], shells))
}

// helpCommand is cobra's, but an unknown command is an error.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about a command",
		RunE: func(_ *cobra.Command, args []string) error {
			about, _, err := root.Find(args)
			if err != nil {
				return misused{err.Error()}
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// explainFlag says which flag was wrong, and which one was probably meant.
func explainFlag(cmd *cobra.Command, err error) error {
	if errors.Is(err, pflag.ErrHelp) {
		return err
	}
	help := "see: " + cmd.CommandPath() + " --help"
	var invalid *pflag.InvalidValueError
	var number *strconv.NumError
	if errors.As(err, &invalid) && errors.As(err, &number) {
		kind := "a number"
		switch invalid.GetFlag().Value.Type() {
		case "int", "uint64":
			kind = "a whole number"
		case "bool":
			kind = "true or false"
		}
		return misuse("--%s %s: it is %s (%s)", invalid.GetFlag().Name, invalid.GetValue(), kind, help)
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return misuse("%s (%s)", err, help)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	name := "--" + unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		name = "-" + unknown.GetSpecifiedName()
	}
	return misuse("%s has no flag %s%s (%s)", cmd.Name(), name, didYouMean(name, names), help)
}

// errMisuse marks what exits 2, errReported what has been told on stdout and needs no more words.
var (
	errMisuse   = errors.New("misuse")
	errReported = errors.New("reported")
)

// misused is an error with its own words that counts as misuse.
type misused struct{ text string }

func (m misused) Error() string        { return m.text }
func (m misused) Is(target error) bool { return target == errMisuse }

func misuse(format string, args ...any) error {
	return misused{fmt.Sprintf(format, args...)}
}

// noArgs refuses arguments, with a hint on what to write in their place; ARG in it is what was given.
func noArgs(hint string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		text := fmt.Sprintf("%s takes no argument, but was given %q", cmd.Name(), args[0])
		if hint != "" {
			text += "; " + strings.ReplaceAll(hint, "ARG", args[0])
		}
		return misused{text}
	}
}

// oneArg asks for exactly one argument, and says what it should be.
func oneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			return nil
		}
		return misuse("%s wants %s, but was given %d arguments (see: %s --help)",
			cmd.Name(), what, len(args), cmd.CommandPath())
	}
}
