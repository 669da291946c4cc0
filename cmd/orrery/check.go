package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// unservable says why --scenarios refuses a file's directory though the file by itself is right; "" when it doesn't.
// Before is an earlier file with a scenario of the same name.
func unservable(name, file, before string) string {
	want := name + ".yaml"
	switch {
	case filepath.Base(file) != want:
		return fmt.Sprintf(", for --scenario; --scenarios refuses its directory until the file is called %s, as its scenario is", want)
	case before != "":
		return fmt.Sprintf(", for --scenario; --scenarios refuses a directory with it and %s, which holds a scenario of the same name, %s", before, name)
	}
	return ""
}

// unreadable says what to do about a file that can't be read.
func unreadable(file string, err error) string {
	if info, failed := os.Stat(file); failed == nil && info.IsDir() {
		return fmt.Sprintf("%s: it is a directory; name its files, such as %s", file, filepath.Join(file, "*.yaml"))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return file + ": there is no such file; name one that holds a scenario (orrery list shows the built-in ones)"
	}
	return fmt.Sprintf("%s: %s", file, err)
}

func checkCommand(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Check scenario files and print every problem",
		Long: "Prints every problem of every file with its line and a hint, and exits 1 when there is any;\n" +
			"otherwise \"FILE: ok\" for each. A file may extend a built-in scenario or a file of its own directory.",
		Example: "  orrery check scenarios/*.yaml",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misuse("check wants at least one file, such as: orrery check slow.yaml")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, files []string) error {
			if err := c.settings.load(); err != nil {
				return err
			}
			library, err := mock.Library(string(c.settings.scenarios))
			if err != nil {
				return explain(err)
			}
			var result error
			names := map[string]string{} // the file of each
			for _, file := range files {
				found, err := library.LoadFile(file)
				var problems scenario.Problems
				switch {
				case err == nil:
					c.printf("%s: ok%s\n", file, unservable(found.Name, file, names[found.Name]))
					names[found.Name] = cmp.Or(names[found.Name], file)
					continue
				case errors.As(err, &problems):
					c.printf("%s\n\n", problems)
				default:
					c.printf("%s\n\n", unreadable(file, err))
				}
				result = errReported
			}
			return result
		},
	}
	c.settings.on(cmd, "scenarios")
	return cmd
}
