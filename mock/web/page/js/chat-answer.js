// One answer in a transcript: its blocks as text, how it ended, and what the journal says of it. Text that comes
// is kept until flush, which the lane calls once a frame.

import { el, notice, replace } from "./dom.js";
import { count, ms, nanos } from "./format.js";

export class Answer {
  constructor(who) {
    this.parts = new Map(); // by the block's index: {text, waiting, kind}
    this.body = el("div", { class: "answer-body", dir: "auto" });
    this.foot = el("div", { class: "answer-foot" });
    this.node = el("article", { class: "answer", "aria-label": `Answer from ${who}`, "data-testid": "answer" },
      el("p", { class: "turn-who" }, who), this.body, this.foot);
    this.text = "";
  }

  block(index, block) {
    const kind = block.type === "thinking" || block.type === "redacted_thinking" ? "thinking" : block.type === "text" ? "text" : "other";
    const shown = document.createTextNode("");
    const node = kind === "text" ? el("div", { class: "block-text" }, shown)
      : el("div", { class: `block-${kind}`, "data-testid": `block-${block.type ?? "unknown"}` }, el("p", { class: "block-name" }, nameOf(block)), el("pre", null, shown));
    this.parts.set(index, { shown, waiting: kind === "other" ? restOf(block) : "", kind });
    this.body.append(node);
  }

  delta(index, kind, text) {
    if (!this.parts.has(index)) this.block(index, { type: kind === "input" ? "tool_use" : kind });
    this.parts.get(index).waiting += text;
    if (kind === "text") this.text += text;
  }

  flush() {
    for (const part of this.parts.values()) {
      if (part.waiting === "") continue;
      part.shown.appendData(part.waiting);
      part.waiting = "";
    }
  }

  // said is the answer as the next request's history has it.
  get said() {
    if (this.text.trim() !== "") return this.text.trimEnd();
    return this.parts.size > 0 ? "(an answer without text)" : "";
  }

  stopped({ reason, usage }) {
    this.foot.append(el("p", { class: "answer-stop", "data-testid": "stop-reason" },
      el("span", { class: "badge" }, reason ?? "no stop reason"),
      usage.output_tokens !== undefined && ` ${count(usage.input_tokens)} tokens in, ${count(usage.output_tokens)} out`));
  }

  // ended shows an end that isn't message_stop. again is a button that sends the prompt once more.
  ended(outcome, at, again) {
    const said = endings[outcome.kind]?.(outcome, at);
    if (!said) return;
    const actions = outcome.kind === "stopped" ? [] : [again];
    this.foot.append(notice(said.level, said.title, said.detail, ...actions));
  }

  // recorded adds the journal's entry: what was planned, or when the server let go of an answer that was stopped.
  // Its times are the run's own, which at another speed than 1 aren't the page's.
  recorded(entry, speed) {
    const left = entry.outcome === "client-left";
    this.foot.append(el("p", { class: "answer-record faint", "data-testid": left ? "release" : "record" },
      left ? releaseOf(entry) : planOf(entry),
      speed !== 1 && ` The run's own time, at ${speed === "max" ? "full speed" : `${speed} ×`}.`, " ", el("a", { href: `#/requests/${entry.sequence}`, "data-testid": "open-request" }, "Its waterfall")));
  }
}

const figure = (text) => el("span", { class: "figure" }, text);
const planned = (ns) => figure(ns === null ? "never" : nanos(ns));

function planOf(entry) {
  const steps = entry.steps ?? [];
  const deltas = steps.filter((s) => s.event === "content_block_delta").map((s) => s.planned_ns);
  const gaps = deltas.slice(1).map((at, i) => at - deltas[i]).sort((a, b) => a - b);
  return ["Planned: ",
    deltas.length > 0 && ["first token ", planned(deltas[0]), ", "],
    gaps.length > 0 && ["gaps ", planned(gaps[(gaps.length - 1) >> 1]), ", "],
    "all ", steps.length > 0 ? planned(steps.at(-1).planned_ns) : figure("at once"),
    "; sent at most ", figure(nanos(Math.max(0, entry.late_max_ns))), " late."];
}

function releaseOf(entry) {
  const after = entry.released_ns - entry.ended_ns;
  const seen = ["The server saw you leave after ", figure(nanos(entry.ended_ns))];
  if (!entry.released_ns || after < 0) return [...seen, "; this route holds no slot."];
  return [...seen, " and released the slot ", el("strong", { class: "figure", "data-testid": "released-after" }, nanos(after)), " later."];
}

const endings = {
  stopped: (_, at) => ({ level: "info", title: `Stopped by you after ${ms(at)}`, detail: "" }),
  unsent: (o) => ({ level: "warning", title: "Not sent", detail: o.message }),
  cut: (o, at) => ({ level: "warning", title: `Cut off after ${ms(at)}`, detail: o.message }),
  broken: (o, at) => ({ level: "error", title: `The connection broke after ${ms(at)}`, detail: `${o.message} The scenario may do that on purpose, or the server has gone.` }),
  refused: (o) => ({
    level: "error",
    title: o.midway ? `Error amid the stream: ${o.type}` : `${o.status} ${o.type}`,
    detail: [o.message || "It says no more than that.", o.retryAfter && `retry-after: ${o.retryAfter}`].filter(Boolean).join("\n"),
  }),
};

function nameOf(block) {
  switch (block.type) {
    case "thinking": return "Thinking";
    case "redacted_thinking": return "Thinking, withheld";
    case "tool_use": case "server_tool_use": return `Calls the tool ${block.name ?? ""}`;
    default: return String(block.type ?? "a block without a type");
  }
}

// restOf is what a block of another kind holds that doesn't come in deltas.
function restOf({ type, id, name, input, ...rest }) {
  return Object.keys(rest).length === 0 ? "" : JSON.stringify(rest, null, 2);
}

// prompt is the other side of the conversation.
export function prompt(text) {
  return el("article", { class: "prompt", "aria-label": "You", "data-testid": "prompt", dir: "auto" }, text);
}

// empty is what a transcript shows before anything was said.
export function empty(transcript, examples, use) {
  replace(transcript, notice("empty", "Nothing said yet", "Write below, or begin with one of these.",
    examples.map((text) => el("button", { type: "button", onclick: () => use(text) }, text))));
}
