// Suggestions as you type: after a pause the same API is asked for the next few words, in a run of its own.

import { post } from "./api.js";
import { ask } from "./chat-request.js";

const pause = 300; // ms without a key
const system = "Complete what the user is typing, in a few words.";

// makeSuggester: settings() gives {scenario, speed, request}; on.text(all) is called as words come, on.done({text, ttft}) or
// on.failed(why) at the end.
export function makeSuggester(settings, on) {
  let timer = 0, aborter = null, run = null;

  function drop() {
    clearTimeout(timer);
    aborter?.abort();
    aborter = null;
  }

  // typed is told of each key; another key ends what the last one asked for.
  function typed(draft) {
    drop();
    if (draft.trim().length >= 3) timer = setTimeout(() => suggest(draft), pause);
  }

  async function suggest(draft) {
    const { signal } = aborter = new AbortController();
    const { scenario, speed, request } = settings();
    if (request.wrong) return on.failed("a header is wrong");
    try {
      const key = JSON.stringify([scenario, speed]);
      if (run?.key !== key) {
        const made = await post("runs", { scenario, speed, label: "suggestions as you type" }, { signal });
        run = { key, name: made.run };
      }
      const from = performance.now();
      let text = "", ttft = null;
      const body = { model: request.model, max_tokens: 8, stream: request.stream, system, messages: [{ role: "user", content: draft }] };
      const outcome = await ask({ scenario, run: run.name, body, headers: request.headers, signal }, {
        delta: (_, kind, piece) => {
          if (kind !== "text" || signal.aborted) return;
          ttft ??= performance.now() - from;
          text += piece;
          on.text(oneLine(draft, text));
        },
      });
      if (signal.aborted) return;
      if (outcome.kind === "complete" && text.trim() !== "") on.done({ text: oneLine(draft, text), ttft });
      else on.failed(outcome.status && outcome.kind === "refused" ? `${outcome.status} ${outcome.type}` : "no answer");
    } catch (e) {
      if (!signal.aborted) on.failed(e.title ?? "no answer");
    }
  }

  return { typed, drop };
}

// oneLine is a suggestion as it goes on after the draft.
function oneLine(draft, text) {
  const words = text.replace(/\s+/g, " ");
  return /\s$/.test(draft) ? words.trimStart() : ` ${words.trimStart()}`;
}
