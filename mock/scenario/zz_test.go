package scenario

import ("testing";"os")

func TestZZ(t *testing.T) { os.WriteFile("/tmp/sc/schema.json", Schema(), 0o644) }
