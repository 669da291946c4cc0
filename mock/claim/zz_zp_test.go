package claim

import (
	"context"
	"os"
	"testing"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

func TestZZZP(t *testing.T) {
	f := os.Getenv("ZP")
	if f == "" {
		t.Skip()
	}
	l, err := scenario.NewLibrary(os.DirFS(f))
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.Load("zero-plane")
	if err != nil {
		t.Fatal(err)
	}
	v, err := Verify(context.Background(), []*scenario.Scenario{s}, Options{})
	t.Log(v, err)
}
