package wire

import "strconv"

// longCacheMarksFirst wants no mark of an hour behind one of five minutes, in the order in which
// a prompt is put together: tools, system, messages.
func longCacheMarksFirst(s *scope) *fault {
	short := false
	mark := func(v *Value) *fault {
		c := v.Get("cache_control")
		switch {
		case c.Kind() != Object:
		case c.Get("ttl").Text() != "1h":
			short = true
		case short:
			return wrong("a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. " +
				"Note that blocks are processed in the following order: `tools`, `system`, `messages`.").in("ttl").in("cache_control")
		}
		return nil
	}
	for _, name := range [...]string{"tools", "system"} {
		for i := range s.body.Get(name).Members() {
			if f := mark(&s.body.Get(name).items[i].Value); f != nil {
				return f.at(i).in(name)
			}
		}
	}
	turns := s.turns()
	for i := range turns {
		if f := marksInOrder(contentOf(&turns[i]), mark); f != nil {
			return f.at(i).in("messages")
		}
	}
	return mark(s.body)
}

// marksInOrder looks at the marks in a content, those inside of a block before the block's own.
func marksInOrder(content *Value, mark func(*Value) *fault) *fault {
	for i := range content.Members() {
		block := &content.items[i].Value
		if f := marksInOrder(block.Get("content"), mark); f != nil {
			return f.in(strconv.Itoa(i)).in("content")
		}
		if f := mark(block); f != nil {
			return f.in(strconv.Itoa(i)).in("content")
		}
	}
	return nil
}
