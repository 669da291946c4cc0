// The scenarios: a list to search, and one of them with all that it holds.

import { get } from "./api.js";
import { el, notice, replace } from "./dom.js";
import { count } from "./format.js";
import { Scenario } from "./scenarios-one.js";

const groups = [
  { title: "Drafts", has: (s) => s.draft },
  { title: "Scenarios", has: (s) => !s.draft && !s.file.startsWith("faults/") },
  { title: "Faults", has: (s) => !s.draft && s.file.startsWith("faults/") },
];

export function mount(root, context) {
  const stopping = new AbortController();
  let known = { scenarios: [], playing: "" }, one = null;

  const search = el("input", { type: "search", id: "scenario-search", placeholder: "zio, overloaded, latency…", autocomplete: "off", spellcheck: false, oninput: () => list(), "data-testid": "scenario-search" });
  const found = el("p", { class: "faint", role: "status" });
  const links = el("div", { class: "scenario-links" });
  const shown = el("div", { class: "scenario-shown" });
  const frame = el("div", { class: "scenarios" },
    el("nav", { class: "scenario-list", "aria-label": "Scenarios", "data-testid": "scenario-list" },
      el("div", { class: "field" }, el("label", { for: "scenario-search" }, "Search scenarios and faults"), search), found, links),
    shown);
  root.append(frame);

  function list() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = known.scenarios.filter((s) => words.every((w) => `${s.scenario} ${s.title}`.toLowerCase().includes(w)));
    found.textContent = words.length > 0 ? `${count(fits.length)} of ${count(known.scenarios.length)}` : "";
    replace(links, groups.map(({ title, has }) => {
      const mine = fits.filter(has);
      return mine.length > 0 && el("section", null, el("h2", null, title, el("span", { class: "faint" }, ` ${mine.length}`)), el("ul", null, mine.map(link)));
    }), fits.length === 0 && words.length > 0 && notice("empty", "No scenario is called so", "Names and titles are searched."));
  }

  function link({ scenario, title }) {
    return el("li", null, el("a", { href: `#/scenarios/${encodeURIComponent(scenario)}`, "aria-current": scenario === one?.name ? "true" : null },
      el("span", { class: "scenario-name" }, scenario), scenario === known.playing && el("span", { class: "badge badge-brass" }, "default"),
      title && el("span", { class: "scenario-title" }, title)));
  }

  function open(name) {
    if (one?.name === name && name) return;
    one?.stop();
    one = name ? new Scenario(name, { ...context, tried: load }) : null;
    frame.classList.toggle("has-one", one !== null);
    replace(shown, one?.node ?? notice("info", "Choose a scenario", "Its routes, the times that it gives as pictures, what it claims and whether that holds, and its file to try changes on."));
    list();
    one?.focus();
  }

  async function load() {
    try {
      known = await get("scenarios", { signal: stopping.signal });
      list();
    } catch (e) {
      if (stopping.signal.aborted) return;
      replace(links, notice("error", "The scenarios can't be listed", e.message, el("button", { type: "button", onclick: load }, "Try again")));
    }
  }

  context.onroute(({ path }) => open(path[0] ?? ""));
  open(context.path[0] ?? "");
  load();
  return () => {
    stopping.abort();
    one?.stop();
  };
}
