package mock_test

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
)

const skillText = "---\nname: counting\ndescription: Counts things.\n---\n# Counting\n"

func TestASkillHasVersions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slowly))
		c, ctx := newer(srv), t.Context()
		files := []io.Reader{
			anthropic.File(strings.NewReader(skillText), "counting/SKILL.md", "text/markdown"),
			anthropic.File(strings.NewReader("print(1)"), "counting/scripts/count.py", "text/plain"),
		}
		made, err := c.Skills.New(ctx, anthropic.SkillNewParams{Files: files, DisplayName: anthropic.String("Counting")})
		require.NoError(t, err)
		require.Equal(t, "Counting", made.DisplayName)
		require.EqualValues(t, "custom", made.Source.Type)
		time.Sleep(time.Second)
		version, err := c.Skills.Versions.New(ctx, made.ID, anthropic.SkillVersionNewParams{
			Files: []io.Reader{anthropic.File(strings.NewReader(skillText), "counting/SKILL.md", "text/markdown")},
		})
		require.NoError(t, err)
		require.Equal(t, "counting", version.Name)
		require.Equal(t, "Counts things.", version.Description)
		latest, err := c.Skills.Get(ctx, made.ID, anthropic.SkillGetParams{})
		require.NoError(t, err)
		require.Equal(t, version.ID, latest.LatestVersionID)
		require.NotEqual(t, made.LatestVersionID, latest.LatestVersionID)
		same, err := c.Skills.Versions.Get(ctx, "latest", anthropic.SkillVersionGetParams{SkillID: made.ID})
		require.NoError(t, err)
		require.Equal(t, version.ID, same.ID)

		var all []string
		for pages := c.Skills.ListAutoPaging(ctx, anthropic.SkillListParams{Limit: anthropic.Int(2)}); pages.Next(); {
			all = append(all, pages.Current().ID)
		}
		require.Equal(t, []string{made.ID, "xlsx", "pptx", "pdf", "docx"}, all)
		own, err := c.Skills.List(ctx, anthropic.SkillListParams{Source: anthropic.String("custom")})
		require.NoError(t, err)
		require.Len(t, own.Data, 1)

		down, err := c.Beta.Skills.Versions.Download(ctx, made.LatestVersionID, anthropic.BetaSkillVersionDownloadParams{SkillID: made.ID})
		require.NoError(t, err)
		archived, err := io.ReadAll(down.Body)
		require.NoError(t, err)
		archive, err := zip.NewReader(bytes.NewReader(archived), int64(len(archived)))
		require.NoError(t, err)
		require.Equal(t, "counting/SKILL.md", archive.File[0].Name)
		require.Equal(t, "counting/scripts/count.py", archive.File[1].Name)

		_, err = c.Skills.Versions.Delete(ctx, version.ID, anthropic.SkillVersionDeleteParams{SkillID: made.ID})
		require.NoError(t, err)
		_, err = c.Skills.Delete(ctx, made.ID, anthropic.SkillDeleteParams{})
		require.NoError(t, err)
		_, err = c.Skills.Get(ctx, made.ID, anthropic.SkillGetParams{})
		require.ErrorContains(t, err, "404")
	})
}
