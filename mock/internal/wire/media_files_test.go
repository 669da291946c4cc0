package wire

import (
	"encoding/base64"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// shelf opens files by their ids.
func shelf(t *testing.T) func(string) (string, io.ReadCloser) {
	t.Helper()
	decoded := func(data string) io.Reader {
		b, err := base64.StdEncoding.DecodeString(data)
		require.NoError(t, err)
		return strings.NewReader(string(b))
	}
	return func(id string) (string, io.ReadCloser) {
		kind, r := "", io.Reader(nil)
		switch id {
		case "text":
			kind, r = "text/plain", strings.NewReader("Bees dance. \xff")
		case "long":
			kind, r = "text/plain", strings.NewReader(strings.Repeat("word ", 4<<20))
		case "pdf":
			kind, r = "application/pdf", decoded(pdf(60))
		case "no-pdf":
			kind, r = "application/pdf", strings.NewReader("Bees")
		case "empty-pdf":
			kind, r = "application/pdf", strings.NewReader("")
		case "broken-pdf":
			kind, r = "application/pdf", io.MultiReader(decoded(pdf(1)), iotest.ErrReader(errors.New("gone")))
		case "png":
			kind, r = "image/png", decoded(picture(t, "image/png", 750, 100))
		default:
			return "", nil
		}
		return kind, io.NopCloser(r)
	}
}

func documentFile(id string) string {
	return `{"type":"document","source":{"type":"file","file_id":"` + id + `"}}`
}

func imageFile(id string) string {
	return `{"type":"image","source":{"type":"file","file_id":"` + id + `"}}`
}

func TestFilesAreTakenForWhatTheyAre(t *testing.T) {
	const at = "messages.0.content.0.pdf.source.file.file_id: "
	older := `"model":"claude-haiku-4-5",`
	for _, version := range []string{Version2023, Version2026} {
		requireFaults(t, ReadOptions{Version: version, Open: shelf(t)}, []faultCase{
			{inUserTurn(documentFile("text")), ""},
			{inUserTurn(documentFile("pdf")), ""},
			{inUserTurn(imageFile("png")), ""},
			{inUserTurn(documentFile("unread") + "," + imageFile("unread")), ""},
			{inUserTurn(documentFile("no-pdf")), at + "The PDF specified was not valid."},
			{inUserTurn(documentFile("broken-pdf")), at + "The PDF specified was not valid."},
			{inUserTurn(documentFile("empty-pdf")), at + "PDF cannot be empty"},
			{older + inUserTurn(documentFile("pdf")+","+documentFile("pdf")), "messages.0.content.1.pdf.source.file.file_id: A maximum of 100 PDF pages may be provided."},
			{inUserTurn(documentFile("png")), "Unsupported document file format: image/png. Only PDF and plaintext documents are supported."},
			{inUserTurn(imageFile("text")), "Could not process image"},
			{inUserTurn(imageFile("pdf")), "Could not process image"},
		})
	}
}

func TestFilesCountAsIfTheyLayInTheRequest(t *testing.T) {
	count := func(blocks string) int {
		return read(t, string(bodyWith(t, inUserTurn(blocks+`{"type":"text","text":"hi"}`))), ReadOptions{Version: Version2026, Open: shelf(t)}).InputTokens
	}
	bare := count("")
	for block, tokens := range map[string]int{
		documentFile("text"):   CountTokens("Bees dance. \uFFFD"),
		documentFile("pdf"):    60 * 1500,
		documentFile("unread"): 1500,
		imageFile("png"):       100,
		imageFile("unread"):    1600,
	} {
		require.Equal(t, tokens, count(block+",")-bare, block)
	}
}

func TestALongTextIsReadAsFarAsItMatters(t *testing.T) {
	body := bodyWith(t, inUserTurn(documentFile("long")))
	r, problem := NewReader().Read(body, ReadOptions{Version: Version2026, Open: shelf(t)})
	require.Nil(t, problem)
	require.Len(t, r.FileTexts["long"], 8<<20)
	for _, m := range Models() {
		require.Greater(t, r.InputTokens, m.Window, m.ID)
	}
}
