package api_test

import (
	"archive/zip"
	"bytes"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

const skillText = "---\nname: counting\ndescription: \"Counts: things.\"\n---\n# Counting\n"

func skill(path string, more ...[3]string) *http.Request {
	return form(path, append([][3]string{{"files[]", "counting/SKILL.md", skillText}}, more...)...)
}

func TestASkillIsChecked(t *testing.T) {
	s := serving(t)
	for name, test := range map[string]struct {
		r       *http.Request
		message string
	}{
		"no form":        {request("POST", "/v1/skills", "{}"), "The request body is not valid multipart/form-data: "},
		"no files":       {form("/v1/skills", [3]string{"display_name", "", "x"}), "files: Field required"},
		"another field":  {skill("/v1/skills", [3]string{"x", "", "x"}), "x: Extra inputs are not permitted"},
		"no SKILL.md":    {form("/v1/skills", [3]string{"files", "a/b.md", "x"}), "SKILL.md file must be exactly in the top-level folder."},
		"too deep":       {form("/v1/skills", [3]string{"files", "a/b/SKILL.md", skillText}), "SKILL.md file must be exactly in the top-level folder."},
		"two folders":    {skill("/v1/skills", [3]string{"files", "other/a.py", "x"}), "All files must be in the same top-level folder."},
		"no frontmatter": {form("/v1/skills", [3]string{"files", "a/SKILL.md", "# Hi"}), "SKILL.md must start with YAML frontmatter (---)"},
		"no name":        {form("/v1/skills", [3]string{"files", "a/SKILL.md", "---\ndescription: x\n---\n"}), "SKILL.md frontmatter: name: Field required"},
		"no description": {form("/v1/skills", [3]string{"files", "a/SKILL.md", "---\nname: x\n---\n"}), "SKILL.md frontmatter: description: Field required"},
		"a bad archive":  {form("/v1/skills", [3]string{"files", "a.zip", "PK\x03\x04nothing"}), "files: the archive can't be read: "},
		"a source":       {request("GET", "/v1/skills?source=mine", ""), "source: Input should be 'custom', 'anthropic', 'anthropic_example' or 'plugin'"},
		"a vendor's":     {request("DELETE", "/v1/skills/pdf", ""), "Skill pdf cannot be deleted."},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, requireError(t, s.do(test.r), 400, "invalid_request_error"), test.message)
		})
	}
	require.Empty(t, decode(t, s.do(request("GET", "/v1/skills?source=custom", "")))["data"], "nothing is left of them")
}

func TestASkillsOlderShape(t *testing.T) {
	s := serving(t)
	const beta, old = "Anthropic-Beta", "skills-2025-10-02"
	made := skill("/v1/skills", [3]string{"display_title", "", "Counting"})
	made.Header.Set(beta, old)
	v := decode(t, s.do(made))
	require.Equal(t, "custom", v["source"])
	require.Equal(t, "Counting", v["display_title"])
	require.Regexp(t, `^\d{16}$`, v["latest_version"])
	id := v["id"].(string)
	again := skill("/v1/skills/" + id + "/versions")
	again.Header.Set(beta, old)
	version := decode(t, s.do(again))
	require.Regexp(t, `^\d{16}$`, version["version"])
	require.Equal(t, "counting", version["directory"])
	require.Equal(t, "Counts: things.", version["description"])
	require.NotEqual(t, v["latest_version"], version["version"])

	page := decode(t, s.do(request("GET", "/v1/skills/"+id+"/versions?limit=1", "", beta, old)))
	require.Equal(t, true, page["has_more"])
	rest := decode(t, s.do(request("GET", "/v1/skills/"+id+"/versions?limit=1&page_token="+page["next_page"].(string), "", beta, old)))
	require.Equal(t, false, rest["has_more"])
	require.Equal(t, v["latest_version"], rest["data"].([]any)[0].(map[string]any)["version"])

	require.Contains(t, requireError(t, s.do(request("DELETE", "/v1/skills/"+id, "", beta, old)), 400, "invalid_request_error"), "existing versions")
	for _, number := range []any{v["latest_version"], version["version"]} {
		gone := decode(t, s.do(request("DELETE", "/v1/skills/"+id+"/versions/"+number.(string), "", beta, old)))
		require.Equal(t, map[string]any{"id": number, "type": "skill_version_deleted"}, gone)
	}
	require.Equal(t, "skill_deleted", decode(t, s.do(request("DELETE", "/v1/skills/"+id, "", beta, old)))["type"])
}

func TestASkillMayComeAsAnArchive(t *testing.T) {
	s := serving(t)
	packed := new(bytes.Buffer)
	archive := zip.NewWriter(packed)
	w, err := archive.Create("counting/SKILL.md")
	require.NoError(t, err)
	_, err = w.Write([]byte(skillText))
	require.NoError(t, err)
	require.NoError(t, archive.Close())
	v := decode(t, s.do(form("/v1/skills", [3]string{"files", "counting.zip", packed.String()})))
	require.Equal(t, "counting", v["display_name"])
	content := s.do(request("GET", "/v1/skills/"+v["id"].(string)+"/versions/latest/content", ""))
	require.Equal(t, "application/zip", content.Header().Get("Content-Type"))
	read, err := zip.NewReader(bytes.NewReader(content.Body.Bytes()), int64(content.Body.Len()))
	require.NoError(t, err)
	require.Equal(t, "counting/SKILL.md", read.File[0].Name)
}

func TestTheVendorsSkillsAreThere(t *testing.T) {
	s := serving(t)
	list := decode(t, s.do(request("GET", "/v1/skills?source=anthropic", "")))
	require.Len(t, list["data"], 4)
	one := decode(t, s.do(request("GET", "/v1/skills/xlsx/versions/latest", "")))
	require.Equal(t, "20251013", one["id"])
	requireError(t, s.do(request("GET", "/v1/skills/none", "")), 404, "not_found_error")
	requireError(t, s.do(request("GET", "/v1/skills/xlsx/versions/none", "")), 404, "not_found_error")
}
