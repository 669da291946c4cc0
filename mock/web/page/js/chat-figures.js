// A lane's figures, as they happen.

import { el } from "./dom.js";
import { count, ms } from "./format.js";

export function makeFigures(name) {
  const cells = {};
  const cell = (key, label, hint) => {
    cells[key] = el("dd", { class: "figure", "data-testid": `lane-${name}-${key}` }, "–");
    return el("div", { title: hint }, el("dt", null, label), cells[key]);
  };
  const verdict = el("p", { class: "verdict", "data-testid": `lane-${name}-verdict` });
  const node = el("div", { class: "figures" },
    el("dl", null,
      cell("ttft", "First token", "TTFT: from sending to the first token, as this page saw it"),
      cell("gap", "Gap, median", "between two token events (ITL)"),
      cell("longest", "Gap, longest", "between two token events"),
      cell("events", "Events", "token events so far"),
      cell("total", "Total", "from sending to the end, or to now")),
    verdict);

  const set = (key, text) => {
    if (cells[key].textContent !== text) cells[key].textContent = text;
  };

  return {
    node,
    begin() {
      node.classList.remove("is-first");
      verdict.textContent = "";
    },
    // show writes a timing; at is how far the answer has come.
    show(timing, at, live) {
      const { p50, max } = timing.gaps();
      set("ttft", ms(timing.ttft));
      set("gap", ms(p50));
      set("longest", ms(max));
      set("events", timing.stamps.length === 0 ? "–" : count(timing.stamps.length));
      set("total", live || timing.total !== null ? ms(at) : "–");
      node.classList.toggle("is-live", Boolean(live));
    },
    // judge says how this lane did beside the other.
    judge(text, first) {
      verdict.textContent = text;
      node.classList.toggle("is-first", first);
    },
  };
}
