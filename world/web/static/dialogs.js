// Menus close on Escape and on a click elsewhere; dialogs open by button; a panel with an anchor stands beside it.
function openMenus() { return document.querySelectorAll("details.menu[open]"); }

document.addEventListener("click", (event) => {
  for (const menu of openMenus()) {
    if (!menu.contains(event.target)) menu.open = false;
  }
  const opener = event.target.closest("[data-opens]");
  if (opener) document.getElementById(opener.dataset.opens)?.showModal();
  const dialog = event.target.closest("dialog[open]");
  if (dialog && event.target === dialog && dialog.matches(":modal")) dialog.close();
  event.target.closest("[data-dismiss]")?.closest(".toast")?.remove();
  const copy = event.target.closest("[data-copy]");
  if (copy) navigator.clipboard?.writeText(new URL(copy.dataset.copy, location.href).href).catch(() => {});
});

// A notice that offers nothing goes with the next press or key elsewhere; what offers Undo or a link goes with the page it was on.
function notices() { return document.querySelectorAll(".toast:not(:has(form, a))"); }

let shownOn = location.pathname;
let before = [];
document.addEventListener("htmx:beforeSwap", () => { before = [...document.querySelectorAll(".toast")]; });
document.addEventListener("htmx:afterSettle", () => {
  if (location.pathname !== shownOn) before.forEach((toast) => toast.remove());
  shownOn = location.pathname;
});

for (const happening of ["pointerdown", "keydown"]) {
  document.addEventListener(happening, (event) => {
    for (const notice of notices()) if (!notice.contains(event.target)) notice.remove();
  }, true); // before anything that the press itself has to say
}

// On a narrow screen the side bar is a drawer: a press on its button opens it, a choice or a press elsewhere closes it.
document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens-side]");
  const side = document.querySelector("[data-side]");
  const open = Boolean(opener) && side?.dataset.side !== "open";
  if (!side || (!open && side.dataset.side !== "open") || (!opener && side.contains(event.target) && !event.target.closest("a"))) return;
  side.dataset.side = open ? "open" : "";
  document.querySelector("[data-opens-side]").setAttribute("aria-expanded", String(open));
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  const menu = openMenus()[0];
  if (menu) {
    menu.open = false;
    menu.querySelector("summary")?.focus();
    event.preventDefault();
    return;
  }
  const close = document.querySelector("#overlay [data-close]") || innermost();
  if (close && !document.querySelector("dialog:modal")) {
    event.preventDefault();
    close.click();
  }
});

// Of several things that Escape could close, the one with the highest data-close-on-escape.
function innermost() {
  const all = [...document.querySelectorAll("[data-close-on-escape]")];
  return all.sort((a, b) => Number(b.dataset.closeOnEscape) - Number(a.dataset.closeOnEscape))[0];
}

function place(panel) {
  const anchor = document.getElementById(panel.dataset.anchor);
  if (!anchor) return;
  const at = anchor.getBoundingClientRect();
  const { width, height } = panel.getBoundingClientRect();
  const left = Math.min(Math.max(8, at.right - width), innerWidth - width - 8);
  const below = at.bottom + 4;
  const top = below + height <= innerHeight - 8 ? below : Math.max(8, at.top - height - 4);
  Object.assign(panel.style, { position: "fixed", left: `${left}px`, top: `${top}px`, margin: "0" });
}

// What a menu holds has a name, and not that of what opens it, which is the one to press.
document.addEventListener("toggle", (event) => {
  const menu = event.target;
  if (!menu.matches?.("details.menu")) return;
  const panel = menu.querySelector(":scope > .menu-panel:not([aria-label])");
  if (!panel || panel.matches("nav, [aria-labelledby]")) return;
  if (!panel.hasAttribute("role")) panel.setAttribute("role", "group");
  panel.setAttribute("aria-label", "Menu");
}, true);

// Nothing stays open under what was laid over the page.
function closeCovered() {
  const over = document.querySelector("#overlay");
  if (!over?.firstElementChild) return;
  for (const menu of openMenus()) if (!over.contains(menu)) menu.open = false;
}

export function arrange() {
  closeCovered();
  document.querySelectorAll("[data-anchor]").forEach(place);
  const wanted = document.querySelector("#overlay [autofocus]");
  if (wanted && document.activeElement !== wanted) wanted.focus();
}

document.addEventListener("htmx:afterSwap", arrange);
arrange();
