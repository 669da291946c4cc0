// Ten thousand requests as a grid of which only the rows in sight exist. One row takes the focus; arrows move it.

import { el, perFrame } from "./dom.js";
import { bytes, nanos, timeOfDay } from "./format.js";

const shapes = { open: "○", complete: "●", refused: "▲", broken: "✕", "client-left": "◁", failed: "■" };
const beyond = 8; // rows above and below those in sight

// outcomeOf is how an outcome is shown: a shape and a word, never colour alone.
export function outcomeOf(request) {
  const word = request.outcome === "client-left" ? "client left" : request.outcome;
  return `${shapes[request.outcome] ?? "·"} ${request.status || ""} ${word}`.replace("  ", " ");
}

const place = (r) => [r.scenario, r.run !== "default" && r.run].filter(Boolean).join("/");

const columns = [
  { name: "sequence", title: "№", sorts: true, text: (r) => String(r.sequence) },
  { name: "arrived", title: "Arrived", text: (r) => timeOfDay(r.arrived) },
  { name: "outcome", title: "Outcome", text: outcomeOf },
  { name: "route", title: "Route", text: (r) => [place(r), r.route || `${r.method} ${r.path}`].filter(Boolean).join(" · ") },
  { name: "model", title: "Model", text: (r) => [r.model, ...(r.marks ?? [])].filter(Boolean).join(" · ") },
  { name: "ttft_ns", title: "TTFT", sorts: true, number: true, text: (r) => nanos(r.ttft_ns) },
  { name: "ended_ns", title: "Took", sorts: true, number: true, text: (r) => (r.ended_ns > 0 ? nanos(r.ended_ns) : "–") },
  { name: "bytes", title: "Sent", number: true, text: (r) => bytes(r.bytes) },
];

// Rows draws source: {length, at(i)}. open(request) is called when one is chosen; sorted(name) when a head is pressed.
export class Rows {
  #source = { length: 0, at: () => null };
  #shown = new Map(); // sequence -> row
  #current = 0; // the sequence that has the tab stop
  #chosen = 0;
  #height = 0;
  #top = 0; // the sequence at the top; 0 at the list's beginning, where what is new comes into sight
  #refocus = false;

  constructor({ open, sort }) {
    this.draw = perFrame(() => this.#draw());
    this.heads = columns.map((c) => el("span", { role: "columnheader", class: `log-cell log-${c.name}` },
      c.sorts ? el("button", { type: "button", class: "quiet", onclick: () => sort(c.name), "data-testid": `sort-${c.name}` }, c.title, el("span", { class: "log-sort", "aria-hidden": "true" })) : c.title));
    this.space = el("div", { class: "log-space", role: "rowgroup" });
    this.head = el("div", { class: "log-top", role: "rowgroup" }, el("div", { role: "row", class: "log-head", "aria-rowindex": 1 }, this.heads));
    this.node = el("div", { class: "log", role: "grid", "aria-label": "Requests", "aria-colcount": columns.length, onscroll: () => this.#scrolled(), "data-testid": "requests-list" }, this.head, this.space);
    this.space.addEventListener("keydown", (e) => this.#key(e, open));
    this.space.addEventListener("click", (e) => {
      const row = e.target.closest(".log-row");
      if (row && !e.ctrlKey && !e.metaKey && !e.shiftKey) {
        e.preventDefault();
        this.#move(row.request, false);
        open(row.request);
      }
    });
    this.#resized = new ResizeObserver(() => { this.#height = 0; this.draw(); });
    this.#resized.observe(this.node);
  }
  #resized;

  // room is the height in which rows are seen, below the heads.
  get #room() {
    return this.node.clientHeight - this.head.offsetHeight;
  }

  stop() {
    this.draw.cancel();
    this.#resized.disconnect();
  }

  // sortedBy marks the column that the source is sorted by.
  sortedBy(name) {
    columns.forEach((c, i) => {
      if (c.sorts) this.heads[i].setAttribute("aria-sort", c.name === name ? "descending" : "none");
    });
    this.node.scrollTop = this.#top = 0;
  }

  // choose marks the row that is looked at; 0 for none.
  choose(sequence) {
    this.#chosen = sequence;
    if (sequence) this.#current = sequence;
    for (const row of this.#shown.values()) this.#mark(row);
  }

  focus() {
    this.#refocus = true;
    this.#draw();
  }

  // show is called in a frame, and draws in it: what is at which place and how far the list is scrolled go together.
  show(source) {
    this.#source = source;
    this.draw.cancel();
    this.#draw();
  }

  // find is the index of a sequence near to where it was last.
  #find(sequence, near) {
    const { length } = this.#source;
    for (let d = 0; d < length; d++) {
      for (const i of [near + d, near - d]) if (i >= 0 && i < length && this.#source.at(i).sequence === sequence) return i;
    }
    return -1;
  }

  #scrolled() {
    this.#anchor();
    this.draw();
  }

  // anchor keeps which row is at the top, so that what comes above it moves nothing.
  #anchor() {
    const first = this.#source.at(Math.floor(this.node.scrollTop / (this.#height || 1)));
    this.#top = this.node.scrollTop > 0 && first ? first.sequence : 0;
  }

  #draw() {
    const { length } = this.#source;
    this.#height ||= Number.parseFloat(getComputedStyle(this.node).getPropertyValue("--row")) || 34;
    const high = this.#height;
    this.space.style.height = `${length * high}px`;
    this.node.setAttribute("aria-rowcount", length + 1);
    if (this.#top) {
      const was = Math.floor(this.node.scrollTop / high), is = this.#find(this.#top, was);
      if (is >= 0 && is !== was) this.node.scrollTop += (is - was) * high;
    }
    const first = Math.max(Math.floor(this.node.scrollTop / high) - beyond, 0);
    const last = Math.min(Math.ceil((this.node.scrollTop + this.#room) / high) + beyond, length);
    this.#fill(first, last, high);
  }

  #fill(first, last, high) {
    const wanted = new Map();
    for (let i = first; i < last; i++) wanted.set(this.#source.at(i).sequence, i);
    const focused = document.activeElement?.closest?.(".log-row");
    const spare = [];
    for (const [sequence, row] of this.#shown) {
      if (wanted.has(sequence)) continue;
      if (row === focused) { // it stays, out of sight, so that the keyboard goes on from there
        row.style.transform = `translateY(${row.place = -2 * high}px)`;
        continue;
      }
      this.#shown.delete(sequence);
      spare.push(row);
    }
    if (!wanted.has(this.#current) && focused?.request.sequence !== this.#current && wanted.size > 0) [this.#current] = wanted.keys();
    let next = this.space.firstChild;
    for (const [sequence, i] of wanted) {
      let row = this.#shown.get(sequence);
      if (!row) this.#shown.set(sequence, row = spare.pop() ?? makeRow());
      this.#write(row, this.#source.at(i), i, high);
      if (row === next) next = next.nextSibling;
      else this.space.insertBefore(row, next);
    }
    spare.forEach((row) => row.remove());
    if (this.#refocus) this.#shown.get(this.#current)?.focus({ preventScroll: true });
    else if (focused && document.activeElement === document.body && focused.isConnected) focused.focus({ preventScroll: true });
    this.#refocus = false;
  }

  #write(row, request, i, high) {
    if (row.place !== i * high) row.style.transform = `translateY(${row.place = i * high}px)`;
    if (row.index !== i) row.setAttribute("aria-rowindex", (row.index = i) + 2);
    if (row.request !== request || row.stamp !== request.stamp) {
      Object.assign(row, { request, stamp: request.stamp });
      row.dataset.sequence = request.sequence;
      row.dataset.outcome = request.outcome;
      row.cells.forEach((cell, c) => {
        const text = columns[c].text(request);
        if (cell.data !== text) cell.data = text;
      });
      row.link.setAttribute("href", `#/requests/${request.sequence}`);
    }
    this.#mark(row);
  }

  #mark(row) {
    const { sequence } = row.request;
    row.tabIndex = sequence === this.#current ? 0 : -1;
    row.setAttribute("aria-selected", String(sequence === this.#chosen));
  }

  #key(e, open) {
    const row = e.target.closest(".log-row");
    if (!row || e.ctrlKey || e.metaKey || e.altKey) return;
    const page = Math.max(Math.floor(this.#room / this.#height) - 1, 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (e.key === "Enter" || e.key === " ") open(row.request);
    else if (Object.hasOwn(steps, e.key)) this.step(steps[e.key], this.#find(row.request.sequence, row.index));
    else return;
    e.preventDefault();
  }

  // step moves the focus by so many rows.
  step(by, from) {
    const { length } = this.#source;
    const to = Math.min(Math.max(from + by, 0), length - 1);
    if (to >= 0) this.#move(this.#source.at(to), true, to);
  }

  #move(request, focus, index) {
    this.#current = request.sequence;
    if (focus) {
      const top = index * this.#height;
      if (top < this.node.scrollTop) this.node.scrollTop = top;
      else if (top + this.#height > this.node.scrollTop + this.#room) this.node.scrollTop = top + this.#height - this.#room;
      this.#anchor();
      this.#refocus = true;
    }
    this.#draw(); // at once: the next key may come before the next frame
  }
}

function makeRow() {
  const cells = columns.map(() => document.createTextNode(""));
  const link = el("a", { tabIndex: -1 }, cells[0]);
  const row = el("div", { class: "log-row", role: "row", tabIndex: -1, "data-testid": "request-row" },
    columns.map((c, i) => el("span", { role: "gridcell", class: `log-cell log-${c.name}${c.number ? " number" : ""}` }, i === 0 ? link : cells[i])));
  return Object.assign(row, { cells, link });
}
