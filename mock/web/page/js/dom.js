// Elements are made here and nowhere else. Text is only ever a text node, so that nothing that a model,
// a client or a file said can become markup.

const SVG = "http://www.w3.org/2000/svg";
const asProperty = new Set(["value", "checked", "disabled", "hidden", "selected", "open", "indeterminate", "tabIndex", "readOnly", "spellcheck"]);

// el makes an element. props: attributes by name; functions named onclick, oninput and so on are listeners;
// class, dataset (an object) and vars (CSS custom properties) are what they say; null and undefined are left out.
export function el(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

// svg is el for drawings.
export function svg(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined) continue;
    if (name === "dataset") Object.assign(node.dataset, value);
    else if (name === "vars") for (const [key, v] of Object.entries(value)) node.style.setProperty(`--${key}`, v);
    else if (typeof value === "function") node.addEventListener(name.replace(/^on/, ""), value);
    else if (asProperty.has(name)) node[name] = value;
    else if (/^on|^style$|^srcdoc$/i.test(name)) throw new TypeError(`${name} can't be set as an attribute`);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false || name.startsWith("aria-")) node.setAttribute(name, String(value));
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
}

// replace gives a node these children instead of those it has.
export function replace(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

// notice is a message in the page: kind is "empty", "error", "warning" or "info". actions are nodes.
export function notice(kind, title, detail, ...actions) {
  return el("div", { class: `notice notice-${kind}`, role: kind === "error" ? "alert" : null, "data-testid": `notice-${kind}` },
    el("p", { class: "notice-title" }, title),
    detail && el("p", { class: "notice-detail" }, detail),
    actions.length > 0 && el("p", { class: "notice-actions" }, actions));
}

// perFrame returns a function that asks for draw once in the next frame, however often it is called.
// Its cancel drops what is asked for.
export function perFrame(draw) {
  let asked = 0;
  const ask = () => {
    asked ||= requestAnimationFrame(() => {
      asked = 0;
      draw();
    });
  };
  ask.cancel = () => {
    cancelAnimationFrame(asked);
    asked = 0;
  };
  return ask;
}
