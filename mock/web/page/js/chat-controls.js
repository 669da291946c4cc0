// The controls over all lanes: side by side or not, how fast, and the clock that is stepped by hand.

import { el } from "./dom.js";
import { ms } from "./format.js";

export const speeds = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, "max"];

export const speedName = (speed) => (speed === "max" ? "no delays" : `${speed} ×`);

// makeControls: on has compare(wanted), settings(), clear(), and the clock's next(), hold(), release().
export function makeControls(on) {
  const side = el("button", { type: "button", "aria-pressed": "false", "data-testid": "compare", onclick: () => toggle(side, on.compare) }, "Side by side");
  const output = el("output", { for: "chat-speed", class: "figure", "data-testid": "speed-value" });
  const slider = el("input", {
    type: "range", id: "chat-speed", min: 0, max: speeds.length - 1, step: 1, "data-testid": "speed",
    value: String(speeds.indexOf(1)), oninput: () => { nameSpeed(); on.settings(); },
  });
  const step = el("button", { type: "button", "aria-pressed": "false", "data-testid": "stepped", onclick: () => toggle(step, () => { showSteps(); on.settings(); }) }, "Step by hand");
  const next = el("button", { type: "button", "data-testid": "next-token", onclick: on.next }, "Next token");
  const hold = el("button", { type: "button", "data-testid": "hold", onclick: on.hold }, "Hold");
  const release = el("button", { type: "button", "data-testid": "release-clock", onclick: on.release }, "Release");
  const reading = el("span", { class: "figure clock-reading", "data-testid": "clock-reading" });
  const steps = el("div", { class: "clock-steps", role: "group", "aria-label": "The run's clock" }, next, hold, release, reading);

  const node = el("div", { class: "controls" },
    side, step, steps,
    el("div", { class: "speed" }, el("label", { for: "chat-speed" }, "Speed"), slider, output),
    el("button", { type: "button", class: "quiet push", "data-testid": "clear", onclick: on.clear }, "Start over"));

  function toggle(button, then) {
    const pressed = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(pressed));
    then(pressed);
  }

  const chosen = () => speeds[Number(slider.value)];
  function nameSpeed() {
    output.textContent = speedName(chosen());
    slider.setAttribute("aria-valuetext", speedName(chosen()));
  }
  const isStepped = () => step.getAttribute("aria-pressed") === "true";
  const showSteps = () => { steps.hidden = !isStepped(); };
  nameSpeed();
  showSteps();

  return {
    node,
    get speed() { return chosen(); },
    get stepped() { return isStepped(); },
    setCompare(wanted) { side.setAttribute("aria-pressed", String(wanted)); },
    set(speed, stepped) {
      slider.value = String(speeds.indexOf(speed));
      step.setAttribute("aria-pressed", String(stepped));
      nameSpeed();
      showSteps();
    },
    // clock shows the state of the lanes' clocks: null without a stepped answer under way, else {held, at, busy}.
    clock(state) {
      next.disabled = !state?.held || state.busy;
      hold.disabled = !state || state.held;
      release.disabled = !state?.held;
      const text = !state ? "waits for a message" : `${state.held ? "held at" : "runs,"} ${ms(state.at)}`;
      if (reading.textContent !== text) reading.textContent = text;
    },
  };
}
