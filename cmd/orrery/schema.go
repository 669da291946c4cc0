package main

import (
	"github.com/spf13/cobra"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

func schemaCommand(c *console) *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of scenario files, for editors",
		Example: "  orrery schema > orrery.schema.json",
		Args:    noArgs(""),
		RunE: func(*cobra.Command, []string) error {
			_, err := c.stdout.Write(scenario.Schema())
			return err
		},
	}
}
