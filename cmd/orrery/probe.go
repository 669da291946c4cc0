package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/probe"
)

// The bounds on what one probe may do to somebody's server.
const (
	mostRequests = 1_000_000
	longestProbe = time.Hour
)

// fewRequests is how many are sent when neither --requests nor --for says.
const fewRequests = 100

// probeQuestion is what probe was asked.
type probeQuestion struct {
	rate     rate
	poisson  bool
	seed     uint64
	requests int
	length   duration
	clients  int
	think    duration

	stream    bool
	model     string
	maxTokens int
	prompt    string
	request   string
	headers   []string
	timeout   duration

	connection probeConnection

	asJSON, plot bool

	target *url.URL
	shot   probe.Shot
}

func probeCommand(c *console) *cobra.Command {
	q := newProbeQuestion()
	cmd := &cobra.Command{
		Use:   "probe URL",
		Short: "Drive a Messages endpoint, and measure how it answers",
		Long: "Sends requests to the Messages endpoint at the base URL and prints percentiles, in milliseconds, of the\n" +
			"time to first token, the gaps between deltas and the duration; then outcomes, and the rate reached.\n\n" +
			"The loop is open: each request leaves at its planned instant, and every time counts from there, so\n" +
			"that a server that stalls can't hide. lag is how late the prober itself was. With --clients the loop\n" +
			"is closed: so many clients ask, wait for the answer, think, and ask again.\n\n" +
			"The key is that of ORRERY_PROBE_KEY, or of probe-key in the file of settings; \"any\" when there is none.\n" +
			"Every request may cost money where URL isn't a mock.",
		Example: "  orrery probe http://127.0.0.1:4010\n" +
			"  orrery probe http://127.0.0.1:4010 --rate 200/s --for 30s --poisson\n" +
			"  orrery probe http://127.0.0.1:4010 --clients 20 --think 500ms --requests 1000 --stream=false --json",
		Args: oneArg("one base URL, such as http://127.0.0.1:4010"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.settings.load(); err != nil {
				return err
			}
			if err := c.prepare(q, cmd.Flags().Changed, args[0]); err != nil {
				return err
			}
			return c.probe(q)
		},
	}
	q.on(cmd.Flags())
	c.settings.on(cmd)
	return cmd
}

func newProbeQuestion() *probeQuestion {
	return &probeQuestion{rate: 10, timeout: duration(time.Minute)}
}

// on gives a command the flags of the question.
func (q *probeQuestion) on(f *pflag.FlagSet) {
	f.Var(&q.rate, "rate", "open loop: how many requests leave, such as 50/s, 30/m or 50")
	f.BoolVar(&q.poisson, "poisson", false, "open loop: independent arrivals at that mean rate, not even ones")
	f.Uint64Var(&q.seed, "seed", 1, "the seed of --poisson, a whole `NUMBER`")
	f.IntVar(&q.requests, "requests", 0, fmt.Sprintf("send `N` requests (default: %d, or as many as fit in --for)", fewRequests))
	f.Var(&q.length, "for", "plan requests for a `DURATION` such as 10s")
	f.IntVar(&q.clients, "clients", 0, "closed loop: `N` clients that wait for their answers")
	f.Var(&q.think, "think", "closed loop: how long a client thinks before it asks again, a `DURATION`")
	f.BoolVar(&q.stream, "stream", true, "ask for a stream; without one there is no first token and no gap")
	f.StringVar(&q.model, "model", "claude-sonnet-5", "the `MODEL` to ask")
	f.IntVar(&q.maxTokens, "max-tokens", 256, "the most tokens an answer may have, `N`")
	f.StringVar(&q.prompt, "prompt", "Hello", "the `TEXT` to send")
	f.StringVar(&q.request, "request", "", "a `FILE` with the request's JSON body, or - for stdin; of the flags above only those given change it")
	f.StringArrayVar(&q.headers, "header", nil, "a header as `'NAME: VALUE'`, any number of times; without a value it is left out")
	f.Var(&q.timeout, "timeout", "give a request up this long after its planned instant, a `DURATION`")
	q.connection.on(f)
	f.BoolVar(&q.asJSON, "json", false, "print one JSON object, with times in nanoseconds")
	f.BoolVar(&q.plot, "plot", true, "plot duration and gaps by percentile")
}

// prepare checks what was asked, and makes the request.
func (c *console) prepare(q *probeQuestion, given func(string) bool, target string) error {
	u, err := url.Parse(target)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "" {
		return misuse("probe wants a base URL such as http://127.0.0.1:4010")
	}
	// Whoever copies a whole endpoint means its base.
	u.Path = strings.TrimSuffix(strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/messages"), "/v1")
	q.target = u
	if err := q.connection.shape(&q.shot, u.Scheme); err != nil {
		return err
	}
	if err := q.bound(given); err != nil {
		return err
	}
	if q.shot.Body, err = c.probeBody(q, given); err != nil {
		return err
	}
	q.shot.Header = http.Header{
		"Content-Type": {"application/json"}, "Anthropic-Version": {"2023-06-01"},
		"X-Api-Key": {string(c.settings.probeKey)},
	}
	for _, header := range q.headers {
		if err := addHeader(q.shot.Header, header); err != nil {
			return err
		}
	}
	if q.shot.Header.Get("User-Agent") == "" {
		q.shot.Header.Set("User-Agent", "orrery-probe")
	}
	return nil
}

// bound refuses what contradicts itself and what is too much, and settles the number of requests.
func (q *probeQuestion) bound(given func(string) bool) error {
	closed, length := given("clients"), time.Duration(q.length)
	for _, flag := range []string{"rate", "poisson", "seed"} {
		if closed && given(flag) {
			return misuse("--%s is of the open loop, --clients of the closed one; take one of them out", flag)
		}
	}
	switch {
	case given("think") && !closed:
		return misuse("--think wants --clients: in an open loop nobody waits")
	case given("seed") && !q.poisson:
		return misuse("--seed wants --poisson: nothing else is drawn")
	case closed && (q.clients < 1 || q.clients > probe.DefaultMaxInFlight):
		return misuse("--clients %d: their number is from 1 to %d", q.clients, probe.DefaultMaxInFlight)
	case given("requests") && (q.requests < 1 || q.requests > mostRequests):
		return misuse("--requests %d: their number is from 1 to %d", q.requests, mostRequests)
	case given("for") && (length <= 0 || length > longestProbe):
		return misuse("--for %v: it is above 0s and at most %v", length, longestProbe)
	case q.timeout <= 0 || time.Duration(q.timeout) > longestProbe:
		return misuse("--timeout %v: it is above 0s and at most %v", q.timeout, longestProbe)
	}
	if !given("requests") {
		q.requests = fewRequests
		if given("for") {
			q.requests = mostRequests
		}
	}
	if !given("for") {
		q.length = duration(longestProbe)
		if seconds := float64(q.requests-1) / float64(q.rate); !closed && seconds >= longestProbe.Seconds() {
			return misuse("%d requests at %s take longer than %v; ask for fewer, for a higher --rate, or --for less", q.requests, q.rate, longestProbe)
		}
	} else if n := float64(q.rate) * length.Seconds(); !closed && !given("requests") && n > mostRequests {
		return misuse("%s for %v are more than %d requests; ask for a lower --rate, for less, or for fewer --requests", q.rate, length, mostRequests)
	}
	return nil
}

// probeBody is the request's body.
func (c *console) probeBody(q *probeQuestion, given func(string) bool) ([]byte, error) {
	fields := map[string]any{}
	if q.request != "" {
		if given("prompt") {
			return nil, misuse("--prompt and --request both say what is sent; take one of them out")
		}
		body, err := c.read(q.request)
		if err != nil {
			return nil, fmt.Errorf("--request: %w", err)
		}
		if !given("stream") && !given("model") && !given("max-tokens") {
			return body, nil // as it is, though it be no JSON
		}
		d := json.NewDecoder(bytes.NewReader(body))
		d.UseNumber()
		if err := d.Decode(&fields); err != nil || fields == nil {
			return nil, misuse("--stream, --model and --max-tokens want a body that is one JSON object; %s isn't", q.request)
		}
	} else {
		fields["messages"] = []map[string]string{{"role": "user", "content": q.prompt}}
	}
	for name, value := range map[string]any{"stream": q.stream, "model": q.model, "max_tokens": q.maxTokens} {
		if q.request == "" || given(strings.ReplaceAll(name, "_", "-")) {
			fields[name] = value
		}
	}
	return json.Marshal(fields)
}

// probe drives and prints. It ends early, with what it has, on the first Ctrl-C.
func (c *console) probe(q *probeQuestion) error {
	client, err := q.connection.client(c.read)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c.notice(slog.LevelInfo, "driving "+q.String(), "target", q.target.Redacted(), "requests", q.requests)
	bar := c.progress(q)
	var report probe.Report
	each := func(r *probe.Result) {
		report.Add(r)
		bar.show(&report, r)
	}
	options := probe.Options{Timeout: time.Duration(q.timeout), Client: client}
	if q.clients > 0 {
		err = probe.Closed(ctx, q.target.String(), q.clients, q.next(clock.Real()), options, each)
	} else {
		err = probe.Open(ctx, q.target.String(), q.shots(), options, each)
	}
	bar.end()
	stop()
	if printed := c.printReport(q, &report); printed != nil {
		return printed
	}
	if err != nil {
		return fmt.Errorf("ended before its time, after %d requests: %w", report.Sent, err)
	}
	return q.connection.untrusted(c.judge(&report))
}

// judge warns of measurements that say more of this machine than of the server, and finds it a
// problem when nothing was answered.
func (c *console) judge(report *probe.Report) error {
	const late = 5 * time.Millisecond
	if lag := report.Lag.Quantile(0.99); lag > late {
		c.notice(slog.LevelWarn, fmt.Sprintf("the prober itself was %s ms late (p99), so the times are too long; lower the rate, or end what else runs", milliseconds(lag)))
	}
	if n := report.Count(probe.NotDriven); n > 0 {
		c.notice(slog.LevelWarn, fmt.Sprintf("%d requests were not sent, for %d were under way", n, probe.DefaultMaxInFlight))
	}
	if report.Count(probe.Answered) > 0 {
		return nil
	}
	for _, o := range probe.Outcomes() {
		if err := report.First(o); err != nil {
			return fmt.Errorf("nothing was answered; the first that %s: %w", wasOrNot(o), err)
		}
	}
	return fmt.Errorf("nothing was answered")
}

// wasOrNot is an outcome as a verb.
func wasOrNot(o probe.Outcome) string {
	if o == probe.Refused || o == probe.Cut || o == probe.Stopped {
		return "was " + o.String()
	}
	return o.String()
}

// shots are the open loop's.
func (q *probeQuestion) shots() iter.Seq[probe.Shot] {
	schedule := probe.Constant(float64(q.rate))
	if q.poisson {
		schedule = probe.Poisson(float64(q.rate), q.seed)
	}
	return func(yield func(probe.Shot) bool) {
		n := 0
		for at := range schedule {
			shot := q.shot
			shot.At = at
			if n == q.requests || at >= time.Duration(q.length) || !yield(shot) {
				return
			}
			n++
		}
	}
}

// next says what the clients of the closed loop send.
func (q *probeQuestion) next(c clock.Clock) func(int, *probe.Result) (probe.Shot, bool) {
	n, start := 0, c.Now()
	return func(_ int, last *probe.Result) (probe.Shot, bool) {
		shot := q.shot
		if last != nil {
			shot.At = time.Duration(q.think)
		}
		n++
		return shot, n <= q.requests && c.Now().Add(shot.At).Before(start.Add(time.Duration(q.length)))
	}
}

// String says what is driven, in a line.
func (q *probeQuestion) String() string {
	many := fmt.Sprintf("%d requests", q.requests)
	switch {
	case q.requests == mostRequests:
		many = fmt.Sprintf("requests for %v", q.length)
	case time.Duration(q.length) < longestProbe:
		many += fmt.Sprintf(" or for %v", q.length)
	}
	how := fmt.Sprintf("open loop, even, %s", q.rate)
	switch {
	case q.clients > 0:
		how = fmt.Sprintf("closed loop, %d clients that think for %v", q.clients, q.think)
	case q.poisson:
		how = fmt.Sprintf("open loop, Poisson, %s, seed %d", q.rate, q.seed)
	}
	return fmt.Sprintf("%s: %s, %s", q.target.Redacted(), many, how)
}
