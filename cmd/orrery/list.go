package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seed-954e9acd/orrery/mock"
)

// listed is one scenario of list --json.
type listed struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	File  string `json:"file"`
}

// listedFault is one fault of list --faults --json.
type listedFault struct {
	listed
	Symptom string   `json:"symptom"`
	About   string   `json:"about"`
	Rows    []string `json:"rows"`
}

func listCommand(c *console) *cobra.Command {
	var asJSON, faults bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the scenarios: name and title",
		Long: "Lists the scenarios by name and title; with --faults those in which one thing goes wrong that clients break on,\n" +
			"by name and by what a developer of the client sees. The others are listed without it.",
		Example: "  orrery list\n  orrery list --faults | grep -i retry\n  orrery list --scenarios ./own --json",
		Args:    noArgs("did you mean --scenarios ARG?"),
		RunE: func(*cobra.Command, []string) error {
			if err := c.settings.load(); err != nil {
				return err
			}
			scenarios, found, err := c.list()
			switch {
			case err != nil:
				return err
			case asJSON && faults:
				return c.printJSON(found)
			case asJSON:
				return c.printJSON(scenarios)
			case faults:
				c.printFaults(found)
			default:
				c.printScenarios(scenarios)
				if len(found) > 0 {
					fmt.Fprintf(c.stderr, "and %d faults that clients meet: orrery list --faults\n", len(found))
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of objects with name, title and file; of faults, with symptom, about and rows too")
	cmd.Flags().BoolVar(&faults, "faults", false, "list the faults in place of the other scenarios")
	c.settings.on(cmd, "scenarios")
	return cmd
}

func (c *console) printScenarios(scenarios []listed) {
	width := 0
	for _, s := range scenarios {
		width = max(width, len(s.Name))
	}
	for _, s := range scenarios {
		c.printf("%-*s  %s\n", width, s.Name, s.Title)
	}
}

func (c *console) printFaults(faults []listedFault) {
	width := 0
	for _, f := range faults {
		width = max(width, len(f.Name))
	}
	for _, f := range faults {
		c.printf("%-*s  %s\n", width, f.Name, f.Symptom)
	}
}

// list is the scenarios by name: those that are no faults, and the faults.
func (c *console) list() ([]listed, []listedFault, error) {
	dir := string(c.settings.scenarios)
	library, err := mock.Library(dir)
	if err != nil {
		return nil, nil, explain(err)
	}
	known, err := mock.FaultsIn(dir)
	if err != nil {
		return nil, nil, explain(err)
	}
	scenarios, faults, isFault := []listed{}, []listedFault{}, map[string]bool{}
	for _, f := range known {
		isFault[f.Name] = true
		rows := f.Rows
		if rows == nil {
			rows = []string{}
		}
		faults = append(faults, listedFault{listed{f.Name, f.Title, f.File}, f.Symptom, f.About, rows})
	}
	for _, s := range library.List() {
		if !isFault[s.Name] {
			scenarios = append(scenarios, listed{s.Name, s.Title, s.File})
		}
	}
	return scenarios, faults, nil
}

// completeScenario offers the scenarios' names to a shell, the faults' after the others'.
func (c *console) completeScenario(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 || c.settings.load() != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	scenarios, faults, err := c.list()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var names []cobra.Completion
	for _, s := range scenarios {
		names = append(names, cobra.CompletionWithDesc(s.Name, s.Title))
	}
	for _, f := range faults {
		names = append(names, cobra.CompletionWithDesc(f.Name, f.Title))
	}
	return names, cobra.ShellCompDirectiveDefault
}
