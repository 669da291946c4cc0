package wire

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Models returns the table of known models, retired ones included, newest first. The slice is
// the caller's own.
func Models() []Model {
	table := models()
	return table[:]
}

func find(table []Model, name string) *Model {
	for i := range table {
		if m := &table[i]; m.ID == name || m.Alias == name && name != "" {
			return m
		}
	}
	return nil
}

// Answering is what an answer says of the model that was asked for.
type Answering struct {
	// ID is the dated id for an alias, any other as it was sent.
	ID string
	// Generation is the shape of the model's answers. An id that isn't listed has the older one when
	// it holds a date or names a line before 4, else the newer one.
	Generation Generation
	// Date is the model's date as yyyymmdd (R8): the last group of exactly eight digits in the id as
	// sent, else the day on which a listed model was made, else 0.
	Date int
}

// AnsweringOf returns what answers say of a model.
func AnsweringOf(model string) Answering {
	table := models()
	return answering(table[:], model)
}

func answering(table []Model, model string) Answering {
	a := Answering{ID: model, Date: lastDate(model)}
	if m := find(table, model); m != nil {
		a.ID, a.Generation = m.ID, m.Generation
		if a.Date == 0 {
			a.Date = m.Created
		}
		return a
	}
	if a.Date != 0 || strings.HasPrefix(model, "claude-3") || strings.HasPrefix(model, "claude-2") || strings.HasPrefix(model, "claude-instant") {
		a.Generation = Older
	}
	return a
}

func lastDate(model string) int {
	for end := len(model); end > 0; {
		if c := model[end-1]; c < '0' || c > '9' {
			end--
			continue
		}
		start := end
		for start > 0 && '0' <= model[start-1] && model[start-1] <= '9' {
			start--
		}
		if end-start == 8 {
			date, _ := strconv.Atoi(model[start:end])
			return date
		}
		end = start
	}
	return 0
}

// AppendModel appends one model of a table as the API describes it, by its id or alias. An unknown
// one is a 404.
func AppendModel(dst []byte, table []Model, name string) ([]byte, *Error) {
	m := find(table, name)
	if m == nil {
		return dst, UnknownModel(name)
	}
	return m.append(dst), nil
}

// ModelLike makes a row for a table: that of the model of that name in [Models], else of the
// newest, under another id.
func ModelLike(name, id string) Model {
	table := models()
	m := table[0]
	if known := find(table[:], name); known != nil {
		m = *known
	}
	if m.ID != id {
		m.ID, m.Name, m.Alias = id, id, ""
	}
	return m
}

// AppendUnlistedModel appends a model of any name: it is like the newest that is listed.
func AppendUnlistedModel(dst []byte, name string) []byte {
	m := models()[0]
	m.ID, m.Alias, m.Name = name, "", name
	return m.append(dst)
}

// AppendModels appends a page of the list of a table's models, in its order: newest first. The query holds limit (1 to
// 1000, default 20), after_id or before_id, and lifecycle[] (by default all but retired).
func AppendModels(dst []byte, table []Model, query url.Values) ([]byte, *Error) {
	limit, problem := LimitOf(query)
	if problem != nil {
		return dst, problem
	}
	states, problem := lifecyclesOf(query)
	if problem != nil {
		return dst, problem
	}
	all := slices.DeleteFunc(slices.Clone(table), func(m Model) bool { return !slices.Contains(states, m.Lifecycle) })
	page, more, problem := pageOf(all, query, limit)
	if problem != nil {
		return dst, problem
	}
	dst = append(dst, `{"data":[`...)
	for i := range page {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = page[i].append(dst)
	}
	first, last := "", ""
	if len(page) > 0 {
		first, last = page[0].ID, page[len(page)-1].ID
	}
	dst = strconv.AppendBool(append(dst, `],"has_more":`...), more)
	dst = appendStringOrNull(append(dst, `,"first_id":`...), first)
	dst = appendStringOrNull(append(dst, `,"last_id":`...), last)
	return append(dst, '}'), nil
}

// LimitOf is a page's limit, 1 to 1000, 20 when the query has none.
func LimitOf(query url.Values) (int, *Error) {
	if !query.Has("limit") {
		return 20, nil
	}
	n, err := strconv.Atoi(query.Get("limit"))
	switch {
	case err != nil:
		return 0, Invalid("limit: Input should be a valid integer")
	case n < 1:
		return 0, Invalid("limit: Input should be greater than or equal to 1")
	case n > 1000:
		return 0, Invalid("limit: Input should be less than or equal to 1000")
	}
	return n, nil
}

func lifecyclesOf(query url.Values) ([]string, *Error) {
	asked := slices.Concat(query["lifecycle[]"], query["lifecycle"])
	for i, state := range asked {
		if state != Active && state != Deprecated && state != Retired {
			return nil, Invalid(fmt.Sprintf("lifecycle.%d: Input should be 'active', 'deprecated' or 'retired'", i))
		}
	}
	if len(asked) == 0 {
		return []string{Active, Deprecated}, nil
	}
	return asked, nil
}

// pageOf cuts the page that the query asks for; more says that there is something beyond it, in
// the direction of travel.
func pageOf(all []Model, query url.Values, limit int) (page []Model, more bool, problem *Error) {
	for _, key := range [...]string{"after_id", "before_id"} {
		id := query.Get(key)
		if id == "" {
			continue
		}
		at := slices.IndexFunc(all, func(m Model) bool { return m.ID == id || m.Alias == id })
		switch {
		case at < 0:
			return nil, false, Invalid(key + ": Input should be the id of a model in this list")
		case key == "after_id":
			all = all[at+1:]
		default:
			from := max(0, at-limit)
			return all[from:at], from > 0, nil
		}
		break
	}
	n := min(limit, len(all))
	return all[:n], n < len(all), nil
}

func (m *Model) append(dst []byte) []byte {
	dst = appendString(append(dst, `{"type":"model","id":`...), m.ID)
	dst = appendString(append(dst, `,"display_name":`...), m.Name)
	dst = appendDay(append(dst, `,"created_at":`...), m.Created)
	dst = appendString(append(dst, `,"lifecycle":`...), m.Lifecycle)
	dst = appendStringOrNull(append(dst, `,"line":`...), m.Line)
	dst = strconv.AppendInt(append(dst, `,"max_input_tokens":`...), int64(m.Window), 10)
	dst = strconv.AppendInt(append(dst, `,"max_tokens":`...), int64(m.MaxOutput), 10)
	dst = m.appendCapabilities(append(dst, `,"capabilities":`...))
	dst = append(dst, `,"deprecated_at":null,"retires_at":`...)
	return append(appendDay(dst, m.Retires), '}')
}

func appendDay(dst []byte, yyyymmdd int) []byte {
	if yyyymmdd == 0 {
		return append(dst, "null"...)
	}
	return fmt.Appendf(dst, `"%04d-%02d-%02dT00:00:00Z"`, yyyymmdd/10000, yyyymmdd/100%100, yyyymmdd%100)
}

// appendCapabilities derives what a model can do from what it refuses.
func (m *Model) appendCapabilities(dst []byte) []byte {
	can := func(yes bool) string {
		if yes {
			return `{"supported":true}`
		}
		return `{"supported":false}`
	}
	modern := m.Generation == Newer
	adaptive := m.refuses&noAdaptive == 0
	return fmt.Appendf(dst, `{"batch":%[1]s,"citations":%[1]s,"code_execution":%[1]s,`+
		`"context_management":{"clear_thinking_20251015":%[1]s,"clear_tool_uses_20250919":%[1]s,"compact_20260112":%[2]s,"supported":true},`+
		`"effort":{"high":%[2]s,"low":%[2]s,"max":%[2]s,"medium":%[2]s,"supported":%[3]t,"xhigh":%[2]s},`+
		`"image_input":%[1]s,"pdf_input":%[1]s,`+
		`"server_tools":{"code_execution":%[1]s,"supported":true,"web_search":%[1]s},"structured_outputs":%[2]s,`+
		`"thinking":{"supported":true,"types":{"adaptive":%[4]s,"between_tools":%[5]s,"disabled":%[6]s,"enabled":%[7]s}}}`,
		can(true), can(modern), modern, can(adaptive), can(m.refuses&noBetween == 0),
		can(m.refuses&alwaysThinks == 0), can(m.refuses&noBudget == 0))
}
