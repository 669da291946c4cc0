// The shell: which view is shown, what the server says of itself, the theme.

import { checkHealth, connection, Problem } from "./api.js";
import { el, notice, replace } from "./dom.js";
import { count } from "./format.js";

const titles = { chat: "Chat", scenarios: "Scenarios", requests: "Requests", load: "Load" };
const at = (id) => document.getElementById(id);

// announce says a sentence to who listens to the page instead of looking at it.
let saying = 0;
function announce(text) {
  clearTimeout(saying);
  at("announcer").textContent = "";
  saying = setTimeout(() => { at("announcer").textContent = text; }, 50);
}

let shown = null; // {name, leaving, unmount, onroute}
let turn = 0; // a view that comes too late is not shown

function route() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...rest] = path.split("/").map(decode);
  return { name: Object.hasOwn(titles, name) ? name : "chat", path: rest.filter(Boolean), query: new URLSearchParams(query) };
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function show(first) {
  if (location.hash === "#main") return; // the skip link
  const to = route();
  if (shown?.name === to.name && shown.onroute) {
    shown.onroute(to);
    return;
  }
  const mine = ++turn;
  shown?.leaving.abort();
  shown?.unmount?.();
  shown = { name: to.name, leaving: new AbortController() };
  mark(to.name);
  const root = replace(el("div", { class: `view view-${to.name}`, "data-testid": `view-${to.name}` }));
  try {
    const [{ mount }] = await Promise.all([import(`./${to.name}.js`), styled(to.name)]);
    if (mine !== turn) return;
    replace(at("view"), root);
    const view = shown;
    view.unmount = await mount(root, {
      ...to, announce, signal: view.leaving.signal, navigate: (hash) => { location.hash = hash; }, onroute: (f) => { view.onroute = f; },
    });
    if (mine !== turn) view.unmount?.();
    else if (!first && !root.contains(document.activeElement)) at("main").focus({ preventScroll: true });
  } catch (e) {
    if (mine !== turn) return;
    if (connection.up && !(e instanceof Problem)) console.error(e); // a mistake of the page's own
    replace(at("view"), notice("error", `${titles[to.name]} can't be shown`, `${e.detail || e.message}${connection.up ? "" : " This is tried again as soon as it does."}`,
      el("button", { type: "button", onclick: () => show() }, "Try again")));
    shown = null;
  }
}

// styled loads a view's style sheet once, so that a view never shows without it.
const sheets = new Map();
function styled(name) {
  if (!sheets.has(name)) {
    sheets.set(name, new Promise((loaded) => {
      document.head.append(el("link", { rel: "stylesheet", href: `web/${name}.css`, onload: loaded, onerror: loaded }));
    }));
  }
  return sheets.get(name);
}

function mark(name) {
  at("heading").textContent = titles[name];
  document.title = `${titles[name]} · Orrery`;
  for (const link of document.querySelectorAll("[data-view]")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

// The banner counts down to the next look whether the server is back, and looks at longer and longer intervals.
const every = 5000;
let timer = 0, wait = 1;

async function watch() {
  clearTimeout(timer);
  if (document.hidden) return;
  if (await checkHealth()) {
    wait = 1;
    timer = setTimeout(watch, every);
  } else {
    countDown(wait);
    wait = Math.min(2 * wait, 15);
  }
}

function countDown(left) {
  if (left <= 0) return watch();
  replace(at("banner-wait"), ` Next try in ${left} s.`);
  clearTimeout(timer);
  timer = setTimeout(() => countDown(left - 1), 1000);
}

function disconnected() {
  document.body.classList.add("is-disconnected");
  at("pulse").textContent = "not connected";
  replace(at("banner"),
    el("span", null, el("strong", null, "The server doesn't answer."), " What is shown stays as it was."),
    el("span", { id: "banner-wait", "aria-live": "off" }),
    el("button", { type: "button", onclick: () => { wait = 1; watch(); } }, "Try now"));
  at("banner").hidden = false;
  wait = 1;
  countDown(wait);
}

function connected() {
  document.body.classList.remove("is-disconnected");
  at("banner").hidden = true;
  announce("Connected again.");
  if (!shown) show();
}

function pulse({ detail }) {
  if (!detail.scenario) { // what it tells those who have no token
    at("pulse").textContent = "connected";
    return;
  }
  const requests = detail.journal?.requests ?? 0;
  at("pulse").textContent = `${detail.scenario} · ${count(requests)} request${requests === 1 ? "" : "s"}`;
}

const themes = ["system", "light", "dark"];

function switchTheme(to) {
  if (to === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = to;
  try {
    localStorage.setItem("orrery.theme", to === "system" ? "" : to);
  } catch { /* it holds until the page is left */ }
  nameTheme(to);
}

function nameTheme(theme) {
  at("theme").textContent = { system: "◐", light: "○", dark: "●" }[theme];
  at("theme").setAttribute("aria-label", `Theme: ${theme}`);
  at("theme").title = `Theme: ${theme}`;
}

const theme = () => document.documentElement.dataset.theme || "system";
nameTheme(theme());
at("theme").addEventListener("click", () => switchTheme(themes[(themes.indexOf(theme()) + 1) % themes.length]));
document.querySelector(".skip").addEventListener("click", (e) => {
  e.preventDefault();
  at("main").focus();
});
connection.addEventListener("connected", connected);
connection.addEventListener("disconnected", disconnected);
connection.addEventListener("health", pulse);
document.addEventListener("visibilitychange", watch);
addEventListener("hashchange", () => show());
show(true);
watch();
