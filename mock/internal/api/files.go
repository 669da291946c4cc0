package api

import (
	"bufio"
	"errors"
	"io"
	"mime"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/store"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// The bounds of expires_in_seconds.
const (
	shortestLife = 3600
	longestLife  = 7_776_000
)

// oldFiles is the beta value that asks for the older shape of the list of files.
const oldFiles = "files-api-2025-04-14"

// fileView is a file as a client sees it.
type fileView struct {
	Type         string  `json:"type"`
	ID           string  `json:"id"`
	Filename     string  `json:"filename"`
	MIMEType     string  `json:"mime_type"`
	SizeBytes    int64   `json:"size_bytes"`
	CreatedAt    *string `json:"created_at"`
	Downloadable bool    `json:"downloadable"`
	ExpiresAt    *string `json:"expires_at"`
}

func viewFile(f store.File) fileView {
	return fileView{"file", f.ID, f.Name, f.MIME, f.Blob.Size, stamp(f.Created), f.Downloadable, stamp(f.Expires)}
}

func (x *exchange) createFile() *run.Decision {
	if x.problem != nil {
		return x.refuse(x.problem)
	}
	f := store.File{Scope: x.scope(), Created: x.query.Arrived, Downloadable: x.run.Scenario().API.Downloadable}
	kept := x.service.Store
	x.forgetExpired()
	got := false
	problem := x.form(func(p *formPart) *wire.Error {
		switch p.FormName() {
		case "file":
			if got {
				return wire.Invalid("file: Input should be one file")
			}
			got = true
			return x.receive(&f, p)
		case "expires_in_seconds":
			var problem *wire.Error
			f.Expires, problem = x.expiry(p)
			return problem
		}
		return wire.Invalid(p.FormName() + ": Extra inputs are not permitted")
	})
	if problem == nil && !got {
		problem = wire.Invalid("file: Field required")
	}
	if problem == nil && x.r.Context().Err() == nil {
		seed, number, err := x.number()
		f.Number, f.ID = number, wire.FileID(seed, number)
		if err == nil {
			err = kept.Files.Put(f)
		}
		if err == nil {
			return x.answer(viewFile(f))
		}
		problem = x.unkept(err, store.MostFile)
	}
	if got {
		kept.Discard(f.Blob)
	}
	return x.refuse(problem)
}

// formPart is one part of a form.
type formPart struct {
	io.Reader
	formName, fileName, kind string
}

func (p *formPart) FormName() string { return p.formName }

// form hands each the parts of the request's form. Each must read its part.
func (x *exchange) form(each func(*formPart) *wire.Error) *wire.Error {
	counted := &counted{Reader: x.r.Body}
	x.r.Body = io.NopCloser(counted)
	defer func() { x.query.Bytes = int(counted.bytes) }()
	parts, err := x.r.MultipartReader()
	if err != nil {
		return wire.NotMultipart(strings.TrimPrefix(err.Error(), "mime/multipart: "))
	}
	for {
		p, err := parts.NextRawPart()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return x.broken(err)
		}
		// The library's own FileName drops directories, which skills have.
		_, parameters, _ := mime.ParseMediaType(p.Header.Get("Content-Disposition"))
		name := strings.TrimSuffix(parameters["name"], "[]")
		if problem := each(&formPart{p, name, parameters["filename"], p.Header.Get("Content-Type")}); problem != nil {
			return problem
		}
	}
}

// broken is what to say of a form that ended in an error.
func (x *exchange) broken(err error) *wire.Error {
	if problem := x.unreadable(err); problem == nil && x.r.Context().Err() != nil {
		return nil
	}
	return wire.NotMultipart(strings.TrimPrefix(err.Error(), "multipart: "))
}

func (x *exchange) receive(f *store.File, p *formPart) *wire.Error {
	f.Name = path.Base(strings.ReplaceAll(p.fileName, `\`, "/"))
	if p.fileName == "" {
		if !x.lax() {
			return wire.Invalid("file: a filename is required")
		}
		f.Name = "file"
	}
	if len([]rune(f.Name)) > 500 {
		return wire.Invalid("filename: String should have at most 500 characters")
	}
	if f.Name != p.fileName && !x.lax() || strings.ContainsAny(f.Name, "<>:\"|?*\\/\x00") {
		return wire.Invalid("filename: contains forbidden characters")
	}
	content := bufio.NewReaderSize(p, 32<<10)
	first, _ := content.Peek(512)
	f.MIME = mimeOf(p.kind, f.Name, first)
	var err error
	if f.Blob, err = x.service.Store.Receive(content, store.MostFile); err != nil {
		return x.unkept(err, store.MostFile)
	}
	return nil
}

// mimeOf is what the client says, else what the name says, else what the contents look like.
func mimeOf(told, name string, first []byte) string {
	if kind, _, err := mime.ParseMediaType(told); err == nil && kind != "application/octet-stream" && len(kind) <= 255 {
		return kind
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".pdf":
		return "application/pdf"
	case ".txt", ".log":
		return "text/plain"
	case ".md":
		return "text/markdown"
	case ".csv":
		return "text/csv"
	case ".json":
		return "application/json"
	case ".xml":
		return "application/xml"
	case ".html", ".htm":
		return "text/html"
	case ".docx":
		return "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	case ".xlsx":
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	case ".pptx":
		return "application/vnd.openxmlformats-officedocument.presentationml.presentation"
	}
	kind, _, _ := mime.ParseMediaType(http.DetectContentType(first))
	return kind
}

func (x *exchange) expiry(p *formPart) (time.Time, *wire.Error) {
	text, err := io.ReadAll(io.LimitReader(p, 64))
	if err != nil {
		return time.Time{}, x.broken(err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	switch {
	case err != nil:
		return time.Time{}, wire.Invalid("expires_in_seconds: Input should be a valid integer")
	case n < shortestLife:
		return time.Time{}, wire.Invalid("expires_in_seconds: Input should be greater than or equal to 3600")
	case n > longestLife:
		return time.Time{}, wire.Invalid("expires_in_seconds: Input should be less than or equal to 7776000")
	}
	return x.query.Arrived.Add(time.Duration(n) * time.Second), nil
}

// files are those that the exchange sees, the newest first.
func (x *exchange) files() []store.File {
	return slices.DeleteFunc(x.service.Store.Files.List(x.scope()), x.expired)
}

func (x *exchange) expired(f store.File) bool {
	return !f.Expires.IsZero() && !f.Expires.After(x.query.Arrived)
}

func (x *exchange) forgetExpired() {
	for _, f := range x.service.Store.Files.List(x.scope()) {
		if x.expired(f) {
			_, _ = x.service.Store.Files.Delete(f.Scope, f.ID) // the next upload tries again
		}
	}
}

// keeps says whether a request may name the file.
func (x *exchange) keeps(id string) bool {
	f, ok := x.service.named.Files.Get(x.scope(), id)
	return ok && !x.expired(f)
}

// open is the file that a request names.
func (x *exchange) open(id string) (kind string, contents io.ReadCloser) {
	kept := x.service.named
	f, ok := kept.Files.Get(x.scope(), id)
	if !ok || x.expired(f) {
		return "", nil
	}
	contents, err := kept.Read(f.Blob)
	if err != nil {
		x.service.failed("a file that a client names can't be read", x.r.URL.Path, err)
		return "", nil
	}
	return f.MIME, contents
}

func (x *exchange) listFiles() *run.Decision {
	if x.problem != nil {
		return x.refuse(x.problem)
	}
	query, all := x.r.URL.Query(), x.files()
	if x.hasBeta(oldFiles) {
		id := func(f store.File) string { return f.ID }
		page, more, problem := pageByID(all, id, query, x.lax())
		if problem != nil {
			return x.refuse(problem)
		}
		first, last := ids(page, id)
		return x.answer(idPage[fileView]{each(page, viewFile), more, first, last})
	}
	if asked := slices.Concat(query["ids[]"], query["ids"]); len(asked) > 0 && !x.lax() {
		switch {
		case len(asked) > 100:
			return x.refuse(wire.Invalid("ids: List should have at most 100 items"))
		case query.Has("page") || query.Has("limit"):
			return x.refuse(wire.Invalid("ids: cannot be combined with page or limit"))
		}
		all = slices.DeleteFunc(all, func(f store.File) bool { return !slices.Contains(asked, f.ID) })
		return x.answer(tokenPage[fileView]{Data: each(all, viewFile)})
	}
	page, next, problem := pageByToken(all, func(f store.File) uint64 { return f.Number }, query, x.lax())
	if problem != nil {
		return x.refuse(problem)
	}
	return x.answer(tokenPage[fileView]{each(page, viewFile), next})
}

// file finds the file that the path names.
func (x *exchange) file() (store.File, *wire.Error) {
	if x.problem != nil {
		return store.File{}, x.problem
	}
	id := chi.URLParam(x.r, "file")
	f, ok := x.service.Store.Files.Get(x.scope(), id)
	if !ok || x.expired(f) {
		return f, wire.UnknownFile(id)
	}
	return f, nil
}

func (x *exchange) getFile() *run.Decision {
	f, problem := x.file()
	if problem != nil {
		return x.refuse(problem)
	}
	return x.answer(viewFile(f))
}

func (x *exchange) deleteFile() *run.Decision {
	f, problem := x.file()
	if problem != nil {
		return x.refuse(problem)
	}
	found, err := x.service.Store.Files.Delete(f.Scope, f.ID)
	switch {
	case err != nil:
		return x.refuse(x.unkept(err, store.MostFile))
	case !found:
		return x.refuse(wire.UnknownFile(f.ID))
	}
	return x.answer(deleted{f.ID, "file_deleted"})
}

func (x *exchange) fileContent() *run.Decision {
	f, problem := x.file()
	if problem == nil && !f.Downloadable {
		problem = wire.NotDownloadable(f.ID)
	}
	if problem != nil {
		return x.refuse(problem)
	}
	return x.download(f.Blob, "application/octet-stream")
}

// download decides on a blob as the answer.
func (x *exchange) download(b store.Blob, kind string) *run.Decision {
	opened, err := x.service.Store.Read(b)
	if err != nil {
		return x.refuse(x.unkept(err, store.MostFile))
	}
	x.content = &content{kind: kind, size: b.Size, write: func(w io.Writer) (err error) {
		defer func() { err = errors.Join(err, opened.Close()) }()
		_, err = io.Copy(w, opened)
		return err
	}}
	return x.run.Direct(x.query, nil)
}
