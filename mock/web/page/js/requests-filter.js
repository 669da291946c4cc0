// The journal's own filter as a form. What it asks is in the page's address, so that it can be kept and sent on.

import { get } from "./api.js";
import { el, replace } from "./dom.js";

const patience = 350; // ms from the last key to the question

// By the journal's names: a label, and a hint or the words that are possible.
const first = {
  text: ["Last turn contains"], scenario: ["Scenario"], status: ["Status", "429, 4xx, 400-499"],
  outcome: ["Outcome", ["open", "complete", "refused", "broken", "client-left", "failed"]],
};
const others = {
  run: ["Run"], route: ["Route"], mark: ["Mark"], model: ["Model"], phase: ["Ended while", ["reading", "waiting", "headers", "streaming", "done"]],
  attempt: ["Attempt", "2"], method: ["Method", "POST"], path: ["Path", "/v1/messages"], client: ["Client", "key-…"], connection: ["Connection", "3"],
  system: ["System text contains"], tool: ["Offers the tool"], from: ["Arrived from", "2026-11-29T18:30:00Z"], to: ["Arrived before", "2026-11-29T18:31:00Z"],
};

export function sameFilter(a, b) {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

// Filter shows what is asked and calls ask({name: value}) when it is changed.
export class Filter {
  #inputs = new Map();
  #unknown = {}; // parameters of the address that have no field
  #timer = 0;
  #stopping = new AbortController();

  constructor(ask) {
    this.ask = ask;
    const fields = (of) => Object.entries(of).map(([name, [title, more]]) => this.#field(name, title, more));
    this.names = el("datalist", { id: "filter-scenarios" });
    this.wrong = el("p", { class: "field-wrong", id: "filter-wrong", hidden: true });
    this.more = el("details", null, el("summary", null, "More to filter by"), el("div", { class: "row" }, fields(others)));
    this.clear = el("button", { type: "button", class: "quiet", onclick: () => { this.set({}); this.#ask(0); } }, "Clear");
    this.node = el("form", { class: "filter", role: "search", "aria-label": "Filter the journal", onsubmit: (e) => { e.preventDefault(); this.#ask(0); }, oninput: () => this.#ask(patience) },
      el("div", { class: "row" }, fields(first), this.clear), this.names, this.wrong, this.more);
    this.#listScenarios();
  }

  stop() {
    this.#stopping.abort();
    clearTimeout(this.#timer);
  }

  #field(name, title, more) {
    const id = `filter-${name}`;
    const input = Array.isArray(more)
      ? el("select", { id }, el("option", { value: "" }, "any"), more.map((word) => el("option", { value: word }, word)))
      : el("input", { id, type: "search", placeholder: more, autocomplete: "off", spellcheck: false, list: name === "scenario" ? "filter-scenarios" : null });
    this.#inputs.set(name, input);
    return el("div", { class: `field ${id}` }, el("label", { for: id }, title), input);
  }

  async #listScenarios() {
    try {
      const { scenarios } = await get("scenarios", { signal: this.#stopping.signal });
      replace(this.names, scenarios.map((s) => el("option", { value: s.scenario })));
    } catch { /* a name can be typed all the same */ }
  }

  // set shows what is asked for.
  set(filter) {
    clearTimeout(this.#timer);
    this.#unknown = { ...filter };
    for (const [name, input] of this.#inputs) {
      if (input.value.trim() !== (filter[name] ?? "")) input.value = filter[name] ?? "";
      delete this.#unknown[name];
    }
    if (Object.keys(others).some((name) => filter[name])) this.more.open = true;
    this.clear.hidden = Object.keys(filter).length === 0;
  }

  // blame says at its field what the journal says of it, null for nothing, and whether there is such a field.
  blame(problem) {
    const name = /^parameter "?(\w+)/.exec(problem?.detail ?? "")?.[1];
    for (const [of, input] of this.#inputs) {
      input.setAttribute("aria-invalid", String(of === name));
      if (of === name) input.setAttribute("aria-describedby", "filter-wrong");
      else input.removeAttribute("aria-describedby");
    }
    const found = this.#inputs.has(name);
    this.wrong.hidden = !found;
    this.wrong.textContent = found ? problem.detail : "";
    return found;
  }

  #ask(after) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const said = [...this.#inputs].map(([name, input]) => [name, input.value.trim()]).filter(([, value]) => value);
      this.ask({ ...this.#unknown, ...Object.fromEntries(said) });
    }, after);
  }
}
