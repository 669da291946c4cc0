// A strip of an answer's time: the wait for the first token washed in brass, then a bar for every token, as high
// as the gap before it was long. At most one bar for each column, so that a long answer costs no more to draw.

import { el, replace, svg } from "./dom.js";
import { ms } from "./format.js";

const width = 600, height = 44;

export function makeStrip(testid) {
  const wait = svg("rect", { class: "strip-wait", x: 0, y: 0, width: 0, height });
  const bars = svg("path", { class: "strip-bars", d: "" });
  const now = svg("path", { class: "strip-now", d: "" });
  const drawing = svg("svg", { class: "strip-drawing", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": "No answer yet", "data-testid": testid },
    wait, bars, now);
  const end = el("span", { class: "figure" });
  const node = el("div", { class: "strip" }, drawing, el("p", { class: "strip-axis", "aria-hidden": "true" }, el("span", { class: "figure" }, "0"), end));

  let shownEnd = 0;
  // draw shows a timing on a scale of {time, gap}, both in ms; at is how far the answer has come.
  function draw(timing, scale, at, live) {
    const x = (t) => Math.min(width, (t / scale.time) * width);
    wait.setAttribute("width", x(timing.ttft ?? at).toFixed(1));
    bars.setAttribute("d", path(timing.stamps, x, scale.gap));
    now.setAttribute("d", live ? `M${x(at).toFixed(1)} 0V${height}` : "");
    if (shownEnd !== scale.time) replace(end, ms(shownEnd = scale.time));
  }

  // label says in words what the strip shows.
  function label(timing) {
    const { p50, max } = timing.gaps();
    drawing.setAttribute("aria-label", timing.ttft === null ? `No token in ${ms(timing.last)}`
      : `First token after ${ms(timing.ttft)}, then ${timing.stamps.length - 1} gaps of ${ms(p50)} in the middle and ${ms(max)} at most, ${ms(timing.last)} in all`);
  }
  return { node, draw, label };
}

function path(stamps, x, longest) {
  let drawn = "", column = -1, top = 0;
  const put = () => {
    if (column >= 0) drawn += `M${column + 0.5} ${height}V${(height - top).toFixed(1)}`;
  };
  for (let i = 0; i < stamps.length; i++) {
    const gap = i === 0 ? longest : stamps[i] - stamps[i - 1];
    const at = Math.floor(x(stamps[i]));
    if (at !== column) {
      put();
      column = at;
      top = 0;
    }
    top = Math.max(top, 3 + Math.min(1, gap / longest) * (height - 6));
  }
  put();
  return drawn;
}

// roundUp is the end of an axis that has room for n: 1, 2 or 5 times a power of ten.
export function roundUp(n) {
  const power = 10 ** Math.floor(Math.log10(n));
  return [1, 2, 5, 10].map((m) => m * power).find((end) => end >= n);
}
