// The chat: one conversation, or two scenarios side by side from one prompt.

import { get } from "./api.js";
import { addressOf, readAddress } from "./chat-address.js";
import { makeComposer } from "./chat-composer.js";
import { makeControls } from "./chat-controls.js";
import { SteppedClock } from "./chat-clock.js";
import { Lane } from "./chat-lane.js";
import { examples, otherOf, pairs } from "./chat-presets.js";
import { makeSpeaker } from "./chat-speaker.js";
import { stepLanes } from "./chat-steps.js";
import { roundUp } from "./chat-strip.js";
import { el, notice, perFrame, replace } from "./dom.js";
import { ms } from "./format.js";

export async function mount(root, { query, announce, onroute, signal }) {
  replace(root, el("p", { class: "faint", role: "status" }, "Asking the server for its scenarios…"));
  const { scenarios, playing } = await get("scenarios", { signal });
  kept ??= new Chat(scenarios, announce, playing);
  const chat = kept;
  chat.offer(scenarios);
  chat.arrange(query);
  let latest = null;
  onroute(async (to) => {
    latest = to;
    try {
      chat.offer((await get("scenarios", { signal })).scenarios); // there may be more of them
    } catch { /* those that are known will do */ }
    if (latest === to && !signal.aborted) chat.arrange(to.query);
  });
  replace(root, chat.node);
  if (matchMedia("(pointer: fine)").matches) chat.composer.focus(); // elsewhere that opens a keyboard over half the page
  addEventListener("keydown", (e) => { if (e.key === "Escape" && chat.busy) chat.stop(); }, { signal });
  return () => chat.composer.drop();
}

// A conversation stays while another view is looked at, and an answer under way goes on.
let kept = null;

class Chat {
  lanes = [];

  constructor(scenarios, announce, scenario) {
    this.announce = announce;
    this.offer(scenarios);
    this.speaker = makeSpeaker();
    this.lanes.push(this.makeLane("a", scenario));
    this.controls = makeControls({
      compare: (wanted) => this.compare(wanted ? otherOf(this.lanes[0].scenario, this.names) : null),
      settings: () => this.changed(),
      clear: () => this.clear(),
      next: () => this.steer((lanes) => stepLanes(lanes)),
      hold: () => this.steer((lanes) => Promise.all(lanes.map((l) => l.clock.move({ hold: true })))),
      release: () => this.steer((lanes) => Promise.all(lanes.map((l) => l.clock.move({ release: true })))),
    });
    this.composer = makeComposer({
      send: (text) => this.send(text), stop: () => this.stop(), announce: this.announce,
      settings: () => ({ scenario: this.lanes.at(-1).scenario, request: this.lanes.at(-1).request, speed: this.controls.speed }),
    });
    this.room = el("div", { class: "lanes" });
    this.trouble = el("div", { class: "chat-trouble" });
    this.node = el("div", { class: "chat" }, this.controls.node, this.offers(), this.trouble, this.room, this.composer.node, this.speaker.node);
    this.draw = perFrame(() => this.frame());
    this.compare(null);
  }

  offer(scenarios) {
    this.scenarios = scenarios;
    this.names = scenarios.map((s) => s.scenario);
    for (const lane of this.lanes) lane.offer(scenarios);
  }

  // arrange makes the settings what an address asks for; one that asks for nothing changes nothing.
  arrange(query) {
    const asked = readAddress(query, this.names, this.lanes[0].scenario);
    if (asked) {
      const { a, b, speed, stepped, wrong } = asked;
      if (a !== this.lanes[0].scenario) this.lanes[0].choose(a);
      if (b !== (this.lanes[1]?.scenario ?? null)) this.compare(b);
      this.controls.set(speed, stepped);
      replace(this.trouble, wrong.length > 0 && notice("warning", "The address asks for what there isn't", wrong.join("\n")));
      if (wrong.length > 0) this.announce(wrong.join(" "));
    }
    this.settled();
  }

  get busy() { return this.lanes.some((l) => l.busy); }

  makeLane(name, scenario) {
    return new Lane({
      name, scenario, examples, scenarios: this.scenarios,
      scale: () => this.scale(),
      onchange: () => this.changed(),
      onexample: (text) => this.send(text),
      onprogress: (lane, piece) => { if (this.lanes.length === 1) this.speaker.hear(piece); },
      onrecord: () => this.draw(),
    });
  }

  // offers are the pairs that the articles compare.
  offers() {
    const there = pairs.filter((p) => this.names.includes(p.old) && this.names.includes(p.new));
    return el("p", { class: "pairs" }, there.length > 0 && el("span", { class: "faint" }, "Old path beside new:"), there.map((pair) =>
      el("button", { type: "button", class: "quiet", title: pair.title, "data-testid": `pair-${pair.new}`, onclick: () => this.choosePair(pair) }, pair.new)));
  }

  choosePair(pair) {
    this.stop();
    this.lanes[0].choose(pair.old);
    this.compare(pair.new);
    this.clear();
  }

  // compare puts a scenario beside the first lane's; null is for none.
  compare(scenario) {
    this.lanes[1]?.stop();
    this.lanes.length = 1;
    if (scenario) this.lanes.push(this.makeLane("b", scenario));
    this.controls.setCompare(Boolean(scenario));
    this.lanes[0].figures.begin();
    replace(this.room, this.lanes.map((l) => l.node));
    this.room.classList.toggle("is-double", this.lanes.length > 1);
    this.settled();
  }

  // changed is told of what the reader has set: what was said of the settings before is over.
  changed() {
    replace(this.trouble);
    this.settled();
  }

  // settled keeps the settings in the address, so that it can be passed on.
  settled() {
    const { speed, stepped } = this.controls;
    history.replaceState(null, "", addressOf({ a: this.lanes[0].scenario, b: this.lanes[1]?.scenario, speed, stepped }));
    this.draw();
  }

  // send is whether text could be sent.
  send(text) {
    if (this.busy || !this.lanes.every((lane) => lane.fit())) return false;
    this.exchange(text);
    return true;
  }

  async exchange(text) {
    replace(this.trouble);
    this.composer.setBusy(true);
    this.first = null;
    const how = { speed: this.controls.speed, stepped: this.controls.stepped };
    const lanes = [...this.lanes];
    const answers = lanes.map(async (lane) => {
      const outcome = await lane.send(text, how);
      this.judge(lane, outcome, lanes);
      return { lane, outcome };
    });
    this.animate();
    const ends = await Promise.all(answers);
    this.composer.setBusy(false);
    this.draw();
    this.say(ends);
  }

  // judge marks the lane whose answer is complete first, and says of the other by how much it came later.
  judge(lane, { kind, timing }, lanes) {
    if (lanes.length < 2) return;
    if (kind !== "complete") return lane.figures.judge(kind === "stopped" ? "Stopped" : "No whole answer", false);
    if (!this.first) {
      this.first = timing;
      lane.figures.judge("Finished first", true);
    } else {
      lane.figures.judge(`${ms(Math.max(0, timing.total - this.first.total))} later`, false);
    }
  }

  say(ends) {
    this.speaker.finish();
    this.announce(ends.map(({ lane, outcome: { kind, timing } }) => {
      const how = { complete: "complete", stopped: "stopped" }[kind] ?? "ended with an error";
      const first = ends.length > 1 && timing === this.first ? "finished first, " : "";
      return `${lane.scenario}: ${first}${how} after ${ms(timing?.total)}${ends.length > 1 ? `. ${lane.answer?.said.slice(0, 300) ?? ""}` : ""}`;
    }).join(" "));
  }

  stop() {
    for (const lane of this.lanes) lane.stop();
  }

  clear() {
    for (const lane of this.lanes) {
      lane.clear();
      lane.figures.begin();
    }
    replace(this.trouble);
    this.draw();
    this.composer.focus();
  }

  stepping() {
    return this.lanes.filter((l) => l.busy && l.clock instanceof SteppedClock && l.clock.from !== undefined);
  }

  async steer(how) {
    if (this.steering) return;
    this.steering = true;
    this.draw();
    try {
      replace(this.trouble);
      await how(this.stepping());
    } catch (e) {
      replace(this.trouble, notice("warning", "The clock didn't move", e.detail || e.message));
    }
    this.steering = false;
    this.draw();
  }

  // scale is the one that all strips share.
  scale() {
    const time = Math.max(200, ...this.lanes.map((l) => l.at));
    const gap = Math.max(10, ...this.lanes.map((l) => l.timing.gaps().max ?? 0));
    return { time: roundUp(time), gap };
  }

  frame() {
    const scale = this.scale();
    for (const lane of this.lanes) lane.draw(scale);
    const stepped = this.stepping();
    this.controls.clock(stepped.length === 0 ? null : { held: stepped.some((l) => l.clock.held), at: Math.max(...stepped.map((l) => l.clock.now())), busy: this.steering });
  }

  // animate draws every frame for as long as an answer is under way.
  animate() {
    this.frame();
    if (this.busy) requestAnimationFrame(() => this.animate());
  }
}
