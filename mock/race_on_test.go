//go:build race

package mock_test

// raceDetector says that everything takes ten times as long.
const raceDetector = true
