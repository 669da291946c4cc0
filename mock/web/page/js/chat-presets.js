// What the built-in scenarios want of a request so that it shows what they are for, and the pairs that the three
// articles compare. Any other scenario gets a plain request.

const plain = { model: "claude-sonnet-5", headers: "", stream: true };
const wants = {
  zlip: { ...plain, model: "claude-3-5-sonnet-20240620" },
  "zero-plane": { model: "claude-3-5-sonnet-20241022", headers: "X-Anthropic-Experimental: zero-plane-2024", stream: false },
};

export const pairs = [
  { title: "Article 1: first tokens at 17 ms", old: "zlip-legacy", new: "zlip" },
  { title: "Article 2: gaps of 20 and 90 ms", old: "zio-legacy", new: "zio" },
  { title: "Article 3: one narrow band", old: "zero-plane-legacy", new: "zero-plane" },
];

// wantedBy is the request that shows a scenario. A draft is taken as the scenario that it is a draft of.
export function wantedBy(scenario) {
  const of = scenario.replace(/@.*$/, "");
  const family = Object.keys(wants).find((name) => of === name || of.startsWith(`${name}-`));
  return wants[family] ?? plain;
}

// otherOf is the scenario that one is best compared with, among those that there are.
export function otherOf(scenario, names) {
  const of = scenario.replace(/@.*$/, "").replace(/-legacy$/, "");
  return [of, `${of}-legacy`, "zlip", "zio"].find((name) => name !== scenario && names.includes(name)) ?? scenario;
}

export const examples = ["What is an orrery?", "Explain P99 latency in three sentences.", "Count to twenty, slowly."];
