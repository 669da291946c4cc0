// Package scenarios embeds the built-in scenario files.
package scenarios

import "embed"

// FS holds one YAML file for each built-in scenario. Those in faults are what clients break on, one
// fault each.
//
//go:embed *.yaml faults/*.yaml
var FS embed.FS
