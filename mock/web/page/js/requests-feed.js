// The journal as the page holds it: the newest requests, those under way among them, kept up to date.

import { connection, get, stream } from "./api.js";

// most is how many requests are held; the oldest go first.
export const most = 10000;
const perPage = 500;
const perSecond = 500; // requests that the stream tells of: nobody reads more, and the rest is asked for when it is calm again
const lookEvery = 1000; // ms, at those under way
const againAfter = 2000; // ms, when the stream broke
const fillAfter = 2000; // ms without a loss, until what the stream left out is asked for

const isOpen = (request) => request.outcome === "open";

// Feed holds what matches filter (the journal's own parameters) and calls changed() when it holds something else.
// list is in order of arrival; state is "loading", "live", "lost" or "refused" (problem says why).
export class Feed {
  list = [];
  state = "loading";
  problem = null;
  dropped = 0;

  #filter;
  #changed;
  #bySequence = new Map();
  #open = new Map(); // sequence -> in how many looks it was missing
  #unsorted = false;
  #stamp = 0; // of the latest change; each request has that of its own
  #stale = false; // what is held is from before, and goes when something comes
  #stopping = null;
  #timer = 0;
  #filling = 0;
  #reconnected = () => this.state === "lost" && this.start();
  // A browser has few connections to a server: a page that nobody sees takes none.
  #seen = () => (document.hidden ? this.#halt() : this.state !== "refused" && this.start());

  constructor(filter, changed) {
    this.#filter = filter;
    this.#changed = changed;
    connection.addEventListener("connected", this.#reconnected);
    document.addEventListener("visibilitychange", this.#seen);
    this.start();
  }

  stop() {
    connection.removeEventListener("connected", this.#reconnected);
    document.removeEventListener("visibilitychange", this.#seen);
    this.#halt();
  }

  #halt() {
    this.#stopping?.abort();
    clearTimeout(this.#timer);
    clearTimeout(this.#filling);
  }

  // start begins anew, as after a lost connection: the server may be another one. Until it tells something, what was
  // held is still there.
  start() {
    this.#halt();
    this.#stopping = new AbortController();
    this.#stale = true;
    this.#tell("loading");
    this.#follow(this.#stopping.signal);
  }

  #renew() {
    if (!this.#stale) return;
    this.#stale = false;
    this.list = [];
    this.dropped = 0;
    this.#bySequence.clear();
    this.#open.clear();
  }

  get(sequence) {
    return this.#bySequence.get(sequence);
  }

  get open() {
    return this.#open.size;
  }

  #path(of, more) {
    return `journal${of}?${new URLSearchParams({ ...this.#filter, ...more, fields: "summary" })}`;
  }

  #tell(state, problem = null) {
    this.state = state;
    this.problem = problem;
    this.#changed();
  }

  async #follow(signal) {
    try {
      // The stream is open before the first page is asked for, so that nothing ends unseen between them.
      await stream(this.#path("/tail", { most: perSecond }), {
        signal,
        onopen: () => this.#load(signal).catch((e) => this.#fail(e, signal)),
        onevent: (e) => this.#hear(e, signal),
      });
      if (!signal.aborted) this.#lose();
    } catch (e) {
      this.#fail(e, signal);
    }
  }

  #fail(error, signal) {
    if (signal.aborted) return;
    if (error.name !== "Problem") return this.#lose();
    this.#halt();
    this.#tell("refused", error);
  }

  #lose() {
    if (document.hidden) return;
    this.#halt();
    this.#tell("lost");
    this.#timer = setTimeout(() => connection.up && this.start(), againAfter);
  }

  #hear({ event, data }, signal) {
    if (event === "request") {
      this.#renew();
      this.#put(JSON.parse(data));
      this.#changed();
    } else if (event === "dropped") {
      // What the stream left out is still in the journal.
      const { dropped } = JSON.parse(data);
      if (dropped > this.dropped) {
        clearTimeout(this.#filling);
        this.#filling = setTimeout(() => this.#load(signal).catch((e) => this.#fail(e, signal)), fillAfter);
      }
      this.dropped = dropped;
    }
  }

  async #load(signal) {
    let before = 0;
    for (let held = 0; held < most; held += perPage) {
      const page = await get(this.#path("", { newest: true, limit: perPage, ...(before && { before }) }), { signal });
      this.#renew();
      page.data.forEach((request) => this.#put(request));
      this.#tell("live");
      if (!before) this.#look(signal);
      if (!page.has_more || page.data.length === 0) return;
      before = page.data[0].sequence;
    }
  }

  // look asks for those under way, from the oldest of which we know on: the stream tells ends only.
  #look(signal) {
    clearTimeout(this.#timer);
    if (this.#filter.outcome && this.#filter.outcome !== "open") return;
    this.#timer = setTimeout(async () => {
      try {
        await this.#lookOnce(signal);
        if (!signal.aborted) this.#look(signal);
      } catch (e) {
        this.#fail(e, signal);
      }
    }, lookEvery);
  }

  async #lookOnce(signal) {
    const known = [...this.#open.keys()];
    const since = Math.max(Math.min(...known, this.list.at(-1)?.sequence ?? 1) - 1, 0);
    const { data, has_more } = await get(this.#path("", { outcome: "open", limit: 1000, ...(since && { after: since }) }), { signal });
    const seen = new Set();
    for (const request of data) {
      seen.add(request.sequence);
      this.#put(request);
    }
    if (!has_more) known.filter((sequence) => !seen.has(sequence)).forEach((sequence) => this.#miss(sequence));
    if (data.length > 0 || known.length > 0) this.#changed();
  }

  // miss forgets one under way that the journal has forgotten, or that is no longer what the filter asks for.
  #miss(sequence) {
    const looks = this.#open.get(sequence);
    if (looks === undefined) return;
    this.#open.set(sequence, looks + 1);
    if (looks < 1) return;
    this.#open.delete(sequence);
    this.#bySequence.delete(sequence);
    this.list = this.list.filter((request) => request.sequence !== sequence);
  }

  #put(request) {
    const { sequence } = request;
    const held = this.#bySequence.get(sequence);
    if (held && !isOpen(held) && isOpen(request)) return; // it ended meanwhile
    if (isOpen(request)) this.#open.set(sequence, 0);
    else this.#open.delete(sequence);
    request.stamp = ++this.#stamp;
    if (held) {
      Object.assign(held, request);
      return;
    }
    this.#bySequence.set(sequence, request);
    this.#unsorted ||= this.list.length > 0 && this.list.at(-1).sequence > sequence;
    this.list.push(request);
  }

  // settle brings the list in order and within its bound; called before it is drawn.
  settle() {
    if (this.#unsorted) this.list.sort((a, b) => a.sequence - b.sequence);
    this.#unsorted = false;
    if (this.list.length <= most) return;
    for (const { sequence } of this.list.splice(0, this.list.length - most)) {
      this.#bySequence.delete(sequence);
      this.#open.delete(sequence);
    }
  }
}
