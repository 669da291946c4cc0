package main

import (
	"github.com/spf13/cobra"

	"github.com/seed-954e9acd/orrery/mock"
)

// listed is one scenario of list --json.
type listed struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	File  string `json:"file"`
}

func listCommand(c *console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the scenarios: name and title",
		Example: "  orrery list\n  orrery list --scenarios ./own --json",
		Args:    noArgs("did you mean --scenarios ARG?"),
		RunE: func(*cobra.Command, []string) error {
			if err := c.settings.load(); err != nil {
				return err
			}
			found, err := c.list()
			if err != nil {
				return err
			}
			if asJSON {
				return c.printJSON(found)
			}
			width := 0
			for _, s := range found {
				width = max(width, len(s.Name))
			}
			for _, s := range found {
				c.printf("%-*s  %s\n", width, s.Name, s.Title)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of objects with name, title and file")
	c.settings.on(cmd, "scenarios")
	return cmd
}

// list is the scenarios by name.
func (c *console) list() ([]listed, error) {
	library, err := mock.Library(string(c.settings.scenarios))
	if err != nil {
		return nil, explain(err)
	}
	found := []listed{}
	for _, s := range library.List() {
		found = append(found, listed{s.Name, s.Title, s.File})
	}
	return found, nil
}

// completeScenario offers the scenarios' names to a shell.
func (c *console) completeScenario(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 || c.settings.load() != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	found, err := c.list()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var names []cobra.Completion
	for _, s := range found {
		names = append(names, cobra.CompletionWithDesc(s.Name, s.Title))
	}
	return names, cobra.ShellCompDirectiveDefault
}
