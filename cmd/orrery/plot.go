package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/seed-954e9acd/orrery/mock/plot"
)

// drawing is what plot was asked.
type drawing struct {
	kind, profile, route string
	output, compare      string
	count                int
	asJSON               bool
}

func plotCommand(c *console) *cobra.Command {
	var d drawing
	cmd := &cobra.Command{
		Use:   "plot SCENARIO [SCENARIO]",
		Short: "Draw what a scenario's answers are like: in the terminal, as SVG or as PNG",
		Long: "Draws how long SCENARIO's answers take by percentile (quantiles), the gaps between token events (gaps), single\n" +
			"requests as rows of ticks (timelines), or what the number of requests in flight does to them (load); without\n" +
			"--kind, what tells most. Everything drawn was decided by a run of the scenario, as a server decides it; nothing\n" +
			"listens, nothing waits. The ranges of claims are drawn where they are about what is drawn.\n\n" +
			"A profile is drawn by itself, a route with all that it does to its answers; without either all profiles are, or\n" +
			"of two scenarios the leading profile of each: that of the scenario's name, or what answers an ordinary request.",
		Example: "  orrery plot zio\n  orrery plot zero-plane --kind load\n  orrery plot zio --profile legacy -o gaps.svg\n" +
			"  orrery plot --compare zlip zlip-lossy\n  orrery plot ./own.yaml --kind timelines -n 20",
		Args: cobra.ArbitraryArgs, // counted together with --compare
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.settings.load(); err != nil {
				return err
			}
			if cmd.Flags().Changed("count") && d.count < 1 {
				return misuse("-n %d: the number of requests is 1 to %d", d.count, plot.MostRequests)
			}
			if d.compare != "" {
				args = append([]string{d.compare}, args...)
			}
			return c.plot(d, args)
		},
		ValidArgsFunction: c.completeScenario,
	}
	f := cmd.Flags()
	f.StringVar(&d.kind, "kind", "", "the `KIND` of figure: "+strings.Join(kinds(), ", ")+" (default: what tells most)")
	f.StringVar(&d.profile, "profile", "", "draw the profile of that `NAME` alone")
	f.StringVar(&d.route, "route", "", "draw the route of that `NAME` alone")
	f.StringVarP(&d.output, "output", "o", "", "write a picture to this `FILE`, which ends in .svg or .png")
	f.StringVar(&d.compare, "compare", "", "draw this `SCENARIO` beside the other")
	f.IntVarP(&d.count, "count", "n", 0, "draw from `N` requests (default: as many as the kind needs)")
	f.BoolVar(&d.asJSON, "json", false, "print the figure as data: series, axes and claims, times in milliseconds")
	_ = cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(kinds(), cobra.ShellCompDirectiveNoFileComp)) // the flag is there
	c.settings.on(cmd, "scenarios", "seed")
	return cmd
}

func kinds() []string {
	var all []string
	for _, k := range plot.Kinds() {
		all = append(all, string(k))
	}
	return all
}

func (c *console) plot(d drawing, names []string) error {
	ending := strings.ToLower(filepath.Ext(d.output))
	switch {
	case len(names) == 0 || len(names) > 2:
		return misuse("plot wants one scenario, or two to compare (orrery list shows them), or paths of .yaml files, but was given %d (see: orrery plot --help)", len(names))
	case d.output != "" && d.asJSON:
		return misuse("--json prints data, --output writes a picture: leave one of the two out")
	case d.output != "" && ending != ".svg" && ending != ".png":
		return misuse("--output %s: a picture's name ends in .svg or .png", d.output)
	}
	scenarios, err := c.claiming(names)
	if err != nil {
		return err
	}
	q := plot.Question{Kind: plot.Kind(d.kind), Profile: d.profile, Route: d.route, N: d.count}
	if c.settings.seed.given {
		q.Seed = &c.settings.seed.number
	}
	if len(scenarios) == 2 {
		q.Compare = scenarios[1]
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	figure, err := plot.Make(ctx, scenarios[0], q)
	switch {
	case err != nil:
		return d.explain(err)
	case d.asJSON:
		return c.printJSON(figure)
	case d.output != "":
		return write(figure, d.output, ending)
	}
	c.printf("%s", plot.Text(figure, c.page()))
	return nil
}

// explain says which flag was wrong, and which name was probably meant.
func (d *drawing) explain(err error) error {
	var wrong *plot.Wrong
	if !errors.As(err, &wrong) {
		return err
	}
	given := map[string]string{"kind": d.kind, "profile": d.profile, "route": d.route}[wrong.Field]
	said := wrong.Detail + didYouMean(given, wrong.Known)
	if wrong.Field == "kind" && wrong.Known != nil || wrong.Field == "n" {
		return misused{said}
	}
	return errors.New(said)
}

func write(figure *plot.Figure, name, ending string) error {
	picture := plot.SVG(figure)
	if ending == ".png" {
		var err error
		if picture, err = plot.PNG(figure); err != nil {
			return err
		}
	}
	if err := os.WriteFile(name, picture, 0o644); err != nil {
		return fmt.Errorf("can't write the picture: %w; name a file that can be written", err)
	}
	return nil
}

// pipeWidth is that of a page that is no terminal.
const pipeWidth = 80

// page is what stdout can show. A pipe gets what any reader has.
func (c *console) page() plot.Page {
	kind := os.Getenv("TERM")
	f, ok := c.stdout.w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || kind == "dumb" {
		return plot.Page{Width: pipeWidth, Plain: true}
	}
	page := plot.Page{Width: pipeWidth, Colour: kind != "" && os.Getenv("NO_COLOR") == ""}
	if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
		page.Width = columns
	}
	return page
}
