package claim

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Formats are the names that [Write] knows.
func Formats() []string { return []string{"table", "json", "markdown", "junit"} }

// Write writes verdicts in one of [Formats]. An error is the writer's, or about the format's name.
func Write(w io.Writer, format string, verdicts []Verdict) error {
	switch format {
	case "table":
		return table(w, verdicts)
	case "json":
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if verdicts == nil {
			verdicts = []Verdict{}
		}
		return e.Encode(verdicts)
	case "markdown":
		return markdown(w, verdicts)
	case "junit":
		return junit(w, verdicts)
	}
	return fmt.Errorf("there is no format %q; use one of %s", format, strings.Join(Formats(), ", "))
}

// title is the claim's sentence and, of several figures, which this is.
func (v *Verdict) title() string {
	if v.Check == "" {
		return v.Says
	}
	return v.Says + ": " + v.Check
}

// remark is what is to be said beside the verdict.
func (v *Verdict) remark() string {
	var all []string
	if v.Verdict == Contradicts {
		all = append(all, v.Contradicts)
	}
	if v.Reason != "" {
		all = append(all, v.Reason)
	}
	if v.ShownBy != "" && !strings.Contains(v.Reason, v.ShownBy) {
		all = append(all, "shown by "+v.ShownBy)
	}
	return strings.Join(all, "; ")
}

// judged is the verdict, with its remark.
func (v *Verdict) judged() string { return remarked(v.Verdict, v.remark()) }

// remarked is a text with a remark behind it, if there is one.
func remarked(text, remark string) string {
	if remark == "" {
		return text
	}
	return text + " (" + remark + ")"
}

func table(w io.Writer, verdicts []Verdict) error {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "SCENARIO\tCLAIM\tVERDICT\tMEASURED\tWITHIN\tSAYS")
	counts := map[string]int{}
	for i := range verdicts {
		v := &verdicts[i]
		counts[v.Verdict]++
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n",
			v.Scenario, v.Claim, v.Verdict, dash(v.Measured), dash(v.Within), remarked(v.title(), v.remark()))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%d pass, %d fail, %d contradicts, %d not-measured\n",
		counts[Pass], counts[Fail], counts[Contradicts], counts[NotMeasured])
	return err
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// cell keeps a text from ending its cell.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(s)
}

func markdown(w io.Writer, verdicts []Verdict) error {
	var b strings.Builder
	b.WriteString("| scenario | claim | says | measured | within | verdict |\n|---|---|---|---|---|---|\n")
	for i := range verdicts {
		v := &verdicts[i]
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n",
			cell(v.Scenario), cell(v.Claim), cell(v.title()), cell(dash(v.Measured)), cell(dash(v.Within)), cell(v.judged()))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Failure *junitMessage `xml:"failure"`
	Skipped *junitMessage `xml:"skipped"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
}

func junit(w io.Writer, verdicts []Verdict) error {
	var all junitSuites
	for i := range verdicts {
		v := &verdicts[i]
		if len(all.Suites) == 0 || all.Suites[len(all.Suites)-1].Name != v.Scenario {
			all.Suites = append(all.Suites, junitSuite{Name: v.Scenario})
		}
		s := &all.Suites[len(all.Suites)-1]
		c := junitCase{Name: v.Claim + " " + v.title(), Class: v.Scenario}
		s.Tests, all.Tests = s.Tests+1, all.Tests+1
		switch v.Verdict {
		case Fail:
			s.Failures, all.Failures = s.Failures+1, all.Failures+1
			c.Failure = &junitMessage{strings.TrimSuffix(fmt.Sprintf("measured %s, which should be %s; %s", v.Measured, v.Within, v.Reason), "; ")}
		case NotMeasured:
			s.Skipped, all.Skipped = s.Skipped+1, all.Skipped+1
			c.Skipped = &junitMessage{v.Reason}
		default:
			c.Out = fmt.Sprintf("%s: measured %s, within %s", v.Verdict, v.Measured, v.Within)
		}
		s.Cases = append(s.Cases, c)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
