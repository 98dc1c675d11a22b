// Lists of files and dialogs: a file's menu by the right button, names marked for typing over, files dropped on a list, what was copied.
function follow(link) { link?.click(); }

document.addEventListener("contextmenu", (event) => {
  const file = event.target.closest(".file");
  if (!file || event.shiftKey) return;
  event.preventDefault();
  follow(file.querySelector(".file-menu"));
});

// A click beside the name opens the file too, as the whole row is the file's.
document.addEventListener("click", (event) => {
  const row = event.target.closest("tr.file");
  if (!row || event.defaultPrevented || event.target.closest("a, button, form, input")) return;
  follow(row.querySelector(".file-link"));
});

// Marked as it gets the focus, so that no key typed meanwhile is typed over.
function choose(field) { if (field?.matches("#overlay [data-selected]")) field.select(); }
document.addEventListener("focusin", (event) => choose(event.target));
choose(document.activeElement);

// The list in a menu is walked by the arrow keys.
document.addEventListener("keydown", (event) => {
  const menu = event.target.closest?.(".file-panel");
  if (!menu || !["ArrowDown", "ArrowUp", "Home", "End"].includes(event.key)) return;
  const items = [...menu.querySelectorAll(".menu-item")];
  const at = items.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  items[(to + items.length) % items.length].focus();
  event.preventDefault();
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target.id === "overlay") document.querySelector("#overlay .file-panel .menu-item")?.focus();
});

// The menu of a row stands beside its button, never under the pointer that opened it.
function beside() {
  const panel = document.querySelector("#overlay .file-panel[data-anchor]");
  const anchor = panel && panel.dataset.anchor !== "new-button" && document.getElementById(panel.dataset.anchor);
  if (!anchor) return;
  const at = anchor.getBoundingClientRect();
  const { width, height } = panel.getBoundingClientRect();
  const left = at.left - width - 4 >= 8 ? at.left - width - 4 : at.right + 4;
  Object.assign(panel.style, { left: `${left}px`, top: `${Math.max(8, Math.min(at.top, innerHeight - height - 8))}px` });
}
document.addEventListener("htmx:afterSwap", beside);
beside();

// A new comment is about the selected cell, unless somebody says another.
document.addEventListener("focusin", (event) => {
  if (event.target.id !== "comment-text") return;
  const cell = document.getElementById("comment-cell");
  const selected = document.getElementById("name-box")?.value || "";
  const gid = new URLSearchParams(location.search).get("gid");
  if (gid) event.target.form.elements.gid.value = gid;
  if (!cell.value && /^[A-Z]{1,3}[0-9]+/.test(selected)) cell.value = cell.defaultValue = selected.split(":")[0];
});

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.requestConfig?.elt.id === "open-comments") document.getElementById("comment-text")?.focus();
});

function say(text) {
  const toast = document.createElement("div");
  toast.className = "toast";
  toast.textContent = text;
  document.getElementById("toasts")?.replaceChildren(toast);
}

document.addEventListener("click", (event) => {
  const copied = event.target.closest("[data-copy][data-says]");
  if (copied) say(copied.dataset.says);
  // The box that notifies stands in the line that opens the message: ticking it does not open it.
  if (event.target.matches("#share-notify, label[for='share-notify']")) event.stopPropagation();
});

// The page of a spreadsheet is built by its scripts, so Back shows it afresh.
window.addEventListener("popstate", () => {
  if (document.querySelector("#page.sheet")) location.reload();
}, true);
