// The control API as the page calls it: JSON in and out, problems as errors, one idea of whether the server is there.

import { readEvents } from "./sse.js";

// base is where the control API is; root is where clients' base URLs begin.
export const base = new URL("../../", import.meta.url);
export const root = new URL("../", base);

const key = "orrery.token";

// Problem is an answer that says no: .status, .title, .detail, .field, and .problems where there are several.
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || body.title || `HTTP ${status}`);
    this.name = "Problem";
    this.status = status;
    this.title = body.title || `HTTP ${status}`;
    this.detail = body.detail || "";
    this.field = body.field || "";
    this.problems = body.problems || [];
  }
}

// connection tells, by events "connected" and "disconnected", whether the server can be reached, and by
// "health" (a CustomEvent, .detail is the body) what it last said of itself.
export const connection = new EventTarget();
connection.up = true;

function reached(up) {
  if (connection.up === up) return;
  connection.up = up;
  connection.dispatchEvent(new Event(up ? "connected" : "disconnected"));
}

// reach is fetch that notes whether the server was there. A caller's own abort says nothing about that.
export async function reach(url, options) {
  try {
    const response = await fetch(url, { credentials: "omit", cache: "no-store", ...options });
    reached(true);
    return response;
  } catch (e) {
    if (options?.signal?.aborted) throw e;
    reached(false);
    throw new Error("The server doesn't answer.", { cause: e });
  }
}

// checkHealth asks the server how it is; a server that is away is no error.
export async function checkHealth() {
  try {
    const response = await reach(new URL("health", base), { signal: AbortSignal.timeout(4000), headers: authorized(storedToken()) });
    connection.dispatchEvent(new CustomEvent("health", { detail: await response.json() }));
  } catch {
    reached(false);
  }
  return connection.up;
}

async function call(path, { method = "GET", body, text, headers = {}, signal } = {}) {
  const url = new URL(path.replace(/^\/(_orrery\/)?/, ""), base);
  for (;;) {
    const token = storedToken();
    const response = await reach(url, {
      method, signal,
      headers: { ...authorized(token), ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      body: body === undefined ? text : JSON.stringify(body),
    });
    if (response.ok) return response;
    const problem = new Problem(response.status, await problemOf(response));
    if (response.status !== 403 || !(await newToken(problem, token))) throw problem;
  }
}

async function problemOf(response) {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return { title: response.statusText, detail: text.slice(0, 500) };
  }
}

const authorized = (token) => (token ? { authorization: `Bearer ${token}` } : {});

function storedToken() {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

let asking = null; // one dialog for all the calls that were refused meanwhile

async function newToken(problem, refused) {
  if (storedToken() !== refused) return true;
  asking ??= import("./token.js").then(({ askToken }) => askToken(problem.detail)).finally(() => { asking = null; });
  const token = await asking;
  if (token) sessionStorage.setItem(key, token);
  return Boolean(token);
}

async function read(response) {
  if (response.status === 204) return null;
  const text = await response.text();
  return /json/.test(response.headers.get("content-type") ?? "") ? JSON.parse(text) : text;
}

// get, post, put and del take a path below /_orrery/ (with or without that prefix) and give the answer: JSON, or text
// that isn't. options: signal, headers; text instead of a body, to send it as it is.
export const get = async (path, options) => read(await call(path, options));
export const post = async (path, body, options) => read(await call(path, { ...options, method: "POST", body }));
export const put = async (path, body, options) => read(await call(path, { ...options, method: "PUT", body }));
export const del = async (path, options) => read(await call(path, { ...options, method: "DELETE" }));

// stream reads server-sent events until they end or signal aborts: onevent({event, data, id}). It resolves either way,
// and rejects when the server refuses or goes away.
export async function stream(path, { onevent, onopen, signal, headers }) {
  try {
    const response = await call(path, { signal, headers: { accept: "text/event-stream", ...headers } });
    onopen?.();
    await readEvents(response.body, onevent);
  } catch (e) {
    if (signal?.aborted) return;
    if (!(e instanceof Problem)) checkHealth();
    throw e;
  }
}
