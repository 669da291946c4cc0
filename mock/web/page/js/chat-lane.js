// A lane: a conversation with one scenario, and the pace of its latest answer. Two of them stand side by side.

import { get, post } from "./api.js";
import { Answer, empty, prompt } from "./chat-answer.js";
import { SteppedClock, WallClock } from "./chat-clock.js";
import { wantedBy } from "./chat-presets.js";
import { ask } from "./chat-request.js";
import { makeRequestForm } from "./chat-lane-form.js";
import { makeFigures } from "./chat-figures.js";
import { makeStrip } from "./chat-strip.js";
import { Timing, timingOf } from "./chat-timing.js";
import { el, notice, replace } from "./dom.js";

export class Lane {
  // options: name ("a" or "b"), scenarios, scenario, examples, onchange(), onexample(text), onprogress().
  constructor(options) {
    this.options = options;
    this.name = options.name;
    this.history = [];
    this.after = 0; // the journal's last sequence number of this run
    this.timing = new Timing();
    this.form = makeRequestForm(this.name, options.scenarios, (changed) => this.changed(changed));
    this.figures = makeFigures(this.name);
    this.strip = makeStrip(`lane-${this.name}-strip`);
    this.transcript = el("div", { class: "transcript", tabIndex: 0, role: "region", "data-testid": `lane-${this.name}-transcript`, onscroll: () => this.scrolled() });
    this.following = true; // the end of the transcript is kept in sight, unless the reader has gone back
    this.node = el("section", { class: "lane", "data-testid": `lane-${this.name}` }, this.form.node, this.figures.node, this.strip.node, this.transcript);
    this.choose(options.scenario);
    this.clear();
  }

  get scenario() { return this.form.scenario; }
  get busy() { return Boolean(this.aborter); }
  get at() { return this.busy && this.clock?.from !== undefined ? this.clock.now() : this.timing.last; }

  // offer lists the scenarios that there are, which may have become more.
  offer(scenarios) { this.form.offer(scenarios); }

  // request is what the lane asks with, beside the conversation.
  get request() { return this.form.request; }

  // fit is whether that can be sent.
  fit() { return this.form.fit(); }

  choose(scenario) {
    this.form.choose(scenario, wantedBy(scenario));
    const which = { a: "First", b: "Second" }[this.name];
    this.node.setAttribute("aria-label", `${which} conversation, with ${scenario}`);
    this.transcript.setAttribute("aria-label", `${which} transcript`);
    this.run = null;
  }

  changed(scenario) {
    if (scenario) this.choose(scenario);
    this.options.onchange();
  }

  clear() {
    this.stop();
    this.history = [];
    this.answer = null;
    this.timing = new Timing();
    this.figures.show(this.timing, 0);
    empty(this.transcript, this.options.examples, this.options.onexample);
  }

  stop() { this.aborter?.abort(); }

  // send asks for an answer to text; how is {speed, stepped}. It resolves with how that ended.
  async send(text, how) {
    const mine = this.aborter = new AbortController();
    if (this.history.length === 0) replace(this.transcript);
    const answer = this.answer = new Answer(this.scenario);
    this.transcript.append(prompt(text), answer.node);
    this.following = true;
    this.clock = null; // until its run is there
    const timing = this.timing = new Timing();
    this.figures.begin();
    let outcome = { kind: "broken", message: "the run could not be made" };
    try {
      await this.ready(how, mine.signal);
      outcome = await this.play(text, answer, timing, mine.signal);
      timing.end(this.clock.now());
      answer.ended(outcome, timing.total, el("button", { type: "button", onclick: () => this.options.onexample(text) }, "Send again"));
    } catch (e) {
      answer.foot.append(mine.signal.aborted ? notice("info", "Stopped by you before it was sent", "")
        : notice("error", e.title ?? "The run can't be made", e.detail || e.message));
      if (mine.signal.aborted) outcome = { kind: "stopped" };
    }
    this.aborter = null;
    this.remember(text, answer);
    this.draw(this.options.scale());
    this.strip.label(timing);
    if (this.run && outcome.kind !== "unsent") this.record(answer, timing, how.speed);
    if (outcome.kind === "broken") this.run = null; // the server may have begun anew, without it
    return { ...outcome, timing };
  }

  // ready makes the run that the settings ask for, unless it is there.
  async ready({ speed, stepped }, signal) {
    const key = JSON.stringify([this.scenario, speed, stepped]);
    if (this.run?.key !== key) {
      const made = await post("runs", { scenario: this.scenario, speed, clock: stepped ? "stepped" : "real", label: "the page's chat" }, { signal });
      this.run = { key, scenario: made.scenario, name: made.run };
      this.after = 0;
    }
    this.clock = stepped ? new SteppedClock(this.run.scenario, this.run.name) : new WallClock();
    await this.clock.start(signal);
  }

  play(text, answer, timing, signal) {
    const { model, maxTokens, stream, headers } = this.request;
    const body = { model, max_tokens: maxTokens, stream, messages: [...this.history, { role: "user", content: text }] };
    return ask({ scenario: this.run.scenario, run: this.run.name, body, headers, signal }, {
      block: (index, block) => answer.block(index, block),
      delta: (index, kind, piece) => {
        answer.delta(index, kind, piece);
        this.clock.stamp((at) => timing.delta(at));
        this.options.onprogress(this, piece);
      },
      stop: (told) => answer.stopped(told),
    });
  }

  // remember keeps an exchange for the next request's history, if there was an answer.
  remember(text, answer) {
    if (answer.said === "") return;
    this.history.push({ role: "user", content: text }, { role: "assistant", content: answer.said });
  }

  // record adds what the journal has about the answer. That is also where a stepped clock's times are exact.
  async record(answer, timing, speed) {
    const { scenario, name } = this.run;
    const query = new URLSearchParams({ scenario, run: name, n: 1, timeout: "5s" });
    if (this.after > 0) query.set("after", this.after);
    try {
      const entry = (await get(`journal/wait?${query}`)).data.at(-1);
      this.after = entry.sequence;
      if (this.clock instanceof SteppedClock && this.timing === timing) this.timing = timingOf(entry);
      answer.recorded(entry, speed);
      this.strip.label(this.timing);
      this.options.onrecord();
    } catch {
      // The journal may have dropped it, or the server has gone, which the banner tells.
    }
  }

  // draw shows what has come, once a frame.
  draw(scale) {
    this.answer?.flush();
    this.figures.show(this.timing, this.at, this.busy);
    this.strip.draw(this.timing, scale, this.at, this.busy);
    if (this.following) this.transcript.scrollTop = this.transcript.scrollHeight;
  }

  scrolled() {
    const { scrollHeight, scrollTop, clientHeight } = this.transcript;
    this.following = scrollHeight - scrollTop - clientHeight < 48;
  }
}
