// Sends a form[data-when-seen] once the last of what it names is in view: on a page that was opened, and when its reader
// does something there. What the live socket brings counts as seen only then: the world hears nothing from a socket.
import { busy } from "./settle.js";

let acted = false;
let kept = ""; // the page on which the reader took a mark back

function inView(form) {
  const pane = form.closest("[data-region]");
  const last = [...pane.querySelectorAll(form.dataset.whenSeen)].pop();
  return last && last.getBoundingClientRect().top < pane.getBoundingClientRect().bottom - 16;
}

function look() {
  if (kept !== location.pathname) kept = "";
  const form = document.querySelector("form[data-when-seen]:not([data-sent])");
  if (!form || kept || !window.htmx || !inView(form)) return;
  form.dataset.sent = "";
  form.requestSubmit();
}

busy(1);
addEventListener("load", async () => {
  await document.fonts?.ready;
  look();
  busy(-1);
}, { once: true });

document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.requestConfig?.verb === "get") look();
});
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.elt.matches("form[data-takes-back]")) kept = location.pathname;
});

document.addEventListener("wheel", () => { acted = true; }, { passive: true });
document.addEventListener("scroll", () => { if (acted) look(); }, true);
document.addEventListener("click", (event) => { if (!event.target.closest("a, button, summary, label")) look(); });
document.addEventListener("input", (event) => { if (event.target.matches("textarea")) look(); });
document.addEventListener("firm:put", () => { acted = false; });
