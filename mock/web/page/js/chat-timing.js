// What a client sees of an answer's pace: first token, gaps, total, in milliseconds from sending.

export class Timing {
  ttft = null;
  total = null;
  stamps = []; // of delta events

  delta(at) {
    this.ttft ??= at;
    this.stamps.push(at);
  }

  end(at) {
    this.total = at;
  }

  // last is how far the answer has come.
  get last() {
    return this.total ?? this.stamps.at(-1) ?? 0;
  }

  // gaps gives median and longest. The sorted list is kept: an answer in flight asks in every frame.
  gaps() {
    this.sorted ??= [];
    this.counted ??= 1;
    for (; this.counted < this.stamps.length; this.counted++) insert(this.sorted, this.stamps[this.counted] - this.stamps[this.counted - 1]);
    const n = this.sorted.length;
    return n === 0 ? { p50: null, max: null } : { p50: this.sorted[(n - 1) >> 1], max: this.sorted[n - 1] };
  }
}

// timingOf is the timing that a journal's entry tells, by the run's clock.
export function timingOf(entry) {
  const timing = new Timing();
  for (const step of entry.steps ?? []) if (step.event === "content_block_delta" && step.actual_ns >= 0) timing.delta(step.actual_ns / 1e6);
  timing.end(entry.ended_ns / 1e6);
  return timing;
}

function insert(sorted, value) {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= value) low = middle + 1;
    else high = middle;
  }
  sorted.splice(low, 0, value);
}
