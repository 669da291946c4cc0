// One small chart over time: its lines, the greatest value on its scale, and the figures of the moment looked at.

import { el, replace, svg } from "./dom.js";

const high = 72, top = 6;

export class Chart {
  says = "";

  constructor({ title, write, lines }, of) {
    Object.assign(this, { title, write, lines, of });
    this.figures = el("span", { class: "figure" });
    this.picture = el("div", { class: "chart-picture" });
    this.most = el("span");
    this.ago = el("span");
    this.node = el("figure", { class: "chart" },
      el("figcaption", null, el("span", { class: "label" }, title), this.figures),
      this.picture, el("div", { class: "chart-axis faint" }, this.ago, this.most, el("span", null, "now")));
  }

  // draw shows of (lists by name) with the moment at marked; last is the last index, seconds the time from first to
  // last, most the top of the scale where it is given.
  draw(of, at, last, seconds, most) {
    const wide = this.picture.clientWidth;
    const lists = this.lines.map(([name]) => of[name]);
    const scale = most || lists.flat().reduce((a, b) => Math.max(a, b ?? 0), 0) || 1;
    const x = (i) => Math.round((last > 0 ? i / last : 0) * wide * 10) / 10, y = (v) => Math.round((high - 1 - (v / scale) * (high - top - 1)) * 10) / 10;
    this.says = `${this.title} ${this.lines.map(([name, label]) => `${label} ${this.write(of[name][at])}`.trim()).join(", ")}`;
    replace(this.figures, this.lines.map(([name, label], i) => el("span", { class: `chart-value line-${i}` }, [label, this.write(of[name][at])].filter(Boolean).join(" "))));
    this.most.textContent = `top ${this.write(scale)}`;
    this.ago.textContent = `−${seconds >= 60 ? `${Math.round(seconds / 60)} min` : `${seconds} s`}`;
    replace(this.picture, svg("svg", { width: wide, height: high, viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": `${this.title} of ${this.of}, ${this.says}` },
      svg("line", { class: "chart-floor", x1: 0, x2: wide, y1: high - 0.5, y2: high - 0.5 }),
      svg("line", { class: "chart-moment", x1: x(at), x2: x(at), y1: 0, y2: high }),
      lists.map((list, i) => svg("path", { class: `line-${i}`, d: path(list, x, y) })),
      lists.map((list, i) => list[at] !== null && list[at] !== undefined && svg("circle", { class: `line-${i}`, cx: x(at), cy: y(list[at]), r: 3 }))));
  }
}

// path is a line with gaps where nothing is known; a value between two gaps is a dot.
function path(list, x, y) {
  let d = "", down = false;
  list.forEach((v, i) => {
    if (v === null || v === undefined) down = false;
    else {
      d += `${down ? "L" : "M"}${x(i)} ${y(v)}${down ? "" : "h0"}`;
      down = true;
    }
  });
  return d;
}
