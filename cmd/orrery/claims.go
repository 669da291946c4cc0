package main

import (
	"github.com/spf13/cobra"

	"github.com/seed-954e9acd/orrery/mock/claim"
)

func claimsCommand(c *console) *cobra.Command {
	var p proof
	cmd := &cobra.Command{
		Use:   "claims [SCENARIO...]",
		Short: "Print the page of all claims: what is said, how it shows, and what was measured",
		Long: "Verifies the claims of every SCENARIO (default: of all that claim something) and prints a page in Markdown:\n" +
			"each claim with what it says, the scenario and the measure that show it, the verdict, and then the contradictions\n" +
			"with what is done about each. All of it comes from the scenario files.",
		Example: "  orrery claims > claims.md\n  orrery claims zio --requests 1000",
		RunE: func(_ *cobra.Command, args []string) error {
			if err := c.settings.load(); err != nil {
				return err
			}
			scenarios, verdicts, err := c.verdicts(p, args)
			if err != nil {
				return err
			}
			return claim.WritePage(c.stdout, scenarios, verdicts)
		},
		ValidArgsFunction: c.completeScenario,
	}
	cmd.Flags().IntVar(&p.requests, "requests", 0, "send at most `N` requests per workload (default: as the files say)")
	c.settings.on(cmd, "scenarios", "seed")
	return cmd
}
