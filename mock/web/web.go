// Package web is the page that shows what a server does: HTML, style sheets and scripts as they stand
// in page, embedded. It knows nothing of any server; its scripts ask the one that they came from.
//
// The page holds no data, so it may be given to anyone. It can't be framed, runs nothing but its own
// files, and asks nobody but its own origin.
//
//	web.Serve(w, r, "index.html")
package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"time"
)

//go:embed page
var page embed.FS

// policy allows the page its own files and its own server, and nothing else: no inline script, no
// inline style, no frame around it. Pictures may also be data of its own making.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"font-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Files are all files of the page, by their paths, such as index.html.
func Files() fs.FS {
	files, _ := fs.Sub(page, "page") // which can't fail for a valid path
	return files
}

// Serve answers a GET or HEAD with a file of the page; without such a file, and for a folder, it reports
// false and has answered nothing. A client that has the file already is told so.
func Serve(w http.ResponseWriter, r *http.Request, name string) bool {
	content, err := fs.ReadFile(Files(), name)
	kind := kindOf(name)
	if err != nil || kind == "" {
		return false
	}
	sum := sha256.Sum256(content)
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("ETag", `"`+hex.EncodeToString(sum[:16])+`"`)
	h.Set("Cache-Control", "no-cache") // so that another version of the server is seen at once
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	return true
}

// kindOf is the media type by the name's extension, whatever the machine's own table says; "" for files
// that aren't the page's.
func kindOf(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	}
	return ""
}
