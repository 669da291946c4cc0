// The clocks that an answer's times are read from: the reader's own, or a run's that is stepped by hand.

import { get, post } from "./api.js";

// WallClock counts real milliseconds from start.
export class WallClock {
  async start() {
    this.from = performance.now();
  }
  now() {
    return performance.now() - this.from;
  }
  stamp(note) {
    note(this.now());
  }
}

// SteppedClock counts the run's own milliseconds from start. While a step is under way, what arrives is noted
// with the instant that the step went to.
export class SteppedClock {
  constructor(scenario, run) {
    this.path = `runs/${encodeURIComponent(scenario)}/${encodeURIComponent(run)}/clock`;
    this.held = true;
    this.moving = 0;
    this.queue = [];
  }

  async start(signal) {
    this.take(await post(this.path, { hold: true }, { signal }));
    this.from = this.at;
  }

  take(told) {
    this.at = instant(told.now);
    this.held = told.held;
    this.since = performance.now();
    this.due = told.waiting.length > 0 ? told.waiting[0].in_ms : null;
  }

  now() {
    return this.at - this.from + (this.held ? 0 : performance.now() - this.since);
  }

  stamp(note) {
    if (this.moving > 0) this.queue.push(note);
    else note(this.now());
  }

  // next is when, from start, something is due; null when nothing waits.
  async next() {
    this.take(await get(this.path));
    return this.due === null ? null : this.now() + this.due;
  }

  // move is one of {next: 1}, {advance: "5ms"}, {hold: true}, {release: true}.
  async move(how) {
    this.moving++;
    try {
      this.take(await post(this.path, how));
    } finally {
      this.moving--;
      if (this.moving === 0) for (const note of this.queue.splice(0)) note(this.now());
    }
  }
}

// instant reads RFC 3339 to the microsecond and better; a Date has milliseconds only.
function instant(text) {
  const [, whole, fraction = "", zone] = /^(.*?)(\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(text);
  return Date.parse(whole + zone) + Number(`0${fraction}`) * 1000;
}
