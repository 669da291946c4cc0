package scenario

import "strings"

// checkRoutes looks through one file's own routes, before any merging, for names given twice and
// for routes that none can reach. A child's catch-all may hide its parent's routes.
func checkRoutes(r *report, root *node) {
	checkNames(r, root.child("guards"), "guard")
	routes := root.child("routes")
	if routes == nil {
		return
	}
	checkNames(r, routes, "route")
	takers := map[string]*taken{}
	for _, route := range routes.items {
		if route.kind != mapping || route.hurt || route.child("when") != nil && route.child("when").kind == nothing {
			continue // there is something else to say about it
		}
		when := ""
		if w := route.child("when"); w != nil {
			when = strings.Join(strings.Fields(w.text), " ")
		}
		if when == "" {
			when = "true"
		}
		endpoint, protocol := textOf(route, "endpoint"), textOf(route, "protocol")
		if endpoint == "messages" {
			endpoint = ""
		}
		// What another protocol's routes take, or another endpoint's, is nothing to this one.
		own, any := takenBy(takers, endpoint, protocol), takenBy(takers, endpoint, "")
		catchAll, earlier := own.all, own.when[when]
		if catchAll == nil {
			catchAll = any.all
		}
		if earlier == nil {
			earlier = any.when[when]
		}
		switch {
		case catchAll != nil:
			r.at(route, "move it up, or give the earlier route a `when`", "no request reaches this route: %s before it (line %d) takes all", named(catchAll), catchAll.line)
		case earlier != nil:
			r.at(route, "", "no request reaches this route: %s before it (line %d) has the same condition", named(earlier), earlier.line)
		}
		share := route.child("share")
		if route.child("times") != nil || share != nil && share.text != "100%" {
			continue
		}
		if earlier == nil {
			own.when[when] = route
		}
		if when == "true" && catchAll == nil {
			own.all = route
		}
	}
}

// taken is what routes before have taken: everything, or all for which a condition holds.
type taken struct {
	all  *node
	when map[string]*node
}

func takenBy(takers map[string]*taken, endpoint, protocol string) *taken {
	key := endpoint + " " + protocol
	if takers[key] == nil {
		takers[key] = &taken{when: map[string]*node{}}
	}
	return takers[key]
}

// textOf is the text under a key; "" when there is none.
func textOf(n *node, key string) string {
	if v := n.child(key); v != nil {
		return v.text
	}
	return ""
}

func named(route *node) string {
	if name := route.child("name"); name != nil {
		return quote(name.text)
	}
	return "the one"
}

func checkNames(r *report, entries *node, what string) {
	if entries == nil {
		return
	}
	seen := map[string]*node{}
	for _, entry := range entries.items {
		name := entry.child("name")
		if name == nil {
			continue
		}
		if first := seen[name.text]; first != nil {
			r.at(name, "give each "+what+" a name of its own", "a %s %s is there already, in line %d", what, quote(name.text), first.line)
			continue
		}
		seen[name.text] = name
	}
}
