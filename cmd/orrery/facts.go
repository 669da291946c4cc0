package main

import (
	"github.com/spf13/cobra"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// fact is one fact of facts --json.
type fact struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Doc  string `json:"doc"`
}

func factsCommand(c *console) *cobra.Command {
	var asJSON, columns bool
	cmd := &cobra.Command{
		Use:     "facts",
		Short:   "List the facts that conditions of scenario files may use, or the columns of measures",
		Example: "  orrery facts | grep tokens\n  orrery facts --columns",
		Args:    noArgs(""),
		RunE: func(*cobra.Command, []string) error {
			var all []fact
			for _, f := range scenario.BuiltinFacts() {
				all = append(all, fact(f))
			}
			if columns {
				all = nil
				for _, one := range scenario.Columns() {
					all = append(all, fact{one.Name, one.Type, one.Doc})
				}
			}
			if asJSON {
				return c.printJSON(all)
			}
			width := 0
			for _, f := range all {
				width = max(width, len(f.Name))
			}
			for _, f := range all {
				c.printf("%-*s  %-8s  %s\n", width, f.Name, f.Type, f.Doc)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of objects with name, type and doc")
	cmd.Flags().BoolVar(&columns, "columns", false, "list the columns that the measures of claims may use, in place of the facts")
	return cmd
}
