// One scenario: what it is, how it answers, the times that it gives as pictures, its claims, its file.

import { get, root } from "./api.js";
import { el, notice, replace } from "./dom.js";
import { count, ms } from "./format.js";
import { Claims } from "./scenarios-claims.js";
import { Editor } from "./scenarios-editor.js";
import { table } from "./table.js";

const kinds = { quantiles: "Quantile curve", gaps: "Histogram of gaps", load: "Load curve", timelines: "Some requests, step by step" };

export class Scenario {
  #stopping = new AbortController();
  #parts = [];
  #figures = new Map(); // figure -> what it shows
  #sight = new IntersectionObserver((seen) => seen.forEach((s) => s.isIntersecting && this.#plot(s.target)), { rootMargin: "200px" });

  constructor(name, context) {
    this.name = name;
    this.context = context;
    this.title = el("h2", { tabIndex: -1 }, name);
    this.content = el("div", { class: "scenario-content" }, el("p", { class: "faint" }, "Loading…"));
    this.node = el("article", { class: "scenario", "data-testid": "scenario-detail" },
      el("p", { class: "scenario-back" }, el("a", { href: "#/scenarios" }, "← All scenarios")), this.title, this.content);
    this.#load();
  }

  stop() {
    this.#stopping.abort();
    this.#sight.disconnect();
    this.#parts.forEach((part) => part.stop());
  }

  focus() {
    scrollTo(0, 0);
    this.title.focus({ preventScroll: true });
  }

  async #load() {
    const { signal } = this.#stopping, path = `scenarios/${encodeURIComponent(this.name)}`;
    try {
      const [told, file] = await Promise.all([get(`${path}/overview`, { signal }), get(path, { signal })]);
      if (!signal.aborted) this.#write(told, file);
    } catch (e) {
      if (signal.aborted) return;
      replace(this.content, notice("error", e.status === 404 ? "There is no such scenario" : "It can't be shown", e.message,
        el("button", { type: "button", onclick: () => this.#load() }, "Try again")));
    }
  }

  #write(told, file) {
    const claims = new Claims(told, this.context), editor = new Editor(told, file, this.context);
    this.#parts = [claims, editor];
    replace(this.content,
      told.title && el("p", { class: "scenario-says" }, told.title),
      told.about && el("div", { class: "scenario-about" }, told.about.split(/\n\s*\n/).map((paragraph) => el("p", null, paragraph.replace(/\s+/g, " ")))),
      el("p", { class: "row" },
        el("a", { class: "button", href: `#/chat?a=${encodeURIComponent(told.scenario)}`, "data-testid": "open-in-chat" }, "Open in the chat"),
        el("a", { class: "button", href: `#/requests?scenario=${encodeURIComponent(told.scenario)}` }, "Its requests"),
        el("span", { class: "faint" }, "Base URL ", el("code", null, new URL(told.base.slice(1), root).href)),
        told.seed !== undefined && el("span", { class: "faint" }, "Seed ", el("code", null, told.seed)),
        el("span", { class: "row push", role: "group", "aria-label": "Go to" }, ["Times", "Claims", "File"].map((part) =>
          el("button", { type: "button", class: "quiet", onclick: () => this.content.querySelector(`section[aria-label="${part}"]`).scrollIntoView() }, `↓ ${part}`)))),
      routes(told.routes), parameters(told.parameters),
      el("section", { "aria-label": "Times" }, el("h3", null, "Times"), this.#plots(told.plots),
        told.profiles.map((profile) => this.#profile(profile))),
      claims.node, editor.node);
  }

  #profile({ name, times, queue, random, plots }) {
    const told = [times.join(", "), queue && `${count(queue.slots)} slots`, queue?.wait_ms > 0 && `waits up to ${ms(queue.wait_ms)}`, random && "drawn independently"];
    return el("details", { class: "profile" },
      el("summary", null, "Profile ", el("strong", null, name), ` · ${told.filter(Boolean).join(" · ")}`),
      this.#plots(plots, name));
  }

  #plots(all, profile) {
    return el("div", { class: "plots" }, all.map((kind) => {
      const title = `${kinds[kind] ?? kind}${profile ? ` of ${profile}` : ""}`;
      const figure = el("figure", { class: "plot", "aria-busy": "true" }, el("figcaption", { class: "faint" }, `${title}: drawing…`));
      this.#figures.set(figure, { title, path: `plots/${encodeURIComponent(this.name)}?${new URLSearchParams({ kind, ...(profile && { profile }) })}` });
      this.#sight.observe(figure);
      return figure;
    }));
  }

  // plot is a picture by the server, asked for when it comes into sight. It is only ever an image; what it says of
  // itself is its text for who can't see it.
  async #plot(figure) {
    const { title, path } = this.#figures.get(figure);
    this.#sight.unobserve(figure);
    try {
      const drawn = await get(path, { signal: this.#stopping.signal });
      const says = ["title", "desc"].map((tag) => plain(new RegExp(`<${tag}[^>]*>([^<]*)<`).exec(drawn)?.[1] ?? "")).join(". ");
      replace(figure, el("img", { src: `data:image/svg+xml,${encodeURIComponent(drawn)}`, alt: says }), el("figcaption", { class: "faint" }, title));
    } catch (e) {
      if (!this.#stopping.signal.aborted) replace(figure, notice("warning", `${title} can't be drawn`, e.message));
    }
    figure.removeAttribute("aria-busy");
  }
}

const entities = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#34;": '"', "&#39;": "'", "&amp;": "&" };
const plain = (text) => text.replace(/&(?:lt|gt|quot|amp|#34|#39);/g, (entity) => entities[entity]);

function listed(title, heads, rows) {
  return rows.length > 0 && el("section", { "aria-label": title }, el("h3", null, title), table(`${title}, as a table`, heads, rows));
}

function routes(all = []) {
  return listed("Routes, the first that fits answers", ["Route", "When", "Answers", "Marks"], all.map((r) => [
    el("strong", null, r.name),
    [r.when ? el("code", null, r.when) : !r.share && !r.times && "always",
      [r.endpoint !== "messages" && r.endpoint, r.protocol, r.share && `${Number((100 * r.share).toPrecision(3))} %`, r.times].filter(Boolean).map((word) => el("span", { class: "badge" }, word))],
    [r.profile && el("code", null, r.profile), r.error > 0 && el("span", { class: "badge badge-bad" }, `error ${r.error}`), r.never && el("span", { class: "badge badge-bad" }, "no answer"),
      (r.faults ?? []).map((f) => el("span", { class: "badge badge-brass" }, f))],
    (r.marks ?? []).join(", "),
  ]));
}

function parameters(all = []) {
  return listed("Parameters beside the API's own", ["Parameter", "May be", "Default"], all.map((p) => [
    el("code", null, p.name), p.enum ? p.enum.join(", ") : p.type, el("code", null, JSON.stringify(p.default) ?? ""),
  ]));
}
