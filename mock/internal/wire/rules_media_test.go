package wire

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// picture is an image of that size and media type, in base64.
func picture(t testing.TB, mediaType string, width, height int) string {
	t.Helper()
	var b bytes.Buffer
	m := image.NewGray(image.Rect(0, 0, width, height))
	switch mediaType {
	case "image/png":
		require.NoError(t, png.Encode(&b, m))
	case "image/jpeg":
		require.NoError(t, jpeg.Encode(&b, m, nil))
	case "image/gif":
		require.NoError(t, gif.Encode(&b, m, nil))
	case "image/webp":
		b.WriteString("RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00")
		for _, side := range []int{width - 1, height - 1} {
			b.Write(binary.LittleEndian.AppendUint32(nil, uint32(side))[:3])
		}
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func imageOf(mediaType, data string) string {
	return `{"type":"image","source":{"type":"base64","media_type":"` + mediaType + `","data":"` + data + `"}}`
}

// pdf is a file that looks like a PDF of so many pages, in base64.
func pdf(pages int) string {
	text := "%PDF-1.7\n1 0 obj <</Type /Pages /Kids []>> endobj\n"
	text += strings.Repeat("2 0 obj <</Type/Page /Parent 1 0 R>> endobj\n3 0 obj <</Length 3000>>"+strings.Repeat("x", 3000), pages)
	return base64.StdEncoding.EncodeToString([]byte(text))
}

func pdfOf(data string) string {
	return `{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"` + data + `"}}`
}

func TestImagesAreLookedAt(t *testing.T) {
	const at = "messages.0.content.0.image.source.base64"
	small := picture(t, "image/png", 3, 3)
	older := `"model":"claude-haiku-4-5",`
	five, ten := strings.Repeat("A", 5<<20+4), strings.Repeat("A", 10<<20+4)
	requireFaults(t, ReadOptions{Version: Version2026}, []faultCase{
		{inUserTurn(imageOf("image/png", small)), ""},
		{inUserTurn(imageOf("image/jpeg", picture(t, "image/jpeg", 3, 3))), ""},
		{inUserTurn(imageOf("image/gif", picture(t, "image/gif", 3, 3))), ""},
		{inUserTurn(imageOf("image/webp", picture(t, "image/webp", 3, 3))), ""},
		{inUserTurn(imageOf("image/png", strings.TrimRight(small, "="))), ""},
		{inUserTurn(imageOf("image/png", "")), at + ": image cannot be empty"},
		{inUserTurn(imageOf("image/png", small[:len(small)-1]+"!")), at + ": invalid base64 data"},
		{inUserTurn(imageOf("image/png", "data:image/png;base64,"+small)), at + ": invalid base64 data"},
		{inUserTurn(imageOf("image/png", small+"A")), at + ": invalid base64 data"},
		{inUserTurn(imageOf("image/png", "AAAA")), "Could not process image"},
		{inUserTurn(imageOf("image/png", small[:16])), "Could not process image"},
		{inUserTurn(imageOf("image/jpeg", small)),
			at + ".data: The image was specified using the image/jpeg media type, but the image appears to be a image/png image"},
		{older + inUserTurn(imageOf("image/png", five)), at + ": image exceeds 5 MB maximum: 5242884 bytes > 5242880 bytes"},
		{inUserTurn(imageOf("image/png", five)), "Could not process image"},
		{inUserTurn(imageOf("image/png", ten)), at + ": image exceeds 10 MB maximum: 10485764 bytes > 10485760 bytes"},
		{inUserTurn(imageOf("image/png", picture(t, "image/png", 8000, 1))), ""},
		{inUserTurn(imageOf("image/png", picture(t, "image/png", 8001, 1))),
			at + ".data: At least one of the image dimensions exceed max allowed size: 8000 pixels"},
		{inUserTurn(strings.Repeat(imageOf("image/png", small)+",", 19) + imageOf("image/png", picture(t, "image/png", 1, 2001))), ""},
		{inUserTurn(strings.Repeat(imageOf("image/png", small)+",", 20) + imageOf("image/png", picture(t, "image/png", 1, 2001))),
			"messages.0.content.20.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels"},
		{talk(userHi + `,{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"x"},` + imageOf("image/png", "%") + `]}]}`),
			"messages.2.content.0.tool_result.content.1.image.source.base64: invalid base64 data"},
	})
}

func TestPDFsAreLookedAt(t *testing.T) {
	const at = "messages.0.content.0.pdf.source.base64.data: "
	older := `"model":"claude-haiku-4-5",`
	requireFaults(t, ReadOptions{Version: Version2026}, []faultCase{
		{inUserTurn(pdfOf(pdf(1))), ""},
		{inUserTurn(pdfOf("")), at + "PDF cannot be empty"},
		{inUserTurn(pdfOf("AAAA")), at + "The PDF specified was not valid."},
		{inUserTurn(pdfOf("%")), at + "The PDF specified was not valid."},
		{older + inUserTurn(pdfOf(pdf(100))), ""},
		{older + inUserTurn(pdfOf(pdf(101))), at + "A maximum of 100 PDF pages may be provided."},
		{older + inUserTurn(pdfOf(pdf(60))+","+pdfOf(pdf(60))), "messages.0.content.1.pdf.source.base64.data: A maximum of 100 PDF pages may be provided."},
		{inUserTurn(pdfOf(pdf(600))), ""},
		{inUserTurn(pdfOf(pdf(601))), at + "A maximum of 600 PDF pages may be provided."},
	})
}

func TestImagesAndPDFsCountByTheirSize(t *testing.T) {
	bare := readCount(t, "")
	for _, c := range []struct {
		block  string
		tokens int
	}{
		{imageOf("image/png", picture(t, "image/png", 750, 100)), 100},
		{imageOf("image/png", picture(t, "image/png", 1, 1)), 1},
		{imageOf("image/jpeg", picture(t, "image/jpeg", 1000, 1000)), 1334},
		{imageOf("image/gif", picture(t, "image/gif", 3136, 300)), 314},
		{imageOf("image/webp", picture(t, "image/webp", 5000, 5000)), 1600},
		{`{"type":"image","source":{"type":"url","url":"u"}}`, 1600},
		{pdfOf(pdf(1)), 1500},
		{pdfOf(pdf(7)), 10500},
		{pdfOf(base64.StdEncoding.EncodeToString([]byte("%PDF-1.7 all compressed"))), 1500},
		{`{"type":"document","source":{"type":"file","file_id":"f"}}`, 1500},
	} {
		require.Equal(t, c.tokens, readCount(t, c.block+",")-bare, "%.120s", c.block)
	}
}

func readCount(t *testing.T, blocks string) int {
	t.Helper()
	body := bodyWith(t, inUserTurn(blocks+`{"type":"text","text":"hi"}`))
	r, problem := NewReader().Read(body, ReadOptions{Version: Version2026})
	require.Nil(t, problem)
	return r.InputTokens
}

func TestPagesAreCountedAcrossPieces(t *testing.T) {
	for gap := range 40 { // so that the mark lies across the end of a piece
		text := "%PDF-1.7" + strings.Repeat(" ", 32<<10-40+gap) + "/Type /Page\n" + strings.Repeat(" ", 40<<10) + "/Type /Pages"
		m, _ := lookAtPDF(strings.NewReader(text))
		require.Equal(t, 1, m.pages, fmt.Sprint(gap))
		require.Equal(t, len(text), m.size)
	}
}

func TestTheKindsOfWebP(t *testing.T) {
	lossy := "RIFF\x00\x00\x00\x00WEBPVP8 \x00\x00\x00\x00\x00\x00\x00\x9d\x01\x2a\x40\x01\xf0\x00" + "0000"
	lossless := "RIFF\x00\x00\x00\x00WEBPVP8L\x00\x00\x00\x00\x2f\x3f\xc1\x3b\x00" + "00000"
	for _, file := range []string{lossy, lossless} {
		m := lookAtImage(base64.StdEncoding.EncodeToString([]byte(file)), true)
		require.Equal(t, "image/webp", m.kind)
		require.Equal(t, [2]int{320, 240}, [2]int{m.width, m.height})
	}
}

func TestATooLargeImageIsToldInTheDetails(t *testing.T) {
	body := bodyWith(t, inUserTurn(imageOf("image/png", picture(t, "image/png", 1, 8001))))
	_, problem := NewReader().Read(body, ReadOptions{Version: Version2026})
	require.NotNil(t, problem)
	require.JSONEq(t, `{"error_code":"image_dimensions_too_large","max_side_length_pixels":8000,"paths":["messages.0.content.0.image.source.base64.data"]}`,
		string(problem.Details))
}
