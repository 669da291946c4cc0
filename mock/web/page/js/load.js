// What the server carries, over the last minutes: in all and by route.

import { get } from "./api.js";
import { el, notice, perFrame, replace } from "./dom.js";
import { count, ms, timeOfDay } from "./format.js";
import { Chart } from "./load-chart.js";
import { joined } from "./load-series.js";
import { table } from "./table.js";

const every = 1000; // ms
const mostRoutes = 8; // the busiest

const some = (n) => (n === null || n === undefined ? "–" : n < 10 ? String(Number(n.toFixed(1))) : count(n));
const kinds = [
  { title: "Concurrency", write: some, lines: [["concurrency", ""]] },
  { title: "Rate", write: (n) => `${some(n)}/s`, lines: [["rate", ""]] },
  { title: "TTFT", write: ms, lines: [["ttft_p50_ms", "P50"], ["ttft_p99_ms", "P99"]] },
  { title: "Duration", write: ms, lines: [["duration_p50_ms", "P50"], ["duration_p99_ms", "P99"]] },
  { title: "Slots", write: some, lines: [["busy", "busy"], ["waiting", "waiting"]] },
];

export function mount(root) {
  const view = new Load(root);
  return () => view.stop();
}

class Load {
  #stopping = new AbortController();
  #timer = 0;
  #groups = new Map(); // name -> {node, charts}
  #told = null;
  #back = 0; // how many slots before the last are looked at
  #draw = perFrame(() => this.#redraw());
  #mark = perFrame(() => this.#lookAt(this.#back));
  #resized = new ResizeObserver(() => this.#draw());
  #seen = () => document.hidden || this.#poll();

  constructor(root) {
    this.span = el("select", { id: "load-span", onchange: () => { this.#told = null; this.#poll(); } },
      [["150", "5 minutes"], ["60", "2 minutes"], ["30", "1 minute"]].map(([value, text]) => el("option", { value }, text)));
    this.moment = el("input", { type: "range", id: "load-moment", min: "0", max: "0", value: "0", "data-testid": "load-moment",
      oninput: () => this.#lookAt(this.moment.max - this.moment.value) });
    this.when = el("output", { for: "load-moment", class: "figure", "data-testid": "load-when" });
    this.message = el("div");
    this.queues = el("p", { class: "faint" });
    this.charts = el("div", { class: "load-groups", "data-testid": "load-charts" });
    this.of = el("select", { id: "load-of", onchange: () => this.#tabulate() });
    this.table = el("div");
    this.details = el("details", { ontoggle: () => this.#tabulate(), "data-testid": "load-table" }, el("summary", null, "As a table"),
      el("div", { class: "field" }, el("label", { for: "load-of" }, "Of"), this.of), this.table);
    root.append(el("div", { class: "row load-bar" }, el("h2", null, "Load"),
      el("div", { class: "field push" }, el("label", { for: "load-span" }, "The last"), this.span),
      el("div", { class: "field load-moment" }, el("span", null, el("label", { for: "load-moment" }, "Figures of "), this.when), this.moment)),
    this.message, this.queues, this.charts, this.details);
    this.charts.addEventListener("pointermove", (e) => this.#point(e));
    this.charts.addEventListener("pointerleave", () => this.#lookAt(0));
    this.#resized.observe(this.charts);
    document.addEventListener("visibilitychange", this.#seen);
    this.#poll();
  }

  stop() {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    this.#draw.cancel();
    this.#mark.cancel();
    this.#resized.disconnect();
    document.removeEventListener("visibilitychange", this.#seen);
  }

  // poll asks for all the time that is shown once, and then for what came since.
  async #poll() {
    clearTimeout(this.#timer);
    const { signal } = this.#stopping, want = Number(this.span.value), known = this.#told;
    try {
      const since = known ? Math.ceil((Date.now() - known.asked) / known.step_ms) + 2 : want, asked = Date.now();
      const fresh = await get(`load?last=${Math.min(since, want)}`, { signal });
      if (known !== this.#told) return; // another span was asked for meanwhile
      this.#told = { ...joined(known, fresh, want), asked };
      this.#draw();
    } catch (e) {
      if (signal.aborted) return;
      if (e.name === "Problem") replace(this.message, notice("error", "The load can't be shown", e.message));
      else this.#told = null; // the next one may be another server
    }
    clearTimeout(this.#timer);
    if (!document.hidden && !signal.aborted) this.#timer = setTimeout(() => this.#poll(), every);
  }

  #point(e) {
    const picture = e.target.closest(".chart-picture");
    if (!picture || !this.#told) return;
    const { left, width } = picture.getBoundingClientRect();
    const last = this.#told.slots - 1;
    this.#back = last - Math.min(Math.max(Math.round(((e.clientX - left) / width) * last), 0), last);
    this.#mark();
  }

  #redraw() {
    const told = this.#told;
    if (!told) return;
    const { total, step_ms, slots } = told, routes = told.routes.slice(0, mostRoutes);
    const shared = kinds.map(({ lines }) => greatest(routes.flatMap((r) => lines.map(([name]) => r[name]))));
    const groups = [total, ...routes].map((of) => ({ of, shown: kinds.filter((k) => of[k.lines[0][0]].length > 0) }));
    this.#arrange(groups);
    const wide = this.#groups.get(total.name).charts[0].picture.getBoundingClientRect().width; // as of all of them: read once, and before anything is written
    for (const { of, shown } of groups) {
      this.#groups.get(of.name).charts.forEach((chart, i) => chart.draw(of, ((slots - 1) * step_ms) / 1000, wide, of !== total && shared[kinds.indexOf(shown[i])]));
    }
    this.moment.max = slots - 1;
    this.#lookAt(this.#back);
    this.queues.textContent = told.queues.filter((q) => q.busy + q.waiting > 0)
      .map((q) => `${q.scenario} · ${q.profile}: ${count(q.busy)} of ${count(q.slots)} slots busy${q.runs > 1 ? ` in ${count(q.runs)} runs together` : ""}${q.waiting > 0 ? `, ${count(q.waiting)} waiting` : ""}`).join("; ");
    replace(this.message, greatest([total.started, total.concurrency]) === 0 && nothing(),
      told.routes.length > mostRoutes && el("p", { class: "faint" }, `The ${mostRoutes} busiest of ${count(told.routes.length)} routes are drawn; the table has all.`));
    this.#tabulate();
  }

  // lookAt marks the moment so many slots before the last in all charts.
  #lookAt(back) {
    this.#back = back;
    if (!this.#told || this.#groups.size === 0) return;
    const { first, slots, step_ms, total } = this.#told, at = Math.max(slots - 1 - back, 0);
    for (const { charts } of this.#groups.values()) charts.forEach((chart) => chart.point(at));
    const seconds = ((slots - 1 - at) * step_ms) / 1000;
    this.when.textContent = `${timeOfDay((first + at) * step_ms).slice(0, 8)}${seconds === 0 ? ", the last" : `, ${seconds} s before`}`;
    this.moment.value = at;
    this.moment.setAttribute("aria-valuetext", `${this.when.textContent}: ${this.#groups.get(total.name).charts.map((c) => c.says).join("; ")}`);
  }

  // arrange makes the charts that are missing, takes away those that aren't shown, and puts them in order.
  #arrange(groups) {
    groups.forEach(({ of: { name }, shown }, i) => {
      let group = this.#groups.get(name);
      if (group?.charts.length !== shown.length) {
        group?.node.remove();
        const charts = shown.map((kind) => new Chart(kind, name));
        group = { charts, node: el("section", { class: "load-group", "aria-label": name }, el("h3", null, name), el("div", { class: "charts" }, charts.map((c) => c.node))) };
        this.#groups.set(name, group);
      }
      if (this.charts.children[i] !== group.node) this.charts.insertBefore(group.node, this.charts.children[i] ?? null);
    });
    for (const [name, { node }] of this.#groups) if (!groups.some(({ of }) => of.name === name)) {
      node.remove();
      this.#groups.delete(name);
    }
  }

  #tabulate() {
    if (!this.details.open || !this.#told) return;
    const { total, routes, first, step_ms, slots } = this.#told, all = [total, ...routes], chosen = this.of.value;
    if ([...this.of.options].some((o, i) => o.value !== all[i]?.name) || this.of.options.length !== all.length) replace(this.of, all.map((r) => el("option", { value: r.name, selected: r.name === chosen }, r.name)));
    const of = all.find((r) => r.name === this.of.value) ?? total;
    const lines = kinds.flatMap((k) => k.lines.map(([name, label]) => ({ list: of[name], head: `#${k.title} ${label}`, write: k.write }))).filter((l) => l.list.length > 0);
    const rows = Array.from({ length: slots }, (_, i) => slots - 1 - i).filter((i) => of.started[i] > 0 || of.ended[i] > 0 || of.concurrency[i] > 0);
    replace(this.table, table(`Load of ${of.name}, the latest first`, ["From", ...lines.map((l) => l.head)],
      rows.map((i) => [timeOfDay((first + i) * step_ms).slice(0, 8), ...lines.map((l) => l.write(l.list[i]))])));
  }
}

const nothing = () => notice("empty", "No request in this time", "Point a client at this server, or ask something in the chat.",
  el("a", { class: "button", href: "#/chat" }, "Open the chat"));
const greatest = (lists) => lists.flat().reduce((a, b) => Math.max(a, b ?? 0), 0);
