// The dialog that asks for the server's control token. The token is kept for this tab only.

import { el } from "./dom.js";

// askToken resolves with a token, or with "" when the asker gives up.
export function askToken(why) {
  return new Promise((resolve) => {
    const input = el("input", { type: "password", id: "token-input", autocomplete: "off", required: true, "data-testid": "token-input" });
    const dialog = el("dialog", { class: "dialog", "aria-labelledby": "token-title", "data-testid": "token-dialog" },
      el("form", { method: "dialog" },
        el("h2", { id: "token-title" }, "This server asks for its token"),
        el("p", null, "It is the value that the server was started with as ", el("code", null, "ORRERY_CONTROL_TOKEN"), ", or by ", el("code", null, "control-token"), " in its file of settings. It stays in this tab."),
        why && el("p", { class: "faint" }, why),
        el("label", { for: "token-input" }, "Control token"),
        input,
        el("p", { class: "dialog-actions" },
          el("button", { type: "button", class: "quiet", onclick: () => dialog.close("") }, "Not now"),
          el("button", { type: "submit", class: "primary" }, "Use it"))));
    dialog.querySelector("form").addEventListener("submit", (e) => {
      e.preventDefault();
      dialog.close(input.value.trim());
    });
    dialog.addEventListener("cancel", () => { dialog.returnValue = ""; });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
