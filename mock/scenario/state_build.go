package scenario

import (
	"fmt"
	"slices"
	"strings"
)

// phases come before the facts, which may compare with their names.
func (b *builder) phases() {
	p := b.doc.Phases
	if p == nil || p.at == nil || p.at.kind != mapping {
		return
	}
	const example = "for example {by: time, steps: [{name: small, for: 10m}, {name: all}]}"
	b.phaseNames = []string{}
	if p.at.child("by") == nil && !p.at.hurt {
		b.at(p.at, example, "the phases don't say what ends them (`by`)")
	}
	if steps := p.at.child("steps"); steps == nil && !p.at.hurt || steps != nil && steps.kind == list && len(steps.items) == 0 {
		b.at(p.at, example, "there are no phases (`steps`)")
	}
	made := &Phases{ByCount: p.By.text == "count"}
	for i := range p.Steps {
		step := &p.Steps[i]
		if step.at == nil || step.at.kind != mapping {
			continue
		}
		if step.Name == nil {
			if step.at.child("name") == nil && !step.at.hurt {
				b.at(step.at, "for example `name: small`", "the phase has no name")
			}
			step.Name = &label{}
		} else if step.Name.at.kind == words {
			b.checkTitle(step.Name.at, "a phase's name")
		}
		b.phaseNames = append(b.phaseNames, step.Name.text)
		made.Steps = append(made.Steps, Phase{Name: step.Name.text, For: b.phaseLength(p, step, i == len(p.Steps)-1)})
	}
	b.made.Phases = made
}

func (b *builder) phaseLength(p *phasesFile, step *phaseFile, last bool) int64 {
	switch given := step.at.keyOf("for"); {
	case last && given != nil:
		b.at(given, "remove it, or add a phase behind this one", "the last phase lasts to the end of the run")
	case !last && given == nil && !step.at.hurt:
		b.at(step.at, "for example `for: 10m`", "only the last phase lasts to the end: this one needs a length (`for`)")
	case step.For == nil || step.For.value == 0:
	case p.By.text == "time" && step.For.count:
		b.at(step.For.at, "write it as "+step.For.at.text+"s, or say `by: count`", "phases by time last for a duration, this is a number")
	case p.By.text == "count" && !step.For.count:
		b.at(step.For.at, "for example `for: 1000`, or say `by: time`", "phases by count last for a number of requests, this is a duration")
	default:
		return step.For.value
	}
	return 0
}

func (b *builder) clock() {
	c := b.doc.Clock
	if c == nil || c.at == nil || c.at.kind != mapping {
		return
	}
	if c.Starts == nil {
		if c.at.child("starts") == nil && !c.at.hurt {
			b.at(c.at, "for example {starts: 2024-10-18T00:00:00Z}", "`clock` does not say when it starts")
		}
		return
	}
	b.made.Starts = c.Starts.value
}

// keys come before the facts, which may only ask for them when there are any.
func (b *builder) keys() {
	at := b.doc.at.child("keys")
	if at == nil {
		return
	}
	b.keyed = true
	if at.kind == list && len(at.items) == 0 {
		b.at(at, "leave it out for no keys", "the list of keys is empty")
	}
	b.made.keyNames = map[string]string{}
	var names []string
	for i := range b.doc.Keys {
		k := &b.doc.Keys[i]
		if k.at == nil || k.at.kind != mapping {
			continue
		}
		if k.Name == nil && k.at.child("name") == nil && !k.at.hurt {
			b.at(k.at, "for example `name: old`", "the key has no name")
		}
		if k.Name == nil || k.Name.at.kind != words {
			continue
		}
		name := k.Name.text
		b.checkTitle(k.Name.at, "a key's name")
		if slices.Contains(names, name) {
			b.at(k.Name.at, "give each key a name of its own", "a key %s is there already", quote(name))
		}
		names = append(names, name)
		made := Key{Name: name, Text: b.keyText(k)}
		if k.Created != nil {
			made.Created = k.Created.value
		}
		if k.Tier != nil {
			made.Tier = k.Tier.text
		}
		if k.Limits != nil {
			made.Limits = b.limits(k.Limits, b.made.Limits)
		}
		if made.Text != "" {
			b.made.keyNames[made.Text] = name
		}
		b.made.Keys = append(b.made.Keys, made)
	}
}

func (b *builder) keyText(k *keyFile) string {
	key, rest := k.at.keyOf("key"), k.Name.text == Rest
	switch {
	case rest && key != nil:
		b.at(key, "remove it", "the entry \"*\" stands for all other keys, so it has no `key`")
		return ""
	case !rest && key == nil && !k.at.hurt:
		b.at(k.at, "for example `key: sk-old`", "the key %s has no text (`key`)", quote(k.Name.text))
	}
	if k.Key == nil || k.Key.at.kind != words || rest {
		return ""
	}
	text := k.Key.text
	switch {
	case !visibleText(text):
		b.at(k.Key.at, "", "a key is 1 to 200 visible ASCII characters")
	case strings.HasPrefix(text, "orrery:"):
		b.at(k.Key.at, "choose another beginning", "a key that starts with orrery: chooses a scenario")
	case b.made.keyNames[text] != "":
		b.at(k.Key.at, "", "this is the text of the key %s, too", quote(b.made.keyNames[text]))
	default:
		return text
	}
	return ""
}

// figures compiles the figures of the file, or of a route; place is what their places start with.
func (b *builder) figures(m map[string]quantityFile, at *node, place string) []Figure {
	var made []Figure
	for key, f := range ordered(m, at) {
		if !identifier.MatchString(key.text) {
			b.at(key, "use letters, digits and _, for example `charged_tokens`", "a figure can't be called %s", quote(key.text))
			continue
		}
		if f.at != nil && f.at.kind == list && len(f.at.items) == 0 {
			b.at(f.at, "", "the figure %s is an empty list", quote(key.text))
		}
		figure := Figure{Name: key.text}
		var always *node
		for i := range f.cases {
			c := &f.cases[i]
			if c.at == nil {
				continue
			}
			if always != nil {
				b.at(c.at, "move it up", "this is never reached: the case before it (line %d) has no `when`", always.line)
				break
			}
			if c.at.kind != mapping || c.at.child("when") == nil {
				always = c.at
			}
			name := place + key.text
			if i > 0 {
				name = fmt.Sprint(name, ".", i+1)
			}
			figure.Cases = append(figure.Cases, b.figureCase(c, name))
		}
		made = append(made, figure)
	}
	return made
}

func (b *builder) figureCase(c *figureCase, place string) FigureCase {
	made := FigureCase{When: b.lateCondition(c.When), Decimals: -1}
	if c.Value != nil && c.Value.at != nil {
		made.Value = b.compileLate(c.Value.at, c.Value.text, 0, wantNumber)
	}
	if c.Decimals != nil {
		made.Decimals = c.Decimals.value
	}
	if c.at.kind != mapping {
		return made
	}
	const example = "write {of: usage.total_tokens, factor: 0.9977}, or {value: EXPR}"
	value, of, factor := c.at.keyOf("value"), c.at.keyOf("of"), c.at.keyOf("factor")
	switch {
	case value != nil && (of != nil || factor != nil):
		b.at(value, "keep one of the two", "`value` can't stand beside `of` and `factor`")
		return made
	case value == nil && (of == nil || factor == nil):
		if !c.at.hurt {
			b.at(c.at, example, "a figure is a `value`, or `of` and `factor` together")
		}
		return made
	case value != nil:
		return made
	}
	if c.Of != nil && c.Of.at != nil {
		made.Of = b.compileLate(c.Of.at, c.Of.text, 0, wantInt)
	}
	made.Place = b.place(place)
	for _, one := range c.at.child("factor").pairs {
		if slices.Contains([]string{"sum", "like", "blend", "trace"}, one.key.text) {
			b.at(one.key, "for factors that depend on something, write cases with a `when` each", "a factor can't be a `%s`", one.key.text)
			return made
		}
	}
	p := point{builder: b, name: "factor", factors: true}
	made.Factor = p.table(c.at.child("factor"), false)
	if c.Decimals == nil {
		made.Decimals = 4
	}
	return made
}

// warnings compiles the warnings of the file or of a route.
func (b *builder) warnings(w *warnFile) []Warning {
	if w == nil {
		return nil
	}
	if w.at.kind == list && len(w.warnings) == 0 {
		b.at(w.at, "leave it out for no warnings", "the list of warnings is empty")
	}
	var made []Warning
	for i := range w.warnings {
		one := &w.warnings[i]
		if one.at == nil {
			continue
		}
		if one.at.kind == mapping && one.at.child("text") == nil && !one.at.hurt {
			b.at(one.at, "for example {when: attempt > 1, text: a retry}", "the warning has no text")
		}
		if one.Text != nil && one.Text.at.kind == words && one.Text.text == "" {
			b.at(one.Text.at, "", "the warning's text is empty")
		}
		made = append(made, Warning{When: b.lateCondition(one.When), Text: b.lateTemplate(one.Text)})
	}
	return made
}

// lateCondition compiles an optional condition that may speak of the plan.
func (b *builder) lateCondition(e *expression) *Expr {
	if e == nil || e.at == nil || strings.TrimSpace(e.text) == "" {
		return nil
	}
	return b.compileLate(e.at, e.text, 0, wantBool)
}
