package scenario

// LoadText compiles a scenario that stands in no file; name is what problems call it.
func (l *Library) LoadText(name string, source []byte) (*Scenario, error) {
	return l.loader().Load(name, source)
}

// Text is a template without expressions: it renders as it stands.
func Text(s string) Template { return Template{parts: []templatePart{{text: s}}} }
