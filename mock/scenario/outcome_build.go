package scenario

import (
	"maps"
	"slices"
)

func (b *builder) outcome(r *routeFile, made *Outcome, answer answered, place string) {
	if r.Profile != nil && r.Profile.at.kind == words {
		made.Profile = b.made.Profiles[r.Profile.text]
		if made.Profile == nil {
			b.at(r.Profile.at, didYouMean(r.Profile.text, b.profileNames()), "there is no profile %s", quote(r.Profile.text))
		}
	}
	made.Never = b.never(r)
	b.answers(r, made, answer)
	made.VerbatimHead = b.yes(r.VerbatimHead)
	if made.VerbatimHead {
		b.transport(r.at.keyOf("verbatim_head"), "verbatim_head", answer, []string{"http/1.1"})
		if r.at.child("headers") == nil {
			b.at(r.at.keyOf("verbatim_head"), "add `headers`, or remove it", "`verbatim_head` is about `headers`, and there are none")
		}
	}
	made.Headers = b.headers(r.Headers, r.at.child("headers"), made.VerbatimHead)
	made.Marks = b.marks(r.Marks, r.at.child("marks"), place)
	made.Usage = b.usage(r)
	made.Figures = b.figures(r.Figures, r.at.child("figures"), place+".figures.")
	made.Warnings = b.warnings(r.Warn)
	made.Error = b.failure(r.Error)
	made.HTTP = b.http(r.HTTP)
	made.RawText = r.Framing.text == "raw-text"
	instead, why := "", ""
	switch {
	case r.Error != nil:
		instead, why = "error", "an error"
	case r.HTTP != nil:
		instead, why = "http", "an answer as it stands"
	case answer.endpoint != "":
		instead, why = "endpoint", "the answer of `endpoint: "+answer.endpoint+"`"
	default:
		made.Reply = b.reply(r.Reply, place+".reply")
	}
	if key := r.at.keyOf("error"); key != nil && r.HTTP != nil {
		b.at(key, "keep one of the two", "`error` can't stand beside `http`")
	}
	for _, name := range []string{"reply", "usage", "figures", "framing"} {
		if key := r.at.keyOf(name); key != nil && instead != "" {
			b.at(key, "remove it, or let a route without "+instead+" answer", "%s has no `%s`", why, name)
		}
	}
	answer.noEvents = noEvents(r, answer)
	made.Faults = b.faultsOf(r.Faults, r.at.child("faults"), answer)
}

// answers sees to it that something answers.
func (b *builder) answers(r *routeFile, made *Outcome, answer answered) {
	if r.at.hurt || made.Never || answer.endpoint != "" || answer.free {
		return
	}
	for _, name := range []string{"profile", "error", "http"} {
		if r.at.child(name) != nil {
			return
		}
	}
	b.at(r.at, "add `profile: NAME`, `error: {…}` or `http: {…}`", "the route has neither a profile nor an error")
}

// noEvents says why an outcome can't be a stream of events; "" when it can.
func noEvents(r *routeFile, answer answered) string {
	switch {
	case answer.noEvents != "":
		return answer.noEvents
	case r.Error != nil:
		return "an error is one body"
	case r.HTTP != nil:
		return "an `http` answer is one body"
	case r.Framing.text == "raw-text":
		return "`framing: raw-text` is a stream of text"
	}
	return ""
}

// answeredBy is what a route's keys tell of its answers.
func answeredBy(r *routeFile) answered {
	a := answered{protocol: r.Protocol.text, endpoint: r.Endpoint.other(), events: eventNames()}
	switch a.endpoint {
	case "":
	case "complete":
		a.events = append(a.events, "completion")
	default:
		a.noEvents = "the answer of `endpoint: " + a.endpoint + "` is one body"
	}
	return a
}

// profileNames are those of the file, or of the scenario that an outcome is compiled for.
func (b *builder) profileNames() []string {
	if b.doc == nil {
		return slices.Sorted(maps.Keys(b.made.Profiles))
	}
	return slices.Sorted(maps.Keys(b.doc.Profiles))
}
