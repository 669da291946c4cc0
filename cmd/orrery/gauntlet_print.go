package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/seed-954e9acd/orrery/mock/claim"
)

// gauntletFormats are verify's.
func gauntletFormats() []string { return claim.Formats() }

// printGauntlet prints what came out in one of the formats.
func (c *console) printGauntlet(format string, met []encounter) error {
	switch format {
	case "json":
		if met == nil {
			met = []encounter{}
		}
		return c.printJSON(met)
	case "junit":
		return printJUnit(c.stdout, met)
	case "markdown":
		c.printf("| fault | exit | time | attempts | last | open | change |\n|---|---|---|---|---|---|---|\n")
		for _, e := range met {
			c.printf("| %s |\n", strings.ReplaceAll(strings.Join(e.cells(), "\t"), "\t", " | "))
		}
		return nil
	}
	t := tabwriter.NewWriter(c.stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "FAULT\tEXIT\tTIME\tATTEMPTS\tLAST\tOPEN\tCHANGE")
	counts := map[string]int{}
	for _, e := range met {
		counts[e.Ended]++
		fmt.Fprintln(t, strings.Join(e.cells(), "\t"))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	c.printf("%s: %d ok, %d error, %d hung", counted(len(met), "fault"), counts[endedWell], counts[endedBadly], counts[endedHung])
	if n := counts[endedUnmet]; n > 0 {
		c.printf(", %d unmet", n)
	}
	c.printf("\n")
	for _, e := range met {
		if e.Ended == endedUnmet {
			c.printf("%s was not met: %s; --tls offers HTTP/2 too\n", e.Fault, e.Unmet)
		}
	}
	return nil
}

// cells are the columns of the table.
func (e encounter) cells() []string {
	dash := func(s string) string {
		if s == "" {
			return "-"
		}
		return s
	}
	exit, last := strconv.Itoa(e.ExitCode), string(e.Last)
	if e.Ended == endedHung || e.Ended == endedUnmet {
		exit = e.Ended
	}
	if e.Status > 0 {
		last += " " + strconv.Itoa(e.Status)
	}
	took := time.Duration(e.TimeMS) * time.Millisecond
	if took >= time.Second {
		took = took.Round(10 * time.Millisecond)
	}
	return []string{e.Fault, exit, took.String(), strconv.Itoa(e.Attempts), dash(last), strconv.Itoa(e.Open), dash(e.Change)}
}

type gauntletSuites struct {
	XMLName  xml.Name      `xml:"testsuites"`
	Tests    int           `xml:"tests,attr"`
	Failures int           `xml:"failures,attr"`
	Suite    gauntletSuite `xml:"testsuite"`
}

type gauntletSuite struct {
	Name     string         `xml:"name,attr"`
	Tests    int            `xml:"tests,attr"`
	Failures int            `xml:"failures,attr"`
	Skipped  int            `xml:"skipped,attr"`
	Cases    []gauntletCase `xml:"testcase"`
}

type gauntletCase struct {
	Name    string           `xml:"name,attr"`
	Class   string           `xml:"classname,attr"`
	Time    float64          `xml:"time,attr"` // seconds
	Failure *gauntletFailure `xml:"failure"`
	Skipped *gauntletFailure `xml:"skipped"`
	Out     string           `xml:"system-out,omitempty"`
}

type gauntletFailure struct {
	Message string `xml:"message,attr"`
}

func printJUnit(w io.Writer, met []encounter) error {
	suite := gauntletSuite{Name: "gauntlet", Tests: len(met)}
	for _, e := range met {
		one := gauntletCase{Name: e.Fault, Class: "gauntlet", Time: float64(e.TimeMS) / 1000,
			Out: fmt.Sprintf("%s\nexit %s, %s, last %s\n%s", e.Symptom, e.cells()[1], counted(e.Attempts, "attempt"), e.cells()[4], e.Output)}
		if len(e.Failures) > 0 {
			suite.Failures++
			one.Failure = &gauntletFailure{strings.Join(e.Failures, "; ")}
		} else if e.Ended == endedUnmet {
			suite.Skipped++
			one.Skipped = &gauntletFailure{e.Unmet}
		}
		suite.Cases = append(suite.Cases, one)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(gauntletSuites{Tests: suite.Tests, Failures: suite.Failures, Suite: suite}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
