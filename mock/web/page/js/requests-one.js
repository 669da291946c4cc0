// One request: its times, what was decided about it and by which draws, and what it said.

import { get } from "./api.js";
import { el, notice, replace } from "./dom.js";
import { bytes, count, ms, nanos, timeOfDay } from "./format.js";
import { copies } from "./requests-copy.js";
import { outcomeOf } from "./requests-list.js";
import { timesOf } from "./requests-times.js";
import { lateSays, Waterfall } from "./requests-waterfall.js";
import { table } from "./table.js";

const firstSteps = 200; // rows of a table, and as many again when asked
const firstBody = 20000; // characters
const mostBody = 500000;
const lookAgain = 1000; // ms, while it is under way

export class One {
  #stopping = new AbortController();
  #fall = new Waterfall();
  #timer = 0;
  #entry = null;

  constructor(sequence, { announce, navigate, close, step }) {
    this.sequence = sequence;
    this.title = el("h2", { tabIndex: -1, id: "one-title" }, `Request ${sequence}`);
    this.badges = el("p", { class: "one-badges" });
    this.content = el("div", { class: "one-content", "aria-busy": "true" }, el("p", { class: "faint" }, "Loading…"));
    const button = (label, name, onclick) => el("button", { type: "button", class: "quiet", onclick, "data-testid": `one-${name}` }, label);
    this.node = el("article", { class: "one", "aria-labelledby": "one-title", "data-testid": "request-detail", onkeydown: (e) => e.key === "Escape" && close() },
      el("div", { class: "row one-bar" }, this.title, this.badges,
        el("span", { class: "push row" }, button("↑ Above", "above", () => step(-1)), button("↓ Below", "below", () => step(1)), button("Close", "close", close))),
      this.content);
    Object.assign(this, { announce, navigate });
    this.#load();
  }

  stop() {
    this.#stopping.abort();
    this.#fall.stop();
    clearTimeout(this.#timer);
  }

  // focus goes to its title, or to the button that had it in the request before.
  focus(held) {
    ((held && this.node.querySelector(`[data-testid="${held}"]`)) || this.title).focus({ preventScroll: true });
  }

  // heard is told what the list knows: an end is worth another look at once.
  heard(summary) {
    if (this.#entry?.outcome === "open" && summary.outcome !== "open") this.#load();
  }

  async #load() {
    const { signal } = this.#stopping;
    clearTimeout(this.#timer);
    try {
      const entry = await get(`journal/${this.sequence}`, { signal });
      const first = this.#entry === null, ended = this.#entry?.outcome === "open" && entry.outcome !== "open";
      this.#entry = entry;
      if (first || ended) this.#write(entry);
      this.#renew(entry);
      if (ended) this.announce(`Request ${this.sequence} has ended: ${entry.outcome}.`);
      if (entry.outcome === "open") this.#timer = setTimeout(() => this.#load(), lookAgain);
    } catch (e) {
      if (signal.aborted) return;
      const gone = e.status === 404;
      replace(this.content, notice(gone ? "empty" : "error", gone ? `The journal has no request ${this.sequence}` : "It can't be shown", e.message,
        el("button", { type: "button", onclick: () => this.#load() }, "Try again")));
      this.#entry = null;
    }
  }

  // renew writes what changes while a request is under way.
  #renew(entry) {
    this.#fall.show(timesOf(entry));
    replace(this.badges, el("span", { class: `badge badge-${badgeOf(entry)}`, "data-testid": "one-outcome" }, outcomeOf(entry)),
      Object.entries(entry.marks).filter(([, is]) => is).map(([name]) => el("span", { class: "badge" }, name)));
    replace(this.figures, figuresOf(entry));
  }

  #write(entry) {
    this.content.removeAttribute("aria-busy");
    this.figures = el("dl", { class: "one-figures" });
    replace(this.content, this.#fall.node, this.figures,
      copies(this.sequence, { announce: this.announce, navigate: this.navigate, signal: this.#stopping.signal }),
      entry.warnings.length > 0 && notice("warning", "Odd about this request", entry.warnings.join("\n")),
      section("Facts", pairs("What conditions can speak of", entry.facts), true),
      section("Marks and figures", pairs("Set by the scenario", { ...entry.marks, ...entry.figures })),
      section("Draws", drawsOf(entry.draws)),
      section("Headers", headersOf(entry)),
      section("Body", bodyOf(entry), true),
      section("Steps as a table", stepsOf(entry)));
  }
}

const badgeOf = ({ outcome }) => ({ complete: "good", open: "brass" })[outcome] ?? "bad";

function section(title, content, open = false) {
  return content && el("details", { class: "one-section", open }, el("summary", null, el("h3", null, title)), content);
}

function figuresOf(entry) {
  const delta = entry.steps.find((s) => s.event === "content_block_delta"), last = entry.steps.at(-1);
  const both = (step) => step && `${step.planned_ns === null ? "never" : nanos(step.planned_ns)} → ${nanos(step.actual_ns)}`;
  const usage = entry.usage && `${count(entry.usage.input_tokens)} in, ${count(entry.usage.output_tokens)} out`;
  const link = el("a", { href: `#/scenarios/${encodeURIComponent(entry.scenario)}` }, entry.scenario);
  return [
    ["TTFT, planned → sent", both(delta)], ["End, planned → sent", both(last)],
    ["Late, P99 and most", `${nanos(entry.late_p99_ns)}, ${nanos(entry.late_max_ns)}`],
    ["Ended", [entry.ended_ns > 0 ? nanos(entry.ended_ns) : "not yet", entry.phase].filter(Boolean).join(", ")],
    ["Slot free again", entry.released_ns > 0 && nanos(entry.released_ns)],
    ["Scenario", entry.scenario && link], ["Run", entry.run], ["Route", entry.route], ["Request", `${entry.method} ${entry.path}`],
    ["Tokens", usage], ["First token made up of", Object.entries(entry.parts_ns).map(([name, ns]) => `${name} ${nanos(ns)}`).join(", ")], ["Sent", bytes(entry.bytes)], ["Arrived", timeOfDay(entry.arrived)], ["Attempt", entry.attempt > 1 && entry.attempt],
    ["Client", entry.client], ["Connection", `${entry.connection} (request ${entry.connection_requests} on it, ${entry.protocol})`],
    ["Ordinal, seed", `${entry.ordinal}, ${entry.seed}`], ["Request id", entry.request_id],
  ].filter(([, value]) => value).map(([name, value]) => el("div", null, el("dt", null, name), el("dd", null, value)));
}

function pairs(caption, object) {
  const rows = Object.entries(object).map(([name, value]) => [el("code", null, name), el("code", null, typeof value === "string" ? value : JSON.stringify(value))]);
  return rows.length > 0 && table(caption, ["Name", "Value"], rows);
}

function drawsOf(draws) {
  return draws.length > 0 && table("Uses of chance", ["Place", "#Draw", "#Came to"],
    draws.slice(0, firstSteps).map((d) => [el("code", null, d.place), count(d.n), `${(d.u / 1e7).toFixed(5)} %`]));
}

function headersOf(entry) {
  const lines = entry.header_lines ?? Object.entries(entry.header).flatMap(([name, values]) => values.map((v) => `${name}: ${v}`));
  return lines.length > 0 && el("pre", { class: "code", tabIndex: 0, "data-testid": "one-headers" }, lines.join("\n"));
}

function bodyOf(entry) {
  if (entry.body_base64) return el("p", { class: "faint" }, `${bytes(Math.floor(entry.body_base64.length * 0.75))} that are no text`);
  if (!entry.body) return null;
  const text = pretty(entry.body);
  const shown = el("pre", { class: "code one-body", tabIndex: 0, "data-testid": "one-body" }, text.slice(0, firstBody));
  if (text.length <= firstBody) return shown;
  const more = el("button", { type: "button", onclick: () => { shown.textContent = text.slice(0, mostBody); more.remove(); } },
    `Show ${text.length > mostBody ? `the first ${bytes(mostBody)} of ` : "all "}${bytes(text.length)}`);
  return el("div", null, shown, more);
}

function pretty(body) {
  if (body.length > mostBody) return body;
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function stepsOf(entry) {
  const { steps } = timesOf(entry);
  if (steps.length === 0) return null;
  const row = (s, i) => [i + 1, s.event || s.kind, s.tokens || "", bytes(s.bytes), Number.isFinite(s.planned) ? ms(s.planned) : "never", s.sent === null ? "–" : ms(s.sent), lateSays(s)];
  const whole = el("div");
  const show = (n) => replace(whole, table("Steps of the answer", ["#№", "Step", "#Tokens", "#Bytes", "#Planned", "#Sent", "#Lateness"], steps.slice(0, n).map(row)),
    n < steps.length && el("button", { type: "button", onclick: () => show(n + 5 * firstSteps) }, `Show more of ${count(steps.length)}`));
  show(firstSteps);
  return whole;
}
