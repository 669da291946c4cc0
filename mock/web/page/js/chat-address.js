// The chat's settings as a query, so that they can be passed on: a=SCENARIO&b=SCENARIO&speed=0.1&clock=stepped.

import { speedName, speeds } from "./chat-controls.js";

// readAddress is what a query asks for; null when it names no setting. What it leaves out is as in a new page, but for
// the scenario, which stays. wrong are sentences about what can't be had.
export function readAddress(query, names, scenario) {
  const [a, b, speed, clock] = ["a", "b", "speed", "clock"].map((name) => query.get(name) ?? "");
  if (!(a || b || speed || clock)) return null;
  const known = (name) => name === scenario || names.includes(name);
  const fast = speeds.find((s) => String(s) === speed || s === Number(speed));
  const wrong = [
    a && !known(a) && `There is no scenario “${a}”: ${scenario} is used instead.`,
    b && !known(b) && `There is no scenario “${b}” to put beside it: one conversation is shown.`,
    speed && !fast && `“${speed}” is no speed: ${speedName(1)} is used instead. There are ${speeds.join(", ")}.`,
    clock && clock !== "stepped" && clock !== "real" && `“${clock}” is no clock: the real one is used instead. There are real, stepped.`,
  ].filter(Boolean);
  return { a: known(a) ? a : scenario, b: b && known(b) ? b : null, speed: fast ?? 1, stepped: clock === "stepped", wrong };
}

export function addressOf({ a, b, speed, stepped }) {
  const query = new URLSearchParams({ a });
  if (b) query.set("b", b);
  if (speed !== 1) query.set("speed", speed);
  if (stepped) query.set("clock", "stepped");
  return `#/chat?${query}`;
}
