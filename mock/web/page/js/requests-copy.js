// A request as something to run again. What is copied is also shown, to be taken by hand where the clipboard is refused.

import { get, post } from "./api.js";
import { el } from "./dom.js";

const forms = [
  { of: "curl", title: "curl", about: "a command" },
  { of: "scenario", title: "scenario", about: "a scenario that replays it" },
  { of: "go", title: "Go test", about: "a test" },
];

// copies is the row of buttons; signal ends what is under way.
export function copies(sequence, { announce, navigate, signal }) {
  const text = el("textarea", { readOnly: true, rows: "10", spellcheck: false, "aria-label": "What was copied", class: "copy-text", "data-testid": "copy-text" });
  const said = el("p", { class: "faint", role: "status", "data-testid": "copy-status" });
  const draft = el("button", { type: "button", hidden: true, onclick: () => open() }, "Open as a draft");
  const shown = el("div", { class: "copy-shown", hidden: true }, said, text,
    el("span", { class: "row" }, draft, el("button", { type: "button", class: "quiet", onclick: () => { shown.hidden = true; } }, "Hide")));
  const failed = (e) => {
    if (!signal.aborted) said.textContent = `That can't be: ${e.message}`;
  };
  const open = () => post("scenarios/try", undefined, { text: text.value, signal })
    .then(({ scenario }) => navigate(`#/scenarios/${encodeURIComponent(scenario)}`)).catch(failed);

  const copy = async ({ of, about }) => {
    shown.hidden = false;
    draft.hidden = of !== "scenario";
    try {
      text.value = await get(`journal/${sequence}/${of}`, { signal });
      if (await toClipboard(text.value)) said.textContent = `Copied: ${about}.`;
      else {
        said.textContent = "The browser doesn't let the page use the clipboard. The text is selected: copy it from here.";
        text.focus();
        text.select();
      }
    } catch (e) {
      text.value = "";
      draft.hidden = true;
      failed(e);
    }
    announce(said.textContent);
  };

  return el("div", { class: "copies" },
    el("div", { class: "row", role: "group", "aria-label": "Copy the request" }, el("span", { class: "label" }, "Copy as"),
      forms.map((f) => el("button", { type: "button", onclick: () => copy(f), "data-testid": `copy-${f.of}` }, f.title))),
    shown);
}

async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
