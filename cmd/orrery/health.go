package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// healthLimit is how long a healthy server may take to answer.
const healthLimit = 2 * time.Second

func healthCommand(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "health [URL]",
		Short: "Ask a server whether it answers, for container health checks",
		Long: "Asks URL/_orrery/health and exits 0 when it answers 200 within 2 seconds, else 1.\n" +
			"Without URL it asks the address that --listen, ORRERY_LISTEN or the file names, with --tls over TLS and\n" +
			"whatever its certificate. That of an https URL must be trusted by this machine or by SSL_CERT_FILE.",
		Example: "  orrery health\n  orrery health http://orrery:4010",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return misuse("health wants one URL at most, but was given %d", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := c.settings.load(); err != nil {
				return err
			}
			base, client := "http://"+c.settings.listen.reachable(), &http.Client{Timeout: healthLimit}
			if c.settings.tls {
				base = "https" + strings.TrimPrefix(base, "http")
				// It asks its own machine whether it is alive, and sends nothing: whom it trusts doesn't matter.
				client.Transport = &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
			}
			if len(args) == 1 {
				base, client.Transport = args[0], nil
			} else if strings.HasSuffix(base, ":0") {
				return misuse("port 0 says nothing about where the server listens; name its URL: orrery health http://HOST:PORT")
			}
			return c.health(client, base)
		},
	}
	c.settings.on(cmd, "listen", "tls")
	return cmd
}

func (c *console) health(client *http.Client, base string) error {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return misuse("%q is no URL such as http://127.0.0.1:4010", base)
	}
	defer client.CloseIdleConnections()
	resp, err := client.Get(u.JoinPath("_orrery/health").String())
	if err != nil {
		var asked *url.Error // repeats the URL
		if errors.As(err, &asked) {
			err = asked.Err
		}
		return fmt.Errorf("no answer from %s: %w; is orrery serve running there?", base, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers /_orrery/health with %s in place of 200; is it orrery?", base, resp.Status)
	}
	c.printf("%s is healthy\n", base)
	return nil
}
