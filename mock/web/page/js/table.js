// A table as every view makes it: named, to be scrolled sideways by the keyboard too.

import { el } from "./dom.js";

// table makes one of rows of cells (text or nodes). A head that begins with # is of figures. props are the table's.
export function table(caption, heads, rows, props) {
  const kind = (i) => (heads[i].startsWith("#") ? "number" : null);
  return el("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": caption }, el("table", props, el("caption", { class: "unseen" }, caption),
    el("thead", null, el("tr", null, heads.map((h, i) => el("th", { scope: "col", class: kind(i) }, h.replace("#", ""))))),
    el("tbody", null, rows.map((row) => el("tr", null, row.map((cell, i) => el("td", { class: kind(i) }, cell)))))));
}
