// What a lane asks with: the scenario, the model, and the rest of the request.

import { readHeaders } from "./chat-headers.js";
import { el, replace } from "./dom.js";

// makeRequestForm: onchange(scenario) is called with the scenario when another was chosen, else with nothing.
export function makeRequestForm(name, scenarios, onchange) {
  const id = (part) => `lane-${name}-${part}`;
  const scenario = el("select", { id: id("scenario"), "data-testid": id("scenario"), onchange: () => onchange(scenario.value) });
  const model = el("input", { id: id("model"), "data-testid": id("model"), spellcheck: false, autocomplete: "off" });
  const tokens = el("input", { id: id("tokens"), "data-testid": id("tokens"), type: "number", min: 1, max: 8192, value: "200" });
  const stream = el("input", { id: id("stream"), "data-testid": id("stream"), type: "checkbox", checked: true });
  const headers = el("textarea", { id: id("headers"), "data-testid": id("headers"), rows: 2, spellcheck: false, placeholder: "Name: value",
    onchange: () => judge(), oninput: () => wrong.hidden || judge() });
  const wrong = el("p", { id: id("headers-wrong"), "data-testid": id("headers-wrong"), class: "field-wrong", hidden: true });
  list(scenario, scenarios);

  const details = el("details", { class: "lane-request" },
    el("summary", { "data-testid": id("request") }, "Request"),
    el("div", { class: "lane-request-fields" },
      el("div", { class: "field" }, el("label", { for: id("model") }, "Model"), model),
      el("div", { class: "field" }, el("label", { for: id("tokens") }, "Tokens at most"), tokens),
      el("label", { class: "check", for: id("stream") }, stream, "Streamed"),
      el("div", { class: "field lane-headers" }, el("label", { for: id("headers") }, "Headers, one a line"), headers, wrong)));
  const node = el("div", { class: "lane-form" },
    el("div", { class: "field lane-scenario" }, el("label", { for: id("scenario") }, "Scenario"), scenario), details);

  // judge says at the field what is wrong with the headers.
  function judge() {
    wrong.textContent = readHeaders(headers.value).wrong;
    wrong.hidden = wrong.textContent === "";
    headers.setAttribute("aria-invalid", String(!wrong.hidden));
    if (wrong.hidden) headers.removeAttribute("aria-describedby");
    else headers.setAttribute("aria-describedby", wrong.id);
  }

  // A name that the server knows no more stays chosen: asking for it then says so.
  function select(chosen) {
    if (![...scenario.options].some((o) => o.value === chosen)) scenario.append(el("option", { value: chosen }, chosen));
    scenario.value = chosen;
  }

  return {
    node,
    get scenario() { return scenario.value; },
    get request() {
      return { model: model.value.trim(), maxTokens: Math.max(1, Number(tokens.value) || 200), stream: stream.checked, ...readHeaders(headers.value) };
    },
    // fit is whether the request can be sent; if not, the reader is brought to what is wrong with it.
    fit() {
      judge();
      if (wrong.hidden) return true;
      details.open = true;
      headers.focus();
      return false;
    },
    offer(those) {
      const chosen = scenario.value;
      list(scenario, those);
      select(chosen);
    },
    choose(chosen, wanted) {
      select(chosen);
      model.value = wanted.model;
      stream.checked = wanted.stream;
      headers.value = wanted.headers;
      judge();
    },
  };
}

// list lists the scenarios by where their files lie.
function list(select, scenarios) {
  const groups = new Map();
  for (const s of scenarios) {
    const folder = s.draft ? "Drafts" : s.file?.includes("/") ? s.file.slice(0, s.file.indexOf("/")) : "Scenarios";
    groups.set(folder, [...(groups.get(folder) ?? []), s]);
  }
  const order = [...groups].sort(([a], [b]) => Number(b === "Scenarios") - Number(a === "Scenarios"));
  replace(select, order.map(([folder, those]) =>
    el("optgroup", { label: folder }, those.map((s) => el("option", { value: s.scenario }, s.title ? `${s.scenario}: ${s.title}` : s.scenario)))));
}
