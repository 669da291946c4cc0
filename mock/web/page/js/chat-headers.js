// Headers as they are written in a field: "Name: value", one a line.

const name = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/; // a token of RFC 9110

// readHeaders is {headers, wrong}: those lines that can be sent, by name in small letters, and what is wrong with the first of
// the others, "" for none.
export function readHeaders(text) {
  const headers = new Map();
  let wrong = "";
  text.split("\n").forEach((line, i) => {
    if (line.trim() === "") return;
    const [key, value] = line.split(/:(.*)/s).map((part) => part.trim());
    const problem = problemOf(key, value, line.trim());
    if (problem) wrong ||= `Line ${i + 1}: ${problem}`;
    else headers.set(key.toLowerCase(), [headers.get(key.toLowerCase()), value].filter(Boolean).join(", "));
  });
  return { headers: Object.fromEntries(headers), wrong };
}

function problemOf(key, value, line) {
  if (value === undefined) return `“${short(line)}” has no colon. Write it as Name: value.`;
  if (key === "") return "there is no name before the colon. Write it as Name: value.";
  if (!name.test(key)) return `“${short(key)}” can't be a name: letters, digits and hyphens can. Write it as Name: value.`;
  const odd = /[^\x01-\xff]/u.exec(value)?.[0];
  if (odd) return `“${odd === "\0" ? "NUL" : odd}” can't be in a value, which holds characters of ISO-8859-1 only. Write it as ${short(key)}: value, without it.`;
  if (!new Request("/", { headers: { [key]: value } }).headers.has(key)) return `no browser lets a page send ${short(key)}. Take the line out; another client can send it.`;
  return "";
}

const short = (text) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
