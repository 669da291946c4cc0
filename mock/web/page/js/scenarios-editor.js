// A scenario's file to change and try. The server reads it and says what is wrong at which line; nothing is written to
// its disk. The text is kept while the page is open.

import { post } from "./api.js";
import { el, notice, replace } from "./dom.js";
import { count } from "./format.js";

const kept = new Map(); // scenario -> text as it was left
const lineHigh = 20, padding = 8; // px, as in scenarios.css

export class Editor {
  #problems = [];
  #lines = 0;
  #trying = null;

  constructor(told, file, { announce, tried }) {
    Object.assign(this, { told, file, announce, tried });
    this.numbers = el("pre", { class: "editor-numbers" });
    this.marks = el("div");
    this.under = el("div", { class: "editor-moving" }, this.numbers, this.marks);
    this.text = el("textarea", { id: "editor-text", spellcheck: false, autocomplete: "off", autocapitalize: "off", wrap: "off", rows: "24", value: kept.get(told.scenario) ?? file,
      oninput: () => this.#typed(), onscroll: () => this.#follow(), onkeydown: (e) => this.#key(e), "data-testid": "scenario-editor" });
    this.note = el("p", { class: "editor-note", id: "editor-note", hidden: true, "data-testid": "scenario-note" });
    this.result = el("div", { "data-testid": "try-result" });
    this.button = el("button", { type: "button", class: "primary", onclick: () => this.#try(), "data-testid": "try" }, "Try it");
    this.back = el("button", { type: "button", class: "quiet", onclick: () => this.#reset() }, "Back to the file");
    this.node = el("section", { class: "editing", "aria-label": "File" },
      el("div", { class: "row" }, el("h3", null, el("label", { for: "editor-text" }, told.file || "File")), el("span", { class: "push row" }, this.back, this.button)),
      el("p", { class: "faint" }, "Change it and try it (Ctrl+Enter): a draft lives in the server's memory only, and your files stay as they are."),
      el("div", { class: "editor" }, el("div", { class: "editor-under", "aria-hidden": "true" }, this.under), this.text, this.note),
      this.result);
    this.#typed();
  }

  stop() {
    this.#trying?.abort();
  }

  #reset() {
    this.text.value = this.file;
    this.#mark([]);
    replace(this.result);
    this.#typed();
    this.text.focus();
  }

  #typed() {
    const { value } = this.text, changed = value !== this.file;
    if (changed) kept.set(this.told.scenario, value);
    else kept.delete(this.told.scenario);
    this.back.hidden = !changed;
    this.note.hidden = true;
    const lines = value.split("\n").length, more = lines - this.#lines;
    if (more === 0) return;
    this.numbers.textContent = Array.from({ length: lines }, (_, i) => i + 1).join("\n");
    if (this.#lines > 0 && this.#problems.length > 0) { // marks stay at their lines
      const at = value.slice(0, this.text.selectionStart).split("\n").length - Math.max(more, 0);
      this.#mark(this.#problems.map((p) => (p.line > at ? { ...p, line: Math.max(p.line + more, at) } : p)));
    }
    this.#lines = lines;
  }

  #follow() {
    this.under.style.transform = `translateY(${-this.text.scrollTop}px)`;
    const top = padding + this.noted * lineHigh - this.text.scrollTop;
    this.note.style.top = `${top}px`;
    this.note.classList.toggle("is-away", top < 0 || top > this.text.clientHeight);
  }

  #key(e) {
    if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) this.#try();
    else if (e.key === "Escape" && !this.note.hidden) this.note.hidden = true;
    else return;
    e.preventDefault();
  }

  async #try() {
    this.#trying?.abort();
    const { signal } = this.#trying = new AbortController();
    this.button.disabled = true;
    try {
      const draft = await post("scenarios/try", undefined, { text: this.text.value, headers: { "content-type": "application/yaml" }, signal });
      if (draft.problems?.length > 0) {
        this.#refused(draft);
        return;
      }
      this.#mark([]);
      const name = encodeURIComponent(draft.scenario);
      replace(this.result, notice("info", `It loads, as ${draft.scenario}`, "It is kept in memory among the last 16 drafts, for every client of this server.",
        el("a", { class: "button", href: `#/chat?a=${name}`, "data-testid": "try-in-chat" }, "Open in the chat"),
        el("a", { class: "button", href: `#/scenarios/${name}`, "data-testid": "try-overview" }, "Look at it")));
      this.announce(`It loads, as ${draft.scenario}.`);
      this.tried();
    } catch (e) {
      if (!signal.aborted) this.#refused(e);
    } finally {
      this.button.disabled = false;
    }
  }

  #refused(problem) {
    const all = problem.problems ?? [];
    this.#mark(all);
    if (all.length === 0) {
      replace(this.result, notice("error", "It can't be tried", problem.message));
      return;
    }
    replace(this.result, el("div", { class: "notice notice-error" },
      el("p", { class: "notice-title" }, all.length === 1 ? "One problem" : `${count(all.length)} problems`),
      el("ol", { class: "problems" }, all.map((p) => el("li", { "data-testid": "scenario-problem", "data-line": p.line },
        p.line > 0 ? el("button", { type: "button", class: "quiet", onclick: () => this.#goTo(p) }, `Line ${p.line}`) : null,
        " ", p.message, p.hint && el("span", { class: "faint" }, ` ${p.hint}`))))));
    const first = all.find((p) => p.line > 0);
    if (first) this.#goTo(first);
    this.announce(`${all.length === 1 ? "One problem" : `${all.length} problems`}. ${first ? `Line ${first.line}: ${first.message}` : problem.message}`);
  }

  #mark(problems) {
    this.#problems = problems;
    this.note.hidden = true;
    replace(this.marks, problems.filter((p) => p.line > 0).map(({ line }) => {
      const mark = el("div", { class: "editor-mark", "data-testid": "line-mark", "data-line": line });
      mark.style.top = `${padding + (line - 1) * lineHigh}px`;
      return mark;
    }));
    if (problems.length > 0) {
      this.text.setAttribute("aria-invalid", "true");
      this.text.setAttribute("aria-describedby", "editor-note");
    } else for (const name of ["aria-invalid", "aria-describedby"]) this.text.removeAttribute(name);
  }

  // goTo puts the caret where a problem is, and what is wrong under its line.
  #goTo(problem) {
    const line = (this.#problems.find((p) => p === problem) ?? this.#problems.find((p) => p.message === problem.message) ?? problem).line;
    const lines = this.text.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((n, l) => n + l.length + 1, 0);
    this.text.focus({ preventScroll: true });
    this.text.setSelectionRange(start + Math.max((problem.column || 1) - 1, 0), start + (lines[line - 1]?.length ?? 0));
    this.text.scrollTop = Math.max((line - 6) * lineHigh, 0);
    this.text.scrollLeft = 0;
    this.noted = line;
    replace(this.note, el("strong", null, `Line ${line}: `), problem.message, problem.hint && el("span", { class: "editor-hint" }, problem.hint));
    this.note.hidden = false;
    this.#follow();
    this.text.scrollIntoView({ block: "nearest" });
  }
}
