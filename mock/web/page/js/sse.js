// Server-sent events as a client must read them: in chunks cut anywhere, with any of the three line endings.

// eventReader returns a function to be fed with text. It calls onevent({event, data, id}) at each empty line.
export function eventReader(onevent) {
  let rest = "", afterReturn = false, first = true;
  let event = "", data = [], id = "";

  const line = (text) => {
    if (text === "") {
      if (data.length > 0) onevent({ event: event || "message", data: data.join("\n"), id });
      event = "";
      data = [];
      return;
    }
    const colon = text.indexOf(":");
    if (colon === 0) return; // a comment
    const field = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? "" : text.slice(colon + 1).replace(/^ /, "");
    if (field === "data") data.push(value);
    else if (field === "event") event = value;
    else if (field === "id") id = value;
  };

  return (chunk) => {
    if (chunk === "") return;
    if (first) chunk = chunk.replace(/^\uFEFF/, "");
    first = false;
    // The line feed of a pair may come a chunk later than its carriage return.
    if (afterReturn && chunk.startsWith("\n")) chunk = chunk.slice(1);
    afterReturn = chunk === "" ? false : chunk.endsWith("\r");
    const lines = (rest + chunk).split(/\r\n|\r|\n/);
    rest = lines.pop();
    lines.forEach(line);
  };
}

// readEvents reads a response's body to its end.
export async function readEvents(body, onevent) {
  const feed = eventReader(onevent);
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    feed(decoder.decode(value, { stream: true }));
  }
  feed(decoder.decode());
}
