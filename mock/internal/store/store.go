// Package store keeps what clients leave with the server: batches, files and skills.
//
// It holds records and bytes, in memory or under a directory, within stated bounds, and knows
// neither the API nor the time: whoever asks says what a record is and when it is.
// Under a directory a record is written to a temporary file, synced and renamed before it counts
// as kept, so that a kill loses nothing that was acknowledged. One process may use a directory.
//
//	s, err := store.Open(dir) // "" keeps all in memory
//	blob, err := s.Receive(body, store.MostFile)
//	err = s.Files.Put(store.File{Scope: run, Number: s.Number(), ID: id, Blob: blob})
package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The bounds of what is kept. Batches make room for new ones, the oldest ended first; files and
// skills have to be deleted.
const (
	MostBatches = 1000
	MostFiles   = 10_000
	MostSkills  = 1000
	MostFile    = 500 << 20 // bytes of one file
	MostBytes   = 10 << 30  // bytes of all that is kept, requests of batches included
)

// Batch is a message batch: what was asked, and when. What became of it follows from that.
type Batch struct {
	Scope    string // whose it is
	Number   uint64 // in order of creation
	ID       string
	Created  time.Time
	Canceled time.Time // zero: it wasn't
	Requests int
	// Header is that of the request which made it, without keys; Client and Key are who sent it.
	Header map[string][]string
	Client string
	Key    string
	// Blob holds the requests as JSON lines of custom_id and params.
	Blob Blob
}

// File is an uploaded file.
type File struct {
	Scope        string
	Number       uint64
	ID           string
	Name         string
	MIME         string
	Created      time.Time
	Expires      time.Time // zero: never
	Downloadable bool
	Blob         Blob
}

// Skill is a skill and its versions, the oldest first.
type Skill struct {
	Scope    string
	Number   uint64
	ID       string
	Title    string
	Created  time.Time
	Updated  time.Time
	Versions []SkillVersion
}

// SkillVersion is one version of a skill; its blob is a zip archive.
type SkillVersion struct {
	Number      uint64
	ID          string
	Created     time.Time
	Name        string
	Description string
	Directory   string
	Blob        Blob
}

func (b Batch) place() place { return place{b.Scope, b.ID, b.Number} }
func (b Batch) blobs() []Blob {
	return []Blob{b.Blob}
}
func (f File) place() place { return place{f.Scope, f.ID, f.Number} }
func (f File) blobs() []Blob {
	return []Blob{f.Blob}
}
func (s Skill) place() place { return place{s.Scope, s.ID, s.Number} }
func (s Skill) blobs() []Blob {
	all := make([]Blob, len(s.Versions))
	for i := range s.Versions {
		all[i] = s.Versions[i].Blob
	}
	return all
}

// Store is all that is kept. It is safe for concurrent use.
type Store struct {
	Batches *Shelf[Batch]
	Files   *Shelf[File]
	Skills  *Shelf[Skill]
	// Skipped names the files under the directory that couldn't be read, and why.
	Skipped []string

	dir string
	mu  sync.Mutex // guards what follows
	// last is the last number given; up to reserved they are spent, whatever happens.
	last, reserved uint64
	bytes          int64
}

// Open opens the store under dir, which it makes if need be; "" is memory alone. What can't be
// read is skipped and named. An error is about the directory.
func Open(dir string) (*Store, error) {
	s := &Store{dir: dir}
	s.Batches = newShelf[Batch](s, "batches", MostBatches)
	s.Files = newShelf[File](s, "files", MostFiles)
	s.Skills = newShelf[Skill](s, "skills", MostSkills)
	if dir == "" {
		return s, nil
	}
	for _, name := range []string{"", "batches", "files", "skills", "blobs"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			return nil, fmt.Errorf("the directory of state: %w", err)
		}
	}
	s.recall()
	used := map[string]bool{}
	for _, load := range []func(map[string]bool) error{s.Batches.load, s.Files.load, s.Skills.load} {
		if err := load(used); err != nil {
			return nil, fmt.Errorf("the directory of state: %w", err)
		}
	}
	return s, s.sweep(used)
}

const counter = "counter"

// recall goes on behind all numbers that may have been given.
func (s *Store) recall() {
	text, err := os.ReadFile(filepath.Join(s.dir, counter))
	if err != nil {
		return // the numbers of what is kept will do
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		s.skip(counter, err)
		return
	}
	s.last, s.reserved = n, n
}

func (s *Store) skip(name string, err error) {
	s.Skipped = append(s.Skipped, fmt.Sprintf("%s: %v", filepath.Join(s.dir, name), err))
}

// Number gives the next number: larger than any before, also than those before a restart.
func (s *Store) Number() (uint64, error) {
	const ahead = 1000 // numbers for one write; what isn't used is lost at a restart
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir != "" && s.last == s.reserved {
		next := strconv.FormatUint(s.reserved+ahead, 10)
		if err := writeFile(filepath.Join(s.dir, counter), []byte(next)); err != nil {
			return 0, err
		}
		s.reserved += ahead
	}
	s.last++
	return s.last, nil
}

// take counts bytes that are to be kept; false when they are too many.
func (s *Store) take(n int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bytes+n > MostBytes {
		return false
	}
	s.bytes += n
	return true
}

func (s *Store) giveBack(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes -= n
}
