// What a scenario claims, and what was measured of it when somebody asks.

import { post } from "./api.js";
import { el, notice, replace } from "./dom.js";
import { count } from "./format.js";

const verdicts = { pass: "✓ pass", fail: "✕ fail", contradicts: "≠ contradicts", "not-measured": "– not measured" };

export class Claims {
  #measuring = null;
  #timer = 0;

  constructor(told, { announce }) {
    this.told = told;
    this.announce = announce;
    this.most = el("select", { id: "verify-most" }, [["", "as many as they say"], ["2000", "at most 2,000"], ["300", "at most 300"]].map(([value, text]) => el("option", { value }, text)));
    this.button = el("button", { type: "button", class: "primary", onclick: () => (this.#measuring ? this.#measuring.abort() : this.#verify()), "data-testid": "verify" }, "Verify");
    this.progress = el("progress", { hidden: true, "aria-label": "Measuring" });
    this.state = el("span", { class: "faint", "data-testid": "verify-state" });
    this.message = el("div");
    this.rows = el("tbody");
    this.node = el("section", { class: "claims", "aria-label": "Claims" }, el("h3", null, "Claims"),
      told.claims.length === 0 ? el("p", { class: "faint" }, "It claims nothing.") : [
        el("div", { class: "row" }, el("div", { class: "field" }, el("label", { for: "verify-most" }, "Requests of each workload"), this.most), this.button, this.progress, this.state),
        this.message,
        el("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": "Claims, as a table" }, el("table", { "data-testid": "claims" }, el("caption", { class: "unseen" }, "Claims and verdicts"),
          el("thead", null, el("tr", null, ["Claim", "Says", "Must be", "Measured", "Verdict"].map((h) => el("th", { scope: "col" }, h)))), this.rows))]);
    this.#list(null);
  }

  stop() {
    this.#measuring?.abort();
    clearInterval(this.#timer);
  }

  // list writes a row for each check, with its result where there is one.
  #list(results) {
    const left = new Map();
    for (const r of results ?? []) left.set(r.claim, [...(left.get(r.claim) ?? []), r]);
    replace(this.rows, this.told.claims.flatMap(({ claim, says, checks }) => checks.map((check, i) => {
      const r = left.get(claim)?.[i];
      const why = [r?.reason, r?.contradicts ?? check.contradicts, (r?.shown_by ?? check.shown_by) && `Shown by ${r?.shown_by ?? check.shown_by}`].filter(Boolean);
      return el("tr", { "data-claim": claim },
        el("th", { scope: "row" }, i === 0 ? claim : el("span", { class: "unseen" }, claim)),
        el("td", null, i === 0 && says, check.says && el("div", { class: i === 0 ? "faint" : null }, check.says), check.measure && el("code", { class: "claim-measure" }, check.measure)),
        el("td", null, check.within), el("td", { class: "figure" }, r?.measured ?? "–"),
        el("td", null, el("span", { class: `verdict verdict-${r?.verdict ?? "none"}`, "data-testid": "verdict" }, r ? verdicts[r.verdict] ?? r.verdict : "not asked yet"),
          why.map((text) => el("div", { class: "faint" }, text))));
    })));
  }

  async #verify() {
    const measuring = this.#measuring = new AbortController(), begun = performance.now();
    const seconds = () => Math.round((performance.now() - begun) / 1000);
    this.#timer = setInterval(() => { this.state.textContent = `measuring in virtual time, ${seconds()} s…`; }, 1000);
    this.button.textContent = "Stop";
    this.progress.hidden = false;
    this.state.textContent = "measuring in virtual time…";
    replace(this.message);
    try {
      const results = await post(`scenarios/${encodeURIComponent(this.told.scenario)}/verify${this.most.value && `?requests=${this.most.value}`}`, undefined, { signal: measuring.signal });
      this.#list(results);
      this.state.textContent = tally(results, seconds());
    } catch (e) {
      this.state.textContent = measuring.signal.aborted ? "stopped" : "";
      if (!measuring.signal.aborted) replace(this.message, notice("error", "Its claims weren't measured", e.message));
    }
    clearInterval(this.#timer);
    this.#measuring = null;
    this.button.textContent = "Verify";
    this.progress.hidden = true;
    this.announce(this.state.textContent);
  }
}

function tally(results, seconds) {
  const words = Object.keys(verdicts).map((v) => [results.filter((r) => r.verdict === v).length, v.replace("-", " ")]).filter(([n]) => n > 0);
  return `${words.map(([n, v]) => `${count(n)} ${v}`).join(", ")} in ${seconds} s`;
}
