// The journal, live: a list of requests, newest first, and one of them taken apart.

import { el, notice, perFrame, replace } from "./dom.js";
import { count } from "./format.js";
import { Feed, most } from "./requests-feed.js";
import { Filter, sameFilter } from "./requests-filter.js";
import { Rows } from "./requests-list.js";
import { One } from "./requests-one.js";

const sortEvery = 500; // ms: a list in order of a figure isn't sorted anew in every frame

export function mount(root, context) {
  const view = new Requests(root, context);
  context.onroute((to) => view.go(to));
  view.go(context);
  return () => view.stop();
}

class Requests {
  #context;
  #feed = null;
  #asked = null; // the filter
  #sort = "sequence";
  #sorted = { at: 0, list: [] };
  #paused = null; // the list as it stood
  #draw = perFrame(() => this.#show());
  #one = null;
  #timer = 0;

  constructor(root, context) {
    this.#context = context;
    this.filter = new Filter((filter) => this.#navigate(this.#one?.sequence, filter));
    this.rows = new Rows({ open: (request) => this.#navigate(request.sequence), sort: (name) => this.#sortBy(name) });
    this.state = el("p", { class: "faint requests-state", "data-testid": "requests-state" });
    this.pause = el("button", { type: "button", onclick: () => this.#togglePause(), "data-testid": "requests-pause" }, "Pause");
    this.message = el("div", { class: "requests-message" });
    this.detail = el("section", { class: "requests-one", "aria-label": "One request", hidden: true });
    this.list = el("section", { class: "requests-list", "aria-label": "Journal" },
      el("div", { class: "row requests-bar" }, el("h2", null, "Requests"), this.state, el("span", { class: "push" }, this.pause)),
      this.filter.node, this.message, this.rows.node);
    root.append(el("div", { class: "requests" }, this.list, this.detail));
    this.rows.sortedBy(this.#sort);
  }

  stop() {
    this.#feed?.stop();
    this.#one?.stop();
    this.#draw.cancel();
    this.filter.stop();
    this.rows.stop();
    clearTimeout(this.#timer);
  }

  go({ path, query }) {
    const filter = Object.fromEntries([...query].filter(([, value]) => value !== ""));
    if (!this.#asked || !sameFilter(filter, this.#asked)) {
      this.#asked = filter;
      this.filter.set(filter);
      this.#feed?.stop();
      if (this.#paused) this.#togglePause();
      this.#feed = new Feed(filter, this.#draw);
    }
    this.#open(Number.parseInt(path[0], 10) || 0);
  }

  #navigate(sequence, filter = this.#asked) {
    const query = new URLSearchParams(filter).toString();
    this.#context.navigate(`#/requests${sequence ? `/${sequence}` : ""}${query && `?${query}`}`);
  }

  #open(sequence) {
    if (this.#one?.sequence === sequence) return;
    const was = this.#one, held = was?.node.contains(document.activeElement) ? document.activeElement.dataset.testid : "";
    was?.stop();
    this.#one = null;
    this.rows.choose(sequence);
    this.detail.hidden = sequence === 0;
    this.detail.parentNode.classList.toggle("has-one", sequence !== 0);
    if (sequence) {
      this.#one = new One(sequence, { ...this.#context, close: () => this.#navigate(0), step: (by) => this.#step(by) });
      replace(this.detail, this.#one.node);
      if (!was || held) this.#one.focus(held);
    } else if (was) {
      replace(this.detail);
      this.rows.focus();
    }
    this.rows.draw();
  }

  // step opens the request above (−1) or below (1) of the one that is open.
  #step(by) {
    const { length, at } = this.#source();
    for (let i = 0; i < length; i++) {
      if (at(i).sequence !== this.#one.sequence) continue;
      const to = i + by;
      if (to >= 0 && to < length) this.#navigate(at(to).sequence);
      else this.#context.announce(by < 0 ? "This is the first of the list." : "This is the last of the list.");
      return;
    }
  }

  #sortBy(name) {
    this.#sort = name;
    this.#sorted.at = 0;
    this.rows.sortedBy(name);
    this.#draw();
  }

  #togglePause() {
    this.#paused = this.#paused ? null : [...this.#feed.list];
    this.pause.textContent = this.#paused ? "Go on" : "Pause";
    this.#sorted.at = 0;
    this.#draw();
  }

  // source is the list as it is shown: in order of arrival it is read backwards, else a copy is sorted.
  #source() {
    const list = this.#paused ?? this.#feed.list;
    const { length } = list;
    if (this.#sort === "sequence") return { length, at: (i) => list[length - 1 - i] };
    const now = performance.now();
    if (this.#sorted.at === 0 || now - this.#sorted.at > sortEvery) {
      this.#sorted = { at: now, list: [...list].sort((a, b) => b[this.#sort] - a[this.#sort] || b.sequence - a.sequence) };
    } else if (!this.#timer) {
      this.#timer = setTimeout(() => { this.#timer = 0; this.#draw(); }, sortEvery);
    }
    return { length: this.#sorted.list.length, at: (i) => this.#sorted.list[i] };
  }

  #show() {
    const feed = this.#feed;
    feed.settle();
    const source = this.#source();
    this.rows.show(source);
    this.rows.node.hidden = source.length === 0;
    this.state.textContent = this.#says(feed, source.length);
    this.#explain(feed, source.length);
    const mine = this.#one && feed.get(this.#one.sequence);
    if (mine && !this.#paused) this.#one.heard(mine);
  }

  #says(feed, shown) {
    if (feed.state === "loading") return shown > 0 ? `${count(shown)} shown, loading…` : "loading…";
    const open = feed.open > 0 ? `, ${count(feed.open)} under way` : "";
    const bound = shown >= most ? " (the newest; filter for others)" : "";
    if (!this.#paused) return `${count(shown)} shown${open}${bound}`;
    const since = feed.list.length - this.#paused.length;
    return `paused at ${count(shown)}${since > 0 ? `, ${count(since)} came since` : ""}`;
  }

  #explain(feed, shown) {
    const filtered = Object.keys(this.#asked).length > 0;
    const key = `${feed.state} ${feed.problem?.detail ?? ""} ${shown === 0} ${filtered}`;
    if (key === this.explained) return;
    this.explained = key;
    const blamed = this.filter.blame(feed.problem);
    replace(this.message, this.#message(feed, shown, filtered, blamed));
  }

  #message(feed, shown, filtered, blamed) {
    const clear = el("button", { type: "button", onclick: () => this.#navigate(0, {}) }, "Clear the filter");
    if (feed.state === "refused") return notice("error", "The journal can't be asked so", !blamed && feed.problem.detail, filtered && clear);
    if (feed.state === "lost") return notice("warning", "The live journal broke off", "What is shown stays as it was; it begins anew once the server answers.");
    if (feed.state === "loading" || shown > 0) return null;
    if (filtered) return notice("empty", "No request matches", "The journal keeps looking: the next one that does appears here.", clear);
    return notice("empty", "No request yet", "Point a client at this server, or ask something in the chat: each request appears here as it comes.",
      el("a", { class: "button", href: "#/chat" }, "Open the chat"));
  }
}

