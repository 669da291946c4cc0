package wire

import "fmt"

// The limits of pictures. The newer models take twice the bytes: 10 MB is counted in base64.
const (
	maxImageOlder = 5 << 20
	maxImageNewer = 10 << 20
	maxSide       = 8000 // pixels
	maxSideOfMany = 2000 // when there are more than manyImages
	manyImages    = 20
	maxPages      = 100 // of all PDFs of a request
	maxPagesLong  = 600 // for models with a window of a million tokens
)

// mediaIsGood looks at the images and PDFs that lie in the request, and at the files that it names.
// What is given by address is nothing to look at. It comes last, for it takes longest.
func mediaIsGood(s *scope) *fault {
	c := mediaCheck{scope: s}
	turns := s.turns()
	for i := range turns {
		c.images += imagesIn(contentOf(&turns[i]))
	}
	for i := range turns {
		if f := c.content(contentOf(&turns[i])); f != nil {
			return f.in("content").at(i).in("messages")
		}
	}
	return nil
}

type mediaCheck struct {
	*scope
	images, pages int
}

func imagesIn(content *Value) (n int) {
	for i := range content.Members() {
		block := &content.items[i].Value
		if block.Get("type").Text() == "image" {
			n++
		}
		n += imagesIn(block.Get("content"))
	}
	return n
}

// content checks the blocks of a turn, of a tool result, or of a document.
func (c *mediaCheck) content(content *Value) *fault {
	for i := range content.Members() {
		block := &content.items[i].Value
		source := block.Get("source")
		var f *fault
		switch kind := block.Get("type").Text(); {
		case kind == "image" && source.Get("type").Text() == "base64":
			if f = c.image(source); f != nil {
				f.in("source").in("image")
			}
		case kind == "document" && source.Get("type").Text() == "base64":
			if f = c.pdf(c.look(source, true)); f != nil {
				f.in("data").in("base64").in("source").in("pdf")
			}
		case kind == "image" && source.Get("type").Text() == "file":
			if f = c.imageFile(source); f != nil {
				f.in("file").in("source").in("image")
			}
		case kind == "document" && source.Get("type").Text() == "file":
			if f = c.documentFile(source); f != nil {
				f.in("file").in("source").in("pdf")
			}
		case kind == "document":
			if f = c.content(source.Get("content")); f != nil {
				f.in("content").in("content").in("source").in("document")
			}
		case kind == "tool_result":
			if f = c.content(block.Get("content")); f != nil {
				f.in("content").in("tool_result")
			}
		}
		if f != nil {
			return f.at(i)
		}
	}
	return nil
}

func (c *mediaCheck) image(source *Value) *fault {
	said := source.Get("media_type").Text()
	data := source.Get("data").Text()
	most, megabytes := maxImageNewer, 10
	if AnsweringOf(c.body.Get("model").Text()).Generation == Older {
		most, megabytes = maxImageOlder, 5
	}
	if len(data) == 0 {
		return wrong("image cannot be empty").in("base64")
	}
	if len(data) > most {
		return wrong(fmt.Sprintf("image exceeds %d MB maximum: %d bytes > %d bytes", megabytes, len(data), most)).in("base64")
	}
	m := c.look(source, true)
	side, tooLong := max(m.width, m.height), maxSide
	ofMany := ""
	if c.images > manyImages {
		tooLong, ofMany = maxSideOfMany, " for many-image requests"
	}
	switch {
	case m.bad:
		return wrong("invalid base64 data").in("base64")
	case m.kind == "" || m.width == 0 || m.height == 0:
		return wrongRequest("Could not process image")
	case m.kind != said:
		return wrong("The image was specified using the " + said + " media type, but the image appears to be a " + m.kind + " image").in("data").in("base64")
	case side > tooLong:
		f := wrong(fmt.Sprintf("At least one of the image dimensions exceed max allowed size%s: %d pixels", ofMany, tooLong))
		f.maxSide = tooLong
		return f.in("data").in("base64")
	}
	return nil
}

// pdf checks a PDF, whose pages count with those of the others.
func (c *mediaCheck) pdf(m media) *fault {
	c.pages += m.pages
	most := maxPages
	if c.model != nil && c.model.Window >= million || c.model == nil && AnsweringOf(c.body.Get("model").Text()).Generation == Newer {
		most = maxPagesLong
	}
	switch {
	case m.bad:
		return wrong("The PDF specified was not valid.")
	case m.size == 0:
		return wrong("PDF cannot be empty")
	case m.kind != "application/pdf":
		return wrong("The PDF specified was not valid.")
	case c.pages > most:
		return wrong(fmt.Sprintf("A maximum of %d PDF pages may be provided.", most))
	}
	return nil
}
