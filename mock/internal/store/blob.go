package store

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Blob is some bytes that are kept: in memory when they are few, else in a file.
type Blob struct {
	Size int64
	// Name is that of the file under the directory; "" without one.
	Name string `json:",omitempty"`

	bytes []byte
	file  *os.File // a temporary one, which has no name any more where the system allows that
}

const blobEnding = ".blob"

// few is the size up to which bytes stay in memory.
const few = 64 << 10

// ErrTooLarge says that there is more to read than may be kept.
var ErrTooLarge = errors.New("too many bytes")

// Receive keeps what r gives, at most so many bytes: [ErrTooLarge] when there are more, [ErrFull]
// when the store has no room. Memory doesn't grow with the size.
func (s *Store) Receive(r io.Reader, most int64) (Blob, error) {
	w := &writer{store: s, most: most}
	if _, err := io.Copy(struct{ io.Writer }{w}, r); err != nil {
		w.abandon()
		return Blob{}, err
	}
	return w.finish()
}

// Write keeps what write writes, like [Store.Receive].
func (s *Store) Write(most int64, write func(io.Writer) error) (Blob, error) {
	w := &writer{store: s, most: most}
	if err := write(w); err != nil {
		w.abandon()
		return Blob{}, err
	}
	return w.finish()
}

// Read opens a blob; close what it returns.
func (s *Store) Read(b Blob) (io.ReadCloser, error) {
	switch {
	case b.Name != "":
		return os.Open(s.blobPath(b.Name))
	case b.file != nil:
		return io.NopCloser(io.NewSectionReader(b.file, 0, b.Size)), nil
	}
	return io.NopCloser(bytes.NewReader(b.bytes)), nil
}

// Discard forgets a blob that no record holds. Who reads it may go on.
func (s *Store) Discard(b Blob) {
	s.giveBack(b.Size)
	if b.Name != "" {
		_ = os.Remove(s.blobPath(b.Name)) // what stays is swept at the next start
	}
	// A temporary file is closed when nobody holds it any more: somebody may be reading it.
}

func (s *Store) blobPath(name string) string {
	return filepath.Join(s.dir, "blobs", filepath.Base(name))
}

// sweep removes blobs that no record holds: a kill came between the two. Where a record couldn't be
// read its blob may still be of use to somebody, so then only what was cut off goes.
func (s *Store) sweep(used map[string]bool) error {
	entries, err := os.ReadDir(filepath.Join(s.dir, "blobs"))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if whole := strings.HasSuffix(e.Name(), blobEnding); !used[e.Name()] && (!whole || len(s.Skipped) == 0) {
			_ = os.Remove(s.blobPath(e.Name()))
		}
	}
	return nil
}

// writer writes a blob: to memory, and from the first byte that is too much for it to a file.
type writer struct {
	store *Store
	most  int64
	size  int64
	bytes []byte
	file  *os.File
}

func (w *writer) Write(p []byte) (int, error) {
	if w.size+int64(len(p)) > w.most {
		return 0, ErrTooLarge
	}
	if !w.store.take(int64(len(p))) {
		return 0, ErrFull
	}
	w.size += int64(len(p))
	if w.file == nil && len(w.bytes)+len(p) <= few {
		w.bytes = append(w.bytes, p...)
		return len(p), nil
	}
	if w.file == nil {
		if err := w.spill(); err != nil {
			return 0, err
		}
	}
	return w.file.Write(p)
}

func (w *writer) spill() (err error) {
	dir := ""
	if w.store.dir != "" {
		dir = filepath.Join(w.store.dir, "blobs")
	}
	if w.file, err = os.CreateTemp(dir, "receiving-*"); err != nil {
		return err
	}
	if w.store.dir == "" {
		_ = os.Remove(w.file.Name()) // Windows keeps it until the system cleans up
	}
	_, err = w.file.Write(w.bytes)
	w.bytes = nil
	return err
}

func (w *writer) abandon() {
	w.store.giveBack(w.size)
	if w.file != nil {
		_ = w.file.Close()
		_ = os.Remove(w.file.Name())
	}
}

func (w *writer) finish() (Blob, error) {
	b := Blob{Size: w.size, bytes: w.bytes, file: w.file}
	if w.store.dir == "" {
		return b, nil
	}
	name, err := w.settle()
	if err != nil {
		w.abandon()
		return Blob{}, err
	}
	return Blob{Size: w.size, Name: name}, nil
}

// settle syncs the blob's file and gives it its name.
func (w *writer) settle() (string, error) {
	number, err := w.store.Number()
	if err != nil {
		return "", err
	}
	if w.file == nil {
		if err := w.spill(); err != nil {
			return "", err
		}
	}
	if err := w.file.Sync(); err != nil {
		return "", err
	}
	if err := w.file.Close(); err != nil {
		return "", err
	}
	name := strconv.FormatUint(number, 16) + blobEnding
	path := w.store.blobPath(name)
	if err := os.Rename(w.file.Name(), path); err != nil {
		return "", err
	}
	syncDirectory(filepath.Dir(path))
	return name, nil
}

// writeFile writes a file whole or not at all, also when the machine stops meanwhile.
func writeFile(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "writing-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }() // it isn't there any more when all went well
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	syncDirectory(filepath.Dir(path))
	return nil
}

// syncDirectory makes a rename last. Not every system can, and those that can't need none.
func syncDirectory(path string) {
	if d, err := os.Open(path); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
