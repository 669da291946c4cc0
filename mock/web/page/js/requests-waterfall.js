// One request on an axis of time: for each phase what was planned above what came to be, every event in both lanes,
// and by how much each was late.

import { el, perFrame, replace, svg } from "./dom.js";
import { count, ms } from "./format.js";
import { lateness, scale, ticks } from "./requests-times.js";

const left = 92, right = 14, top = 22, phaseHigh = 30, eventsHigh = 46, lateHigh = 34;

// Waterfall draws what timesOf gives, as wide as there is room. A slider goes through the steps.
export class Waterfall {
  #times = null;
  #kind = "linear";
  #step = 0;
  #draw = perFrame(() => this.#redraw());
  #resized = new ResizeObserver(this.#draw);

  constructor() {
    this.picture = el("div", { class: "fall-picture" });
    this.slider = el("input", { type: "range", min: "0", value: "0", id: "fall-step", "data-testid": "waterfall-step",
      oninput: () => { this.#step = Number(this.slider.value); this.#point(); } });
    this.readout = el("output", { class: "fall-readout figure", for: "fall-step" });
    this.kinds = ["linear", "log"].map((kind) => el("button", { type: "button", "data-testid": `scale-${kind}`, onclick: () => this.#scaleBy(kind) }, kind === "log" ? "Logarithmic" : "Linear"));
    this.node = el("figure", { class: "fall", "data-testid": "waterfall" },
      el("figcaption", { class: "row" },
        el("span", { class: "fall-legend" },
          el("span", { class: "key-planned" }, "planned"), el("span", { class: "key-sent" }, "sent"), el("span", { class: "key-late" }, "late by")),
        el("span", { class: "row push", role: "group", "aria-label": "Scale of time" }, this.kinds)),
      this.picture,
      el("div", { class: "fall-slide" }, el("label", { for: "fall-step" }, "Step"), this.slider), this.readout);
    this.picture.addEventListener("pointermove", (e) => this.#pointAt(e.clientX));
    this.picture.addEventListener("pointerdown", (e) => this.#pointAt(e.clientX));
    this.#resized.observe(this.picture);
    this.#scaleBy(this.#kind);
  }

  stop() {
    this.#draw.cancel();
    this.#resized.disconnect();
  }

  show(times) {
    this.#times = times;
    this.slider.max = String(Math.max(times.steps.length - 1, 0));
    this.#step = Math.min(this.#step, Math.max(times.steps.length - 1, 0));
    this.#draw();
  }

  #scaleBy(kind) {
    this.#kind = kind;
    this.kinds.forEach((button, i) => button.setAttribute("aria-pressed", String((i === 1) === (kind === "log"))));
    this.#draw();
  }

  #redraw() {
    const times = this.#times, wide = this.picture.clientWidth;
    if (!times || wide === 0) return;
    const to = scale(this.#kind, times.last), room = wide - left - right;
    this.x = (t) => Math.round((left + to(t) * room) * 10) / 10;
    const rows = [...times.phases.map((p) => (y) => this.#phase(p, y)), times.parts.length > 0 && ((y) => this.#parts(y))].filter(Boolean);
    const eventsAt = top + rows.length * phaseHigh, lateAt = eventsAt + eventsHigh, high = lateAt + lateHigh + 4;
    this.cursor = svg("g", { class: "fall-cursor" }, svg("line", { y1: top, y2: high - 4, class: "cursor-planned" }), svg("line", { y1: top, y2: high - 4, class: "cursor-sent" }));
    replace(this.picture, svg("svg", { viewBox: `0 0 ${wide} ${high}`, width: wide, height: high, role: "img", "aria-label": this.#says() },
      this.#axis(wide, high),
      rows.map((draw, i) => draw(top + i * phaseHigh)),
      this.#events(eventsAt), this.#late(lateAt),
      this.#instant(times.ended, high, "ended"), this.#instant(times.released, high, "slot free"),
      this.cursor));
    this.#point();
  }

  #axis(wide, high) {
    const all = ticks(this.#kind, this.#times.last, Math.max(2, Math.floor((wide - left) / 80)));
    return all.map((t) => svg("g", { class: "fall-tick" },
      svg("line", { x1: this.x(t), x2: this.x(t), y1: top - 4, y2: high - 4 }),
      svg("text", { x: this.x(t), y: 12, "text-anchor": "middle" }, t === 0 ? "0" : ms(t).replace(/\.0+ /, " "))));
  }

  #phase({ name, of, planned, sent }, y) {
    const never = !Number.isFinite(planned[1]);
    const bar = (from, to, at, kind) => svg("rect", { x: this.x(from), y: at, width: Math.max(this.x(Math.min(to, this.#times.last)) - this.x(from), 1.5), height: 8, class: kind });
    return svg("g", { class: "fall-phase" },
      svg("title", null, `${name} (${of})`),
      svg("text", { x: 0, y: y + 18 }, name),
      Number.isFinite(planned[0]) && bar(planned[0], planned[1], y + 5, never ? "planned never" : "planned"),
      never && Number.isFinite(planned[0]) && svg("text", { x: this.x(this.#times.last) - 4, y: y + 12, "text-anchor": "end", class: "fall-note" }, "never ends"),
      sent && bar(sent[0], sent[1] ?? this.#times.last, y + 15, sent[1] === null ? "sent open" : "sent"));
  }

  #parts(y) {
    return svg("g", { class: "fall-phase" }, svg("text", { x: 0, y: y + 18 }, "made up of"), this.#times.parts.map(({ name, from, to }, i) => {
      const room = this.x(to) - this.x(from);
      return svg("g", null, svg("title", null, `${name}: ${ms(to - from)}`),
        svg("rect", { x: this.x(from), y: y + 7, width: Math.max(room, 1.5), height: 15, class: `part part-${i % 3}` }),
        room > 7 * name.length + 8 && svg("text", { x: this.x(from) + 5, y: y + 18, class: "part-name" }, name));
    }));
  }

  #events(y) {
    const lanes = { planned: "", sent: "", moved: "" };
    const before = { planned: -1, sent: -1 };
    const tick = (lane, x, from, to) => {
      if (x - before[lane] < 0.5 && before[lane] >= 0) return false; // another one would not be seen
      before[lane] = x;
      lanes[lane] += `M${x} ${from}V${to}`;
      return true;
    };
    for (const s of this.#times.steps) {
      const p = Number.isFinite(s.planned) ? this.x(s.planned) : null, a = s.sent === null ? null : this.x(s.sent);
      const fresh = [p !== null && tick("planned", p, y + 6, y + 18), a !== null && tick("sent", a, y + 28, y + 40)];
      if (p !== null && a !== null && fresh.some(Boolean)) lanes.moved += `M${p} ${y + 18}L${a} ${y + 28}`;
    }
    return svg("g", { class: "fall-events" }, svg("text", { x: 0, y: y + 26 }, `${count(this.#times.steps.length)} steps`),
      svg("path", { d: lanes.moved, class: "moved" }), svg("path", { d: lanes.planned, class: "planned" }), svg("path", { d: lanes.sent, class: "sent" }));
  }

  #late(y) {
    const { steps, latest } = this.#times;
    const worst = new Map(); // by pixel
    for (const s of steps) {
      const late = lateness(s);
      if (late === null) continue;
      const x = Math.round(this.x(s.sent));
      worst.set(x, Math.max(worst.get(x) ?? 0, late));
    }
    const floor = y + lateHigh;
    const d = [...worst].map(([x, late]) => `M${x} ${floor}V${floor - Math.max(1, (late / (latest || 1)) * (lateHigh - 8))}`).join("");
    return svg("g", { class: "fall-late" }, svg("text", { x: 0, y: y + 16 }, "late by up"),
      svg("text", { x: 0, y: y + 30 }, `to ${ms(latest)}`),
      svg("line", { x1: left, x2: this.x(this.#times.last), y1: floor, y2: floor, class: "floor" }), svg("path", { d, class: "late" }));
  }

  #instant(t, high, name) {
    return t === null ? null : svg("g", { class: "fall-instant" }, svg("title", null, `${name} at ${ms(t)}`), svg("line", { x1: this.x(t), x2: this.x(t), y1: top, y2: high - 4 }));
  }

  #says() {
    const { phases, steps, latest } = this.#times;
    const told = phases.map((p) => `${p.name} planned to end at ${endOf(p.planned[1])}, ended at ${endOf(p.sent?.[1])}`);
    return `Waterfall of ${count(steps.length)} steps. ${told.join("; ")}. Steps were late by up to ${ms(latest)}.`;
  }

  #pointAt(clientX) {
    const steps = this.#times?.steps ?? [];
    const at = clientX - this.picture.getBoundingClientRect().left;
    let best = Infinity;
    steps.forEach((s, i) => {
      for (const t of [s.sent, s.planned]) {
        if (t === null || !Number.isFinite(t)) continue;
        const far = Math.abs(this.x(t) - at);
        if (far < best) [best, this.#step] = [far, i];
      }
    });
    this.slider.value = String(this.#step);
    this.#point();
  }

  #point() {
    const { steps } = this.#times, s = steps[this.#step];
    this.slider.disabled = steps.length === 0;
    if (!s || !this.cursor) return;
    const says = stepSays(s, this.#step, steps.length);
    this.readout.textContent = says;
    this.slider.setAttribute("aria-valuetext", says);
    [s.planned, s.sent].forEach((t, i) => {
      const line = this.cursor.children[i], known = t !== null && Number.isFinite(t);
      line.toggleAttribute("hidden", !known);
      if (known) for (const end of ["x1", "x2"]) line.setAttribute(end, this.x(t));
    });
  }
}

const endOf = (t) => (t === null || t === undefined ? "no time yet" : Number.isFinite(t) ? ms(t) : "no time at all");

// lateSays is a step's lateness in words.
export function lateSays(step) {
  const late = lateness(step);
  if (late === null) return step.sent === null ? "not sent" : "sent early";
  return late < 0 ? `${ms(-late)} early` : `${ms(late)} late`;
}

function stepSays(s, i, of) {
  const sent = s.sent === null ? "" : `, sent ${ms(s.sent)}`;
  return `${i + 1} of ${count(of)}: ${s.event || s.kind}${s.tokens ? `, ${s.tokens} token${s.tokens > 1 ? "s" : ""}` : ""} · planned ${Number.isFinite(s.planned) ? ms(s.planned) : "never"}${sent} · ${lateSays(s)}`;
}
