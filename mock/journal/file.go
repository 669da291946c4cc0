package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
)

// File is a journal's file: a line of JSON for each entry, in the order in which they ended. A line
// is written whole and at once, before the entry counts as ended, so whatever ends the process loses
// at most the last one. Keys are never in it.
type File struct {
	path   string
	bodies bool

	mu   sync.Mutex // guards the rest
	file *os.File
	torn bool // the last line has no end
	err  error
	lost int
	told func(error)
}

// OpenFile opens or makes a file that lines are added to, readable by its owner alone. With a torn
// last line in it the first goes below; so a reader must pass over a line that isn't JSON. Without
// bodies no prompt gets into it: no body, and no fact that may be a piece of one. Failed, unless it
// is nil, is called once, with the first error in writing; later lines are tried all the same.
func OpenFile(path string, bodies bool, failed func(error)) (*File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the journal's file: %w", err)
	}
	f := &File{path: path, bodies: bodies, file: file, told: failed}
	if f.torn, err = tornEnd(file); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("the journal's file: %w", err)
	}
	return f, nil
}

// tornEnd reports whether the file ends within a line. What can't be sought in, such as a pipe, doesn't.
func tornEnd(file *os.File) (bool, error) {
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return false, err
	}
	last := make([]byte, 1)
	if _, err := file.ReadAt(last, info.Size()-1); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return last[0] != '\n', nil
}

// KeepIn adds every entry that ends from here on to the file; nil ends that. A request whose line
// can't be written is answered all the same.
func (j *Journal) KeepIn(f *File) { j.file.Store(f) }

// File is where entries are kept, nil when nowhere.
func (j *Journal) File() *File { return j.file.Load() }

// Path is the file's path as it was given.
func (f *File) Path() string { return f.path }

// Lost is how many lines couldn't be written, and the first error; 0 and nil when all is well.
func (f *File) Lost() (lines int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.lost, f.err
}

// Close closes the file; entries that end later are not kept.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return nil
	}
	err := f.file.Close()
	f.file = nil
	return err
}

func (f *File) append(e Entry) {
	if !f.bodies {
		e = withoutPrompts(e)
	}
	line, err := json.Marshal(e)
	if err == nil {
		err = f.write(append(line, '\n'))
	} else {
		err = f.failed(err)
	}
	if err != nil && f.told != nil {
		f.told(fmt.Errorf("the journal's file %s: %w", f.path, err))
	}
}

// write returns the first error of all.
func (f *File) write(line []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return nil
	}
	if f.torn {
		line = append([]byte{'\n'}, line...)
	}
	n, err := f.file.Write(line)
	if n > 0 {
		f.torn = line[n-1] != '\n'
	}
	if err == nil {
		return nil
	}
	return f.note(err)
}

func (f *File) failed(err error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.note(err)
}

func (f *File) note(err error) error {
	f.lost++
	if f.err != nil {
		return nil
	}
	f.err = err
	return err
}

// withoutPrompts leaves out the body and every fact that isn't a number or a truth, but for those
// that hold no text of it.
func withoutPrompts(e Entry) Entry {
	e.Body = nil
	facts := make(map[string]any, len(e.Facts))
	for name, value := range e.Facts {
		switch value.(type) {
		case bool, int, int64, uint64, float64:
		default:
			if !slices.Contains(harmless(), name) {
				continue
			}
		}
		facts[name] = value
	}
	e.Facts = facts
	return e
}

// harmless are the facts in words that speak of the request's surroundings.
func harmless() []string {
	return []string{
		"model", "version", "path", "method", "protocol", "client", "betas", "phase",
		"key.name", "key.created", "key.tier", "sdk.language", "sdk.version",
	}
}
