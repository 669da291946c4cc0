package scenario

import (
	_ "embed"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"
)

// fileTypes is the source of the file's types; their comments describe the schema's keys.
//
//go:embed file.go
var fileTypes string

//go:embed file_state.go
var stateTypes string

//go:embed file_capacity.go
var capacityTypes string

//go:embed workload_file.go
var trafficTypes string

//go:embed reply_file.go
var replyTypes string

//go:embed fault_file.go
var faultTypes string

//go:embed http_file.go
var httpTypes string

//go:embed metric_file.go
var metricTypes string

// Schema returns the JSON Schema (2020-12) of scenario files, made from the types that files are
// read into. It checks what a file is made of; what names and expressions mean only Load can check.
func Schema() []byte {
	comments := typeComments()
	r := jsonschema.Reflector{
		FieldNameTag: "yaml", RequiredFromJSONSchemaTags: true, ExpandedStruct: true, Anonymous: true,
		Namer: func(t reflect.Type) string { return strings.TrimSuffix(t.Name(), "File") },
		LookupComment: func(t reflect.Type, field string) string {
			return comments[strings.TrimSuffix(t.Name()+"."+field, ".")]
		},
	}
	s := r.Reflect(&scenarioFile{})
	addFaults(&r, s)
	s.Title = "Orrery scenario, format 1"
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // the schema has no values that can't be written
	}
	return append(text, '\n')
}

// typeComments returns the comments of types and fields, as Type and Type.Field.
func typeComments() map[string]string {
	comments := map[string]string{}
	for _, source := range []string{fileTypes, stateTypes, trafficTypes, capacityTypes, replyTypes, faultTypes, httpTypes, metricTypes} {
		addComments(comments, source)
	}
	return comments
}

func addComments(comments map[string]string, source string) {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.ParseComments)
	if err != nil {
		panic(err) // it has been compiled
	}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			continue
		}
		spec := g.Specs[0].(*ast.TypeSpec)
		name := spec.Name.Name
		text := prose(g.Doc)
		if _, rest, found := strings.Cut(text, " is "); found && strings.HasPrefix(text, name+" is ") {
			text = strings.ToUpper(rest[:1]) + rest[1:]
		} else if rest, found := strings.CutPrefix(text, name+" says "); found {
			text = "Says " + rest
		}
		comments[name] = text
		fields, ok := spec.Type.(*ast.StructType)
		if !ok {
			continue
		}
		for _, f := range fields.Fields.List {
			for _, n := range f.Names {
				comments[name+"."+n.Name] = prose(f.Doc)
			}
		}
	}
}

func prose(c *ast.CommentGroup) string {
	if c == nil {
		return ""
	}
	return strings.Join(strings.Fields(c.Text()), " ")
}
