// One request to the Messages API, sent as any client would send it, and what comes back.

import { checkHealth, reach, root } from "./api.js";
import { readEvents } from "./sse.js";

const always = {
  "content-type": "application/json", "anthropic-version": "2023-06-01", "x-api-key": "any",
  "anthropic-dangerous-direct-browser-access": "true",
};

// pathOf is where clients of a run send their requests.
function pathOf(scenario, run) {
  const part = (name) => encodeURIComponent(name).replaceAll("%40", "@");
  return new URL(`scenarios/${part(scenario)}/runs/${part(run)}/v1/messages`, root);
}

// ask sends a request and tells what comes back as it comes:
//   on.head({status, requestId}), on.block(index, block), on.delta(index, kind, text), on.stop({reason, usage}).
// kind is "text", "thinking" or "input" (of a tool, as JSON). It resolves with how the answer ended:
//   {kind: "complete" | "refused" | "cut" | "broken" | "stopped" | "unsent", status, type, message, retryAfter}.
export async function ask({ scenario, run, body, headers, signal }, on) {
  let response, sent;
  try {
    sent = new Headers({ ...always, ...headers });
  } catch (e) {
    return { kind: "unsent", message: e.message };
  }
  try {
    response = await reach(pathOf(scenario, run), { method: "POST", signal, headers: sent, body: JSON.stringify(body) });
    on.head?.({ status: response.status, requestId: response.headers.get("request-id") ?? "" });
    if (!response.ok) return refusal(response, await response.text());
    const kind = response.headers.get("content-type") ?? "";
    if (kind.includes("event-stream")) return await readStream(response, on);
    if (kind.includes("json")) return readWhole(await response.json(), on);
    if (!response.body) return { kind: "cut", status: response.status, message: `HTTP ${response.status}, with no body.` };
    return await readBare(response, on);
  } catch (e) {
    if (signal?.aborted) return { kind: "stopped" };
    checkHealth();
    return { kind: "broken", status: response?.status, message: response ? `It broke off: ${e.message}.` : "No answer came." };
  }
}

function refusal(response, text) {
  const refused = { kind: "refused", status: response.status, type: "", message: text.slice(0, 2000), retryAfter: response.headers.get("retry-after") };
  try {
    const { error } = JSON.parse(text);
    return { ...refused, type: error.type ?? "", message: error.message ?? "" };
  } catch {
    return refused; // a proxy's page, say; it is shown as it is
  }
}

async function readStream(response, on) {
  let ended = null, reason = null, usage = {};
  const take = ({ event, data }) => {
    if (ended || event === "ping") return;
    let told;
    try {
      told = JSON.parse(data);
    } catch {
      ended = { kind: "broken", status: response.status, message: `an event holds no JSON: ${data.slice(0, 200)}` };
      return;
    }
    switch (told.type ?? (told.error ? "error" : event)) {
      case "message_start":
        usage = { ...told.message?.usage };
        break;
      case "content_block_start":
        on.block?.(told.index, told.content_block ?? {});
        break;
      case "content_block_delta":
        tellDelta(told, on);
        break;
      case "message_delta":
        reason = told.delta?.stop_reason ?? reason;
        usage = { ...usage, ...told.usage };
        break;
      case "message_stop":
        on.stop?.({ reason, usage });
        ended = { kind: "complete", status: response.status };
        break;
      case "error":
        ended = { kind: "refused", status: response.status, type: told.error?.type ?? "", message: told.error?.message ?? "", midway: true };
    }
  };
  try {
    await readEvents(response.body, take);
  } catch (e) {
    if (!ended) throw e; // what comes after the message's end is no matter
  }
  return ended ?? { kind: "cut", status: response.status, message: "The stream ended without message_stop." };
}

function tellDelta({ index, delta = {} }, on) {
  if (delta.type === "text_delta") on.delta?.(index, "text", delta.text ?? "");
  else if (delta.type === "thinking_delta") on.delta?.(index, "thinking", delta.thinking ?? "");
  else if (delta.type === "input_json_delta") on.delta?.(index, "input", delta.partial_json ?? "");
}

function readWhole(message, on) {
  if (message.type === "error") return { kind: "refused", status: 200, type: message.error?.type ?? "", message: message.error?.message ?? "" };
  (message.content ?? []).forEach((block, index) => {
    on.block?.(index, block);
    if (block.type === "text") on.delta?.(index, "text", block.text ?? "");
    else if (block.type === "thinking") on.delta?.(index, "thinking", block.thinking ?? "");
    else if (block.input !== undefined) on.delta?.(index, "input", JSON.stringify(block.input));
  });
  on.stop?.({ reason: message.stop_reason, usage: message.usage ?? {} });
  return { kind: "complete", status: 200 };
}

// readBare reads a stream that is text and nothing else, as one scenario sends it.
async function readBare(response, on) {
  on.block?.(0, { type: "text" });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    on.delta?.(0, "text", value);
  }
  on.stop?.({ reason: null, usage: {} });
  return { kind: "complete", status: response.status };
}
