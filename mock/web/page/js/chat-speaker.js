// Reads a streamed answer to who listens: whole sentences, a few at a time, so that speech isn't cut off by the next word.

import { el } from "./dom.js";

const enough = 120; // characters
const kept = 12;

export function makeSpeaker() {
  const node = el("div", { class: "unseen", role: "log", "aria-live": "polite", "aria-label": "The answer as it comes", "data-testid": "spoken" });
  let waiting = "";

  function say(text) {
    if (text.trim() === "") return;
    node.append(el("p", null, text.trim()));
    while (node.childElementCount > kept) node.firstChild.remove();
  }

  return {
    node,
    hear(piece) {
      waiting += piece;
      if (waiting.length < enough) return;
      const end = Math.max(...[". ", "! ", "? ", "\n", "。"].map((stop) => waiting.lastIndexOf(stop)));
      if (end < 0) return;
      say(waiting.slice(0, end + 1));
      waiting = waiting.slice(end + 1);
    },
    finish() {
      say(waiting);
      waiting = "";
    },
  };
}
