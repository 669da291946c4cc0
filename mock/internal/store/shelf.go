package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// ErrFull says that no more can be kept.
var ErrFull = errors.New("no more can be kept; delete something")

// place is where a record stands: whose it is, its id, its place in the order of creation.
type place struct {
	scope, id string
	number    uint64
}

// Record is what a shelf can hold: a [Batch], a [File] or a [Skill].
type Record interface {
	place() place
	blobs() []Blob
}

// Shelf holds the records of one kind. A record is never changed, only replaced.
type Shelf[T Record] struct {
	store *Store
	name  string
	most  int

	mu    sync.RWMutex // guards what follows, and the order of writes
	all   []T          // in order of creation
	index map[string]struct{}
}

func newShelf[T Record](s *Store, name string, most int) *Shelf[T] {
	return &Shelf[T]{store: s, name: name, most: most, index: map[string]struct{}{}}
}

// Put keeps a record, in place of one with the same id. An error means that it isn't kept.
func (s *Shelf[T]) Put(r T) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.find(r.place().scope, r.place().id)
	if at < 0 && len(s.all) >= s.most {
		return ErrFull
	}
	if err := s.write(r); err != nil {
		return err
	}
	if at >= 0 {
		s.all[at] = r
	} else {
		s.insert(r)
	}
	return nil
}

// Change replaces a record by what change makes of it; false when there is none. An error of
// change's is returned as it is, and nothing happens.
func (s *Shelf[T]) Change(scope, id string, change func(T) (T, error)) (T, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var none T
	at := s.find(scope, id)
	if at < 0 {
		return none, false, nil
	}
	r, err := change(s.all[at])
	if err != nil {
		return none, true, err
	}
	if err := s.write(r); err != nil {
		return none, true, err
	}
	s.all[at] = r
	return r, true, nil
}

// Get finds a record.
func (s *Shelf[T]) Get(scope, id string) (T, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if at := s.find(scope, id); at >= 0 {
		return s.all[at], true
	}
	var none T
	return none, false
}

// Delete forgets a record and its blobs; false when there is none.
func (s *Shelf[T]) Delete(scope, id string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.find(scope, id)
	if at < 0 {
		return false, nil
	}
	return true, s.drop(at)
}

// List returns the records of a scope, the newest first.
func (s *Shelf[T]) List(scope string) []T {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var found []T
	for _, r := range slices.Backward(s.all) {
		if r.place().scope == scope {
			found = append(found, r)
		}
	}
	return found
}

// MakeRoom forgets the oldest records that may go, of any scope, until one more fits.
func (s *Shelf[T]) MakeRoom(mayGo func(T) bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for at := 0; len(s.all) >= s.most && at < len(s.all); {
		if !mayGo(s.all[at]) {
			at++
			continue
		}
		if err := s.drop(at); err != nil {
			return err
		}
	}
	return nil
}

func (s *Shelf[T]) find(scope, id string) int {
	if _, ok := s.index[scope+"\x00"+id]; !ok {
		return -1
	}
	return slices.IndexFunc(s.all, func(r T) bool { return r.place().id == id && r.place().scope == scope })
}

func (s *Shelf[T]) insert(r T) {
	at := len(s.all)
	for at > 0 && s.all[at-1].place().number > r.place().number {
		at--
	}
	s.all = slices.Insert(s.all, at, r)
	s.index[r.place().scope+"\x00"+r.place().id] = struct{}{}
}

func (s *Shelf[T]) drop(at int) error {
	r := s.all[at]
	if s.store.dir != "" {
		if err := os.Remove(s.path(r)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		syncDirectory(filepath.Dir(s.path(r)))
	}
	for _, b := range r.blobs() {
		s.store.Discard(b)
	}
	s.all = slices.Delete(s.all, at, at+1)
	delete(s.index, r.place().scope+"\x00"+r.place().id)
	return nil
}

func (s *Shelf[T]) path(r T) string {
	return filepath.Join(s.store.dir, s.name, fmt.Sprintf("%016x.json", r.place().number))
}

func (s *Shelf[T]) write(r T) error {
	if s.store.dir == "" {
		return nil
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return writeFile(s.path(r), append(text, '\n'))
}

// load reads what an earlier process kept, and notes the blobs that are in use.
func (s *Shelf[T]) load(used map[string]bool) error {
	entries, err := os.ReadDir(filepath.Join(s.store.dir, s.name))
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := filepath.Join(s.name, e.Name())
		if !strings.HasSuffix(name, ".json") {
			_ = os.Remove(filepath.Join(s.store.dir, name)) // a write that a kill cut off
			continue
		}
		r, err := s.read(name)
		if err != nil {
			s.store.skip(name, err)
			continue
		}
		s.insert(r)
		s.store.last = max(s.store.last, r.place().number)
		for _, b := range r.blobs() {
			used[b.Name] = true
			s.store.bytes += b.Size
		}
	}
	s.store.reserved = max(s.store.reserved, s.store.last)
	s.store.last = s.store.reserved
	return nil
}

func (s *Shelf[T]) read(name string) (r T, err error) {
	text, err := os.ReadFile(filepath.Join(s.store.dir, name))
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, err
	}
	if r.place().id == "" {
		return r, errors.New("it has no id")
	}
	for _, b := range r.blobs() {
		if b.Name == "" && b.Size == 0 {
			continue
		}
		info, err := os.Stat(s.store.blobPath(b.Name))
		if err != nil {
			return r, err
		}
		if info.Size() != b.Size {
			return r, fmt.Errorf("its contents %s have %d bytes, not %d", b.Name, info.Size(), b.Size)
		}
	}
	return r, nil
}
