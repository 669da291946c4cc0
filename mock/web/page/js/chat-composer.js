// Where messages are written. Enter sends, Shift+Enter breaks the line, Escape stops; Tab takes a suggestion.

import { makeSuggester } from "./chat-suggest.js";
import { el } from "./dom.js";
import { ms } from "./format.js";

const stored = "orrery.suggest";

// makeComposer: on has send(text), which is whether it was sent, stop(), announce(text), and settings() for suggestions.
export function makeComposer(on) {
  const input = el("textarea", {
    id: "message", rows: 2, placeholder: "Write a message", "aria-describedby": "message-keys", "data-testid": "message", dir: "auto",
    oninput: typed, onkeydown: pressed, onscroll: () => { ghost.scrollTop = input.scrollTop; }, onblur: () => dismiss(),
  });
  const shadow = el("span", { class: "ghost-draft" });
  const words = el("span", { class: "ghost-words", "data-testid": "suggestion" });
  const ghost = el("div", { class: "ghost", "aria-hidden": "true" }, shadow, words);
  // A press must not take the focus from the text, which would dismiss what it accepts.
  const take = el("button", { type: "button", class: "quiet take", hidden: true, "data-testid": "accept-suggestion", onpointerdown: (e) => e.preventDefault(), onclick: accept }, "Take the suggestion");
  const told = el("span", { class: "figure", "data-testid": "suggestion-time" });
  const wanted = el("input", { type: "checkbox", id: "suggest", checked: remembered(), "data-testid": "suggest", onchange: () => { remember(wanted.checked); dismiss(); } });
  const send = el("button", { type: "submit", class: "primary", "data-testid": "send" }, "Send");
  const stop = el("button", { type: "button", class: "danger", disabled: true, "data-testid": "stop", onclick: on.stop }, "Stop");

  const node = el("form", { class: "composer", onsubmit: (e) => { e.preventDefault(); submit(); } },
    el("label", { class: "unseen", for: "message" }, "Message"),
    el("div", { class: "composer-text" }, ghost, input),
    el("div", { class: "composer-buttons" }, send, stop),
    el("p", { class: "composer-hints faint" },
      el("span", { id: "message-keys" }, el("kbd", null, "Enter"), " sends, ", el("kbd", null, "Shift+Enter"), " breaks the line, ", el("kbd", null, "Esc"), " stops"),
      el("label", { class: "check", for: "suggest" }, wanted, "Suggest after a pause of 300 ms"),
      told, take));

  let suggestion = "", busy = false;
  const suggester = makeSuggester(on.settings, {
    text: show,
    done({ text, ttft }) {
      show(text);
      told.textContent = `first word after ${ms(ttft)}`;
      on.announce(`Suggestion: ${text.trim()}. Tab takes it, Escape dismisses it.`);
    },
    failed(why) { told.textContent = `no suggestion: ${why}`; },
  });

  function typed() {
    dismiss();
    if (wanted.checked && input.selectionEnd === input.value.length) suggester.typed(input.value);
  }

  function show(text) {
    suggestion = text;
    shadow.textContent = input.value;
    words.textContent = text;
    ghost.scrollTop = input.scrollTop;
    take.hidden = false;
  }

  // dismiss reports whether there was a suggestion.
  function dismiss() {
    suggester.drop();
    const had = suggestion !== "";
    suggestion = shadow.textContent = words.textContent = told.textContent = "";
    take.hidden = true;
    return had;
  }

  function accept() {
    input.value += suggestion;
    dismiss();
    on.announce("Taken.");
    input.focus();
  }

  function pressed(e) {
    if (e.isComposing) return;
    if (e.key === "Enter" && !e.shiftKey) {
      e.preventDefault();
      submit();
    } else if (e.key === "Tab" && !e.shiftKey && suggestion !== "") {
      e.preventDefault();
      accept();
    } else if (e.key === "Escape" && dismiss()) {
      e.stopPropagation();
    } else if (/^(Arrow|Home|End|Page)/.test(e.key)) {
      dismiss();
    }
  }

  function submit() {
    const text = input.value.trim();
    if (busy) on.announce("An answer is under way; Escape stops it.");
    if (text === "" || busy) return;
    dismiss();
    if (on.send(text)) input.value = "";
  }

  return {
    node,
    focus: () => input.focus(),
    drop: dismiss,
    // An answer under way can be stopped, and the next one written meanwhile, but not sent.
    setBusy(is) {
      busy = is;
      send.disabled = is;
      stop.disabled = !is;
    },
  };
}

function remembered() {
  try {
    return localStorage.getItem(stored) !== "off";
  } catch {
    return true;
  }
}

function remember(on) {
  try {
    localStorage.setItem(stored, on ? "on" : "off");
  } catch { /* it holds until the page is left */ }
}
