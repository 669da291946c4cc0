package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// form makes a request with a form: names, file names and contents in turn.
func form(path string, parts ...[3]string) *http.Request {
	body := ""
	for _, p := range parts {
		body += fmt.Sprintf("--x\r\nContent-Disposition: form-data; name=%q", p[0])
		if p[1] != "" {
			body += fmt.Sprintf("; filename=%q", p[1])
		}
		body += "\r\n\r\n" + p[2] + "\r\n"
	}
	return request("POST", path, body+"--x--\r\n", "Content-Type", "multipart/form-data; boundary=x")
}

func TestAnUploadIsCheckedInTheAPIsWords(t *testing.T) {
	s := serving(t)
	file := [3]string{"file", "a.txt", "hi"}
	for name, test := range map[string]struct {
		r       *http.Request
		message string
	}{
		"no form":           {request("POST", "/v1/files", "{}", "Content-Type", "application/json"), "The request body is not valid multipart/form-data: "},
		"a form cut off":    {request("POST", "/v1/files", "--x\r\nContent-Disp", "Content-Type", "multipart/form-data; boundary=x"), "The request body is not valid multipart/form-data: "},
		"no file":           {form("/v1/files"), "file: Field required"},
		"two files":         {form("/v1/files", file, file), "file: Input should be one file"},
		"no name":           {form("/v1/files", [3]string{"file", "", "hi"}), "file: a filename is required"},
		"a path":            {form("/v1/files", [3]string{"file", "../a.txt", "hi"}), "filename: contains forbidden characters"},
		"a long name":       {form("/v1/files", [3]string{"file", strings.Repeat("a", 501), "hi"}), "filename: String should have at most 500 characters"},
		"another field":     {form("/v1/files", file, [3]string{"purpose", "", "x"}), "purpose: Extra inputs are not permitted"},
		"expires too soon":  {form("/v1/files", file, [3]string{"expires_in_seconds", "", "3599"}), "expires_in_seconds: Input should be greater than or equal to 3600"},
		"expires too late":  {form("/v1/files", [3]string{"expires_in_seconds", "", "7776001"}, file), "expires_in_seconds: Input should be less than or equal to 7776000"},
		"expires some time": {form("/v1/files", file, [3]string{"expires_in_seconds", "", "soon"}), "expires_in_seconds: Input should be a valid integer"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, requireError(t, s.do(test.r), 400, "invalid_request_error"), test.message)
		})
	}
	require.Empty(t, decode(t, s.do(request("GET", "/v1/files", "")))["data"], "nothing is left of them")
	for _, seconds := range []string{"3600", "7776000"} {
		require.NotEmpty(t, s.made(form("/v1/files", file, [3]string{"expires_in_seconds", "", seconds})))
	}
}

func TestAFilesTypeIsSeen(t *testing.T) {
	s := serving(t)
	for file, kind := range map[[2]string]string{
		{"a.pdf", "?"}:                 "application/pdf",
		{"a.md", "# A"}:                "text/markdown",
		{"a", "%PDF-1.4"}:              "application/pdf",
		{"a", "\x89PNG\r\n\x1a\nxxxx"}: "image/png",
		{"a", "some words"}:            "text/plain",
		{"a", "\x00\x01\x02"}:          "application/octet-stream",
		{"a.JSON", "{}"}:               "application/json",
	} {
		require.Equal(t, kind, decode(t, s.do(form("/v1/files", [3]string{"file", file[0], file[1]})))["mime_type"], file)
	}
}

func TestAFilesShapeIsTheAPIs(t *testing.T) {
	s := serving(t)
	v := decode(t, s.do(form("/v1/files", [3]string{"file", "a.txt", "hi"})))
	require.Nil(t, v["expires_at"])
	require.Contains(t, v, "expires_at")
	require.Equal(t, false, v["downloadable"], "what was uploaded isn't")
	id := v["id"].(string)
	require.Equal(t, v, decode(t, s.do(request("GET", "/v1/files/"+id, ""))))

	w := s.do(request("GET", "/v1/files/"+id+"/content", ""))
	require.Equal(t, "File "+id+" is not downloadable.", requireError(t, w, 400, "invalid_request_error"))
	require.Contains(t, w.Body.String(), `"details":{"error_code":"file_not_downloadable"}`)

	list := decode(t, s.do(request("GET", "/v1/files", "")))
	require.Equal(t, map[string]any{"data": []any{v}, "next_page": nil}, list)
	old := decode(t, s.do(request("GET", "/v1/files", "", "Anthropic-Beta", "files-api-2025-04-14")))
	require.Equal(t, map[string]any{"data": []any{v}, "has_more": false, "first_id": id, "last_id": id}, old)
	some := decode(t, s.do(request("GET", "/v1/files?ids[]="+id+"&ids[]=file_none", "")))
	require.Equal(t, list, some)
	require.Equal(t, "ids: cannot be combined with page or limit",
		requireError(t, s.do(request("GET", "/v1/files?ids[]="+id+"&limit=3", "")), 400, "invalid_request_error"))
	requireError(t, s.do(request("GET", "/v1/files?page=nonsense", "")), 400, "invalid_request_error")

	require.Equal(t, map[string]any{"id": id, "type": "file_deleted"}, decode(t, s.do(request("DELETE", "/v1/files/"+id, ""))))
	for _, r := range []*http.Request{
		request("DELETE", "/v1/files/"+id, ""), request("GET", "/v1/files/"+id, ""), request("GET", "/v1/files/"+id+"/content", ""),
	} {
		require.Equal(t, "File not found: "+id, requireError(t, s.do(r), 404, "not_found_error"))
	}
}

func TestAPageOutlivesTheObjectThatItBeganBehind(t *testing.T) {
	s := serving(t)
	var ids []string
	for range 4 {
		ids = append(ids, s.made(form("/v1/files", [3]string{"file", "a.txt", "hi"})))
	}
	page := decode(t, s.do(request("GET", "/v1/files?limit=2", "")))
	decode(t, s.do(request("DELETE", "/v1/files/"+ids[2], "")))
	rest := decode(t, s.do(request("GET", "/v1/files?limit=2&page="+page["next_page"].(string), "")))
	require.Len(t, rest["data"], 2)
	require.Equal(t, ids[1], rest["data"].([]any)[0].(map[string]any)["id"])
}

func TestAMessageReadsTheFilesThatItNames(t *testing.T) {
	s := serving(t)
	large := strings.Repeat("x", 70<<10) // too large to stay in memory
	kept := map[string]string{}
	for name, contents := range map[string]string{
		"a.txt": "hi", "a.pdf": "%PDF-1.7 /Type /Page " + large + " /Type /Page", "no.pdf": "hi", "a.json": "{}",
	} {
		kept[name] = s.made(form("/v1/files", [3]string{"file", name, contents}))
	}
	ask := func(path, kind, name string) *http.Request {
		return request("POST", path, `{"model":"claude-sonnet-5","messages":[{"role":"user","content":[`+
			`{"type":"`+kind+`","source":{"type":"file","file_id":"`+kept[name]+`"}},{"type":"text","text":"hi"}]}]}`)
	}
	const count = "/v1/messages/count_tokens"
	require.EqualValues(t, 9, decode(t, s.do(ask(count, "document", "a.txt")))["input_tokens"])
	require.EqualValues(t, 8+2*1500, decode(t, s.do(ask(count, "document", "a.pdf")))["input_tokens"])
	for asked, message := range map[[2]string]string{
		{"document", "no.pdf"}: "messages.0.content.0.pdf.source.file.file_id: The PDF specified was not valid.",
		{"document", "a.json"}: "Unsupported document file format: application/json. Only PDF and plaintext documents are supported.",
		{"image", "a.txt"}:     "Could not process image",
	} {
		require.Equal(t, message, requireError(t, s.do(ask(count, asked[0], asked[1])), 400, "invalid_request_error"))
	}
}
