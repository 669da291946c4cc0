package journal

import (
	"bytes"
	"net/http"
	"strings"
)

// headLines are the header lines of a request's head as they came: names as sent, their order,
// duplicates and padding. What a line with a key holds is withheld.
func headLines(head []byte) string {
	_, lines, found := bytes.Cut(head, []byte("\r\n"))
	if !found {
		return ""
	}
	var kept []byte
	held := false // whether the line before was withheld
	for line := range bytes.SplitSeq(bytes.TrimSuffix(lines, []byte("\r\n")), []byte("\r\n")) {
		if len(line) == 0 {
			break
		}
		folded := line[0] == ' ' || line[0] == '\t' // it goes on with the line before
		if name, _, ok := bytes.Cut(line, []byte(":")); ok && !folded {
			if held = secret(http.CanonicalHeaderKey(string(bytes.TrimSpace(name)))); held {
				line = append(bytes.Clone(name), ": "+withheld...)
			}
		} else if held {
			continue
		}
		kept = append(append(kept, line...), '\n')
	}
	return string(kept)
}

// asLines is the kept text as lines.
func asLines(kept string) []string {
	if len(kept) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(kept, "\n"), "\n")
}
