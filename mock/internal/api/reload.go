package api

import "errors"

// errNothingToReload is told to whoever asks for a reload where nothing can be read anew.
var errNothingToReload = errors.New("there are no files to read anew: the scenarios are built in, or given as text. Serve with --scenario FILE or --scenarios DIR")

// ReloadScenarios reads the scenarios anew, all of them or none: one file with a mistake changes nothing. Runs that
// are there keep what they play until they are reset (R7). Requests under way aren't touched.
func (s *Service) ReloadScenarios() error {
	if s.Reload == nil {
		return errNothingToReload
	}
	s.reloading.Lock() // or else files that were read before might be taken after those read since
	defer s.reloading.Unlock()
	library, played, err := s.Reload()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stale = err; err != nil {
		return err
	}
	s.shelf = library
	clear(s.loaded)
	s.loaded[played.Name] = newPart(played)
	return nil
}

// staleness is why the last reload changed nothing; nil: it did, or there was none.
func (s *Service) staleness() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stale
}
