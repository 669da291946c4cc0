package scenario

// merge puts a child's tree over its parent's: maps merge down to a timing point; distributions,
// lists and single routes are taken whole. (R28, R29)
func merge(parent, child *node) *node {
	merged := *child
	merged.pairs = nil
	for _, p := range child.pairs {
		value := p.value
		if of := parent.child(p.key.text); of != nil && !of.poisoned() && !value.poisoned() {
			switch p.key.text {
			case "parameters", "profiles":
				value = mergeMaps(of, value, 2)
			case "facts", "api", "clock", "figures", "limits", "cache", "metrics":
				value = mergeMaps(of, value, 1)
			case "routes", "guards":
				value = mergeNamed(of, value)
			}
		}
		merged.pairs = append(merged.pairs, pair{p.key, value})
	}
	for _, p := range parent.pairs {
		switch p.key.text {
		case "orrery", "name", "title", "extends", "workloads", "claims", "contradictions":
			continue // each file's own
		}
		if child.child(p.key.text) == nil {
			merged.pairs = append(merged.pairs, p)
		}
	}
	return &merged
}

func mergeMaps(parent, child *node, depth int) *node {
	if depth == 0 || parent.kind != mapping || child.kind != mapping {
		return child
	}
	merged := *child
	merged.pairs = nil
	for _, p := range parent.pairs {
		if own := child.child(p.key.text); own != nil {
			p = pair{child.keyOf(p.key.text), mergeMaps(p.value, own, depth-1)}
		}
		merged.pairs = append(merged.pairs, p)
	}
	for _, p := range child.pairs {
		if parent.child(p.key.text) == nil {
			merged.pairs = append(merged.pairs, p)
		}
	}
	return &merged
}

// mergeNamed merges lists of routes or guards: a child's entry with a parent's name stands in its
// place, the child's others come first.
func mergeNamed(parent, child *node) *node {
	if parent.kind != list || child.kind != list {
		return child
	}
	replaced := map[string]*node{}
	for _, item := range parent.items {
		if name := item.child("name"); name != nil {
			replaced[name.text] = nil
		}
	}
	merged := *child
	merged.items = nil
	for _, item := range child.items {
		if name := item.child("name"); name != nil {
			if taken, known := replaced[name.text]; known && taken == nil {
				replaced[name.text] = item
				continue
			}
		}
		merged.items = append(merged.items, item)
	}
	for _, item := range parent.items {
		if name := item.child("name"); name != nil && replaced[name.text] != nil {
			item = replaced[name.text]
		}
		merged.items = append(merged.items, item)
	}
	return &merged
}

func (n *node) keyOf(key string) *node {
	for _, p := range n.pairs {
		if p.key.text == key {
			return p.key
		}
	}
	return nil
}
