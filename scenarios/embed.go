// Package scenarios embeds the built-in scenario files.
package scenarios

import "embed"

// FS holds one YAML file for each built-in scenario.
//
//go:embed *.yaml
var FS embed.FS
