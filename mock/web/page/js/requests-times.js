// What an entry of the journal says of time, in milliseconds from the request's arrival, and scales to draw it by.

const delta = "content_block_delta";
const inMs = (ns) => ns / 1e6;
const planned = (step) => (step?.planned_ns === null ? Infinity : inMs(step.planned_ns)); // null: it never comes
const sent = (step) => (step && step.actual_ns >= 0 ? inMs(step.actual_ns) : null);

// timesOf gives the steps with their times, the phases with what was planned and what came to be ([from, to]; to is
// null while it isn't known), and the last instant that there is to show.
export function timesOf(entry) {
  const steps = entry.steps.map((s) => ({
    kind: s.kind, event: s.event ?? "", tokens: s.tokens, bytes: s.bytes, planned: planned(s), sent: sent(s),
  }));
  const ended = entry.ended_ns > 0 ? inMs(entry.ended_ns) : null;
  const marks = [{ name: "waiting", of: "arrival to headers", at: 0 }];
  const deltas = steps.map((s, i) => (s.event === delta ? i : -1)).filter((i) => i >= 0);
  if (deltas.length > 0) {
    marks.push({ name: "first token", of: "headers to first delta", at: deltas[0] });
    marks.push({ name: "streaming", of: "first to last delta", at: deltas.at(-1) });
  }
  marks.push({ name: deltas.length > 0 ? "ending" : "body", of: deltas.length > 0 ? "last delta to end" : "headers to end", at: steps.length - 1 });
  let from = null;
  const phases = steps.length === 0 ? [] : marks.map(({ name, of, at }) => {
    const to = steps[at], since = from;
    from = to;
    const begun = since ? since.sent : 0;
    return { name, of, planned: [since ? since.planned : 0, to.planned], sent: begun === null ? null : [begun, to.sent ?? ended] };
  });
  const finite = steps.flatMap((s) => [s.planned, s.sent]).filter((t) => t !== null && Number.isFinite(t));
  return {
    steps, phases, ended, parts: partsOf(entry),
    released: entry.released_ns > 0 ? inMs(entry.released_ns) : null,
    last: Math.max(0.1, ...bounds(finite), ended ?? 0),
    latest: Math.max(0, ...bounds(steps.map(lateness).filter((l) => l !== null))),
  };
}

// bounds is the greatest of a list that may be too long to be spread.
const bounds = (list) => (list.length === 0 ? [] : [list.reduce((a, b) => Math.max(a, b))]);

// lateness is by how much a step was late, in milliseconds; null when it wasn't sent.
export function lateness(step) {
  return step.sent === null || !Number.isFinite(step.planned) ? null : step.sent - step.planned;
}

function partsOf(entry) {
  let at = 0;
  return Object.entries(entry.parts_ns ?? {}).map(([name, ns]) => {
    const part = { name, from: at, to: at + inMs(ns) };
    at = part.to;
    return part;
  });
}

// scale maps times from 0 to last onto 0 to 1. The logarithmic one begins straight: its first millisecond is as it is.
export function scale(kind, last) {
  const to = kind === "log" ? (t) => Math.log1p(Math.max(t, 0)) / Math.log1p(last) : (t) => t / last;
  return (t) => Math.min(Math.max(to(t), 0), 1);
}

// ticks are round times from 0 to last, at most so many.
export function ticks(kind, last, most) {
  if (kind === "log") {
    const all = [0];
    for (let t = 1; t <= last; t *= 10) all.push(t);
    return all.length > most ? all.filter((_, i) => i % 2 === 1 || i === 0) : all;
  }
  const rough = last / most, ten = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((n) => n * ten >= rough) * ten;
  return Array.from({ length: Math.floor(last / step + 1e-9) + 1 }, (_, i) => i * step);
}
