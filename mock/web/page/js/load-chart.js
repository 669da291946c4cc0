// One small chart over time: its lines, the greatest value on its scale, and the figures of the moment looked at.

import { el, replace, svg } from "./dom.js";

const high = 72, top = 6;
const known = (v) => v !== null && v !== undefined;

export class Chart {
  says = "";

  constructor({ title, write, lines }, of) {
    Object.assign(this, { title, write, of, names: lines.map(([name]) => name), labels: lines.map(([, label]) => label) });
    this.values = lines.map((_, i) => el("span", { class: `chart-value line-${i}` }));
    this.paths = lines.map((_, i) => svg("path", { class: `line-${i}` }));
    this.dots = lines.map((_, i) => svg("circle", { class: `line-${i}`, r: 3 }));
    this.moment = svg("line", { class: "chart-moment", y1: 0, y2: high });
    this.picture = svg("svg", { class: "chart-picture", role: "img", height: high, preserveAspectRatio: "none" }, this.moment, this.paths, this.dots);
    this.most = el("span");
    this.ago = el("span");
    this.node = el("figure", { class: "chart" },
      el("figcaption", null, el("span", { class: "label" }, title), el("span", { class: "figure" }, this.values)),
      this.picture, el("div", { class: "chart-axis faint" }, this.ago, this.most, el("span", null, "now")));
  }

  // draw shows lists, by name, of the last so many seconds, in a picture so wide; most is the top of its scale, where
  // that isn't the greatest value's to say.
  draw(lists, seconds, wide, most) {
    this.lists = this.names.map((name) => lists[name]);
    const scale = most || this.lists.flat().reduce((a, b) => Math.max(a, b ?? 0), 0) || 1, last = this.lists[0].length - 1;
    this.x = (i) => Math.round((last > 0 ? i / last : 0) * wide * 10) / 10;
    this.y = (v) => Math.round((high - 1 - (v / scale) * (high - top - 1)) * 10) / 10;
    this.picture.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    this.paths.forEach((path, i) => path.setAttribute("d", line(this.lists[i], this.x, this.y)));
    this.most.textContent = `top ${this.write(scale)}`;
    this.ago.textContent = `−${seconds >= 60 ? `${Math.round(seconds / 60)} min` : `${seconds} s`}`;
  }

  // point marks the moment with this index.
  point(at) {
    const words = this.lists.map((list, i) => [this.labels[i], this.write(list[at])].filter(Boolean).join(" "));
    this.says = `${this.title} ${words.join(", ")}`;
    this.picture.setAttribute("aria-label", `${this.title} of ${this.of}, ${this.says}`);
    for (const end of ["x1", "x2"]) this.moment.setAttribute(end, this.x(at));
    this.lists.forEach((list, i) => {
      replace(this.values[i], words[i]);
      this.dots[i].toggleAttribute("hidden", !known(list[at]));
      if (known(list[at])) for (const [name, value] of [["cx", this.x(at)], ["cy", this.y(list[at])]]) this.dots[i].setAttribute(name, value);
    });
  }
}

// line has gaps where nothing is known; a value between two gaps is a dot.
function line(list, x, y) {
  let d = "", down = false;
  list.forEach((v, i) => {
    if (known(v)) d += `${down ? "L" : "M"}${x(i)} ${y(v)}${down ? "" : "h0"}`;
    down = known(v);
  });
  return d;
}
