package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func versionCommand(c *console) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs(""),
		RunE: func(*cobra.Command, []string) error {
			version := "(unknown)"
			if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
				version = info.Main.Version
			}
			c.printf("orrery %s %s %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}
