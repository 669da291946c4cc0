package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/clock"
)

// settled is how long a file has to be left alone before it is read: editors write in several steps.
const settled = 100 * time.Millisecond

// watch reads the scenarios anew when their files change, until stop is called.
func (c *console) watch(srv *mock.Server) (stop func(), err error) {
	folders, err := c.settings.watched()
	if err != nil {
		return nil, err
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("can't watch files: %w; serve without --watch", err)
	}
	for _, folder := range folders {
		if err := w.Add(folder); err != nil {
			return nil, errors.Join(fmt.Errorf("can't watch %s: %w; serve without --watch", folder, err), w.Close())
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		for e := range w.Events {
			if !isScenario(e.Name) { // its own log may lie there
				continue
			}
			if !quiet(ctx, w) {
				return
			}
			if err := srv.Reload(); err != nil {
				c.notice(slog.LevelWarn, "nothing was changed: "+err.Error(), "reload", err.Error())
			} else {
				c.notice(slog.LevelInfo, "scenarios read anew; runs that are there keep theirs until they are reset", "reload", "done")
			}
		}
	})
	return func() {
		cancel()
		_ = w.Close()
		running.Wait()
	}, nil
}

// isScenario tells a scenario's file from what else lies in its folder.
func isScenario(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".yaml" || ext == ".yml"
}

// quiet waits until nothing has changed for a while; false: the watching is over.
func quiet(ctx context.Context, w *fsnotify.Watcher) bool {
	c := clock.Real()
	for {
		until, cancel := context.WithCancel(ctx)
		over := make(chan bool, 1)
		go func() { over <- c.WaitUntil(until, c.Now().Add(settled)) == nil }()
		select {
		case e, open := <-w.Events:
			cancel()
			waited := <-over
			switch {
			case !open:
				return false
			case !isScenario(e.Name) && waited:
				return true
			}
		case waited := <-over:
			cancel()
			return waited
		}
	}
}

// watched are the folders with files of the user's.
func (s *settings) watched() ([]string, error) {
	var folders []string
	if name := string(s.scenario); isPath(name) {
		folders = append(folders, filepath.Dir(name))
	}
	if dir := string(s.scenarios); dir != "" {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				folders = append(folders, path)
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("can't watch %s: %w", dir, err)
		}
	}
	if len(folders) == 0 {
		return nil, misused{"--watch: there are no files to watch; name one with --scenario FILE, or a folder with --scenarios DIR"}
	}
	return folders, nil
}
