package api

import (
	"archive/zip"
	"bytes"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// maxBundle is the most that the files of a skill may hold: the API's 30 MB.
const maxBundle = 30 << 20

// bundle is what a skill is made of. Its name and description are those in its SKILL.md.
type bundle struct {
	title, name, description string
	directory                string
	files                    []bundled
}

type bundled struct {
	name    string
	content []byte
}

// bundle reads the request's form. Without a bundle and without a problem the client has left.
func (x *exchange) bundle() (*bundle, *wire.Error) {
	b, left := &bundle{}, int64(maxBundle)
	problem := x.form(func(p *formPart) *wire.Error {
		content, err := io.ReadAll(io.LimitReader(p, left+1))
		if err != nil {
			return x.broken(err)
		}
		if left -= int64(len(content)); left < 0 {
			return wire.FileTooLarge(maxBundle)
		}
		switch p.FormName() {
		case "files":
			name := strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(p.fileName, `\`, "/")), "/")
			b.files = append(b.files, bundled{name, content})
			return nil
		case "display_name", "display_title":
			b.title = string(content)
			return nil
		}
		return wire.Invalid(p.FormName() + ": Extra inputs are not permitted")
	})
	if problem == nil && x.r.Context().Err() != nil {
		return nil, nil
	}
	if problem == nil {
		problem = b.unpack()
	}
	if problem == nil {
		problem = b.describe()
	}
	if problem != nil && (!x.lax() || len(b.files) == 0) {
		return nil, problem
	}
	return b, nil
}

// unpack puts the contents of a lone archive in its place.
func (b *bundle) unpack() *wire.Error {
	if len(b.files) == 0 {
		return wire.Invalid("files: Field required")
	}
	if len(b.files) > 1 || !bytes.HasPrefix(b.files[0].content, []byte("PK\x03\x04")) {
		return nil
	}
	archive, err := zip.NewReader(bytes.NewReader(b.files[0].content), int64(len(b.files[0].content)))
	if err != nil {
		return wire.Invalid("files: the archive can't be read: " + err.Error())
	}
	var files []bundled
	left := int64(maxBundle)
	for _, f := range archive.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return wire.Invalid("files: the archive can't be read: " + err.Error())
		}
		content, err := io.ReadAll(io.LimitReader(r, left+1))
		_ = r.Close()
		if err != nil {
			return wire.Invalid("files: the archive can't be read: " + err.Error())
		}
		if left -= int64(len(content)); left < 0 {
			return wire.FileTooLarge(maxBundle)
		}
		files = append(files, bundled{strings.TrimPrefix(path.Clean("/"+f.Name), "/"), content})
	}
	b.files = files
	return nil
}

// describe finds SKILL.md, in the one directory that holds everything, and what it says.
func (b *bundle) describe() *wire.Error {
	at := slices.IndexFunc(b.files, func(f bundled) bool { return path.Base(f.name) == "SKILL.md" && strings.Count(f.name, "/") <= 1 })
	if at < 0 {
		return wire.Invalid("SKILL.md file must be exactly in the top-level folder.")
	}
	b.directory = path.Dir(b.files[at].name)
	for _, f := range b.files {
		if first, _, ok := strings.Cut(f.name, "/"); b.directory != "." && (!ok || first != b.directory) {
			return wire.Invalid("All files must be in the same top-level folder.")
		}
	}
	front := strings.ReplaceAll(string(b.files[at].content), "\r\n", "\n")
	front, opened := strings.CutPrefix(front, "---\n")
	front, _, closed := strings.Cut(front, "\n---")
	if !opened || !closed {
		return wire.Invalid("SKILL.md must start with YAML frontmatter (---)")
	}
	for line := range strings.SplitSeq(front, "\n") {
		key, value, _ := strings.Cut(line, ":")
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		switch key {
		case "name":
			b.name = value
		case "description":
			b.description = value
		}
	}
	switch {
	case b.name == "":
		return wire.Invalid("SKILL.md frontmatter: name: Field required")
	case b.description == "":
		return wire.Invalid("SKILL.md frontmatter: description: Field required")
	}
	return nil
}

// archive writes the files as a zip archive, the same bytes for the same files.
func (b *bundle) archive(to io.Writer) error {
	archive := zip.NewWriter(to)
	for _, f := range b.files {
		w, err := archive.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: time.Time{}})
		if err != nil {
			return err
		}
		if _, err := w.Write(f.content); err != nil {
			return err
		}
	}
	return archive.Close()
}
