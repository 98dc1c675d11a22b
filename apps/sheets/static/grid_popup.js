// Menus and dialogs: built when they open, gone when they close, walked by arrow keys.
import { make } from "./grid_view.js";
import { focusGrid } from "./grid_edit.js";

let open = [];

export function closeMenus(from = 0) {
  open.splice(from).forEach((menu) => menu.remove());
  if (!from) document.querySelectorAll('[aria-expanded="true"][data-menu]').forEach((button) => button.setAttribute("aria-expanded", "false"));
}
export function isOpen() { return open.length > 0; }

// Items: null is a line; {label, keys, run, items, on, off, swatch}.
export function menu(items, at, { level = 0, label = "", className = "" } = {}) {
  closeMenus(level);
  const box = make("div", `popup ${className}`, { role: "menu", "aria-label": label, "data-level": level });
  let line = true;
  for (const item of items) {
    if (item === undefined || item === false || item === "") continue;
    if (item === null) { if (!line) box.append(make("div", "popup-line", { role: "separator" })); line = true; continue; }
    line = false;
    box.append(entry(item, level));
  }
  if (box.lastChild?.className === "popup-line") box.lastChild.remove();
  document.body.append(box);
  open.push(box);
  const { width, height } = box.getBoundingClientRect();
  box.style.left = `${Math.max(4, Math.min(at.x + width > innerWidth - 4 && at.alt !== undefined ? at.alt - width : at.x, innerWidth - width - 4))}px`;
  box.style.top = `${Math.max(4, Math.min(at.y, innerHeight - height - 4))}px`;
  box.tabIndex = -1;
  box.focus({ preventScroll: true });
  return box;
}

function entry(item, level) {
  const element = make("div", item.className || "popup-item", { role: item.on === undefined ? "menuitem" : "menuitemcheckbox", tabindex: "-1", "aria-label": item.name || item.label });
  if (item.on !== undefined) element.setAttribute("aria-checked", String(Boolean(item.on)));
  if (item.off) element.setAttribute("aria-disabled", "true");
  if (item.swatch !== undefined) element.style.backgroundColor = item.swatch;
  else {
    element.append(make("span", "popup-tick", { "aria-hidden": "true" }, item.on ? "✓" : ""), make("span", "popup-label", {}, item.label));
    element.append(make("span", "popup-keys", { "aria-hidden": "true" }, item.items ? "▸" : item.keys || ""));
  }
  if (item.items) {
    element.setAttribute("aria-haspopup", "menu");
    const show = () => { const box = element.getBoundingClientRect(); menu(item.items(), { x: box.right - 2, y: box.top - 5, alt: box.left + 2 }, { level: level + 1, label: item.label, className: item.wide }); };
    element.addEventListener("pointerenter", show);
    element.addEventListener("click", (event) => { event.stopPropagation(); show(); });
  } else {
    element.addEventListener("pointerenter", () => { closeMenus(level + 1); element.focus({ preventScroll: true }); });
    element.addEventListener("click", () => { if (item.off) return; closeMenus(); focusGrid(); item.run(); });
  }
  return element;
}

document.addEventListener("pointerdown", (event) => { if (open.length && !event.target.closest(".popup, [data-menu]")) closeMenus(); }, true);
document.addEventListener("keydown", (event) => {
  if (!open.length) return;
  const box = open[open.length - 1], items = [...box.querySelectorAll('[role^="menuitem"]')], at = items.indexOf(document.activeElement);
  const wide = box.classList.contains("swatches") ? 10 : 1;
  const steps = { ArrowDown: wide, ArrowUp: -wide, ...(wide > 1 ? { ArrowRight: 1, ArrowLeft: -1 } : {}) };
  if (event.key in steps) items[(at + steps[event.key] + items.length * 2 + (at < 0 && steps[event.key] < 0 ? 1 : 0)) % items.length]?.focus();
  else if (event.key === "Enter" || event.key === " ") document.activeElement?.click();
  else if (event.key === "ArrowRight" && items[at]?.hasAttribute("aria-haspopup")) { items[at].click(); open[open.length - 1].querySelector('[role^="menuitem"]')?.focus(); } else if (event.key === "ArrowLeft" && open.length > 1) { closeMenus(open.length - 1); } else if (event.key === "Escape") { closeMenus(open.length > 1 ? open.length - 1 : 0); if (!open.length) focusGrid(); } else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
    const buttons = [...document.querySelectorAll("#menubar [data-menu]")], now = buttons.findIndex((one) => one.getAttribute("aria-expanded") === "true");
    if (now >= 0) buttons[(now + (event.key === "ArrowRight" ? 1 : buttons.length - 1)) % buttons.length].click();
  } else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// What there is already: each with a button that removes it.
function list(rows, close) {
  const found = make("ul", "dialog-list");
  for (const { label, more, remove } of rows) {
    const row = make("li"), text = make("span");
    text.append(make("b", "", {}, label), make("small", "", {}, more));
    row.append(text);
    if (remove) {
      const button = make("button", "icon-button", { type: "button", "aria-label": `Remove ${label}`, title: "Remove" }, "×");
      button.addEventListener("click", () => { close(); remove(); });
      row.append(button);
    }
    found.append(row);
  }
  return found;
}

// A dialog of labelled fields; `run` gets their values and may say why not by returning a text.
export function dialog(title, fields, buttons, { side = false, cancel = true, rows = [] } = {}) {
  closeMenus();
  document.querySelectorAll(".side-dialog").forEach((old) => old.close());
  const box = make("dialog", side ? "sheet-dialog side-dialog" : "sheet-dialog", { "aria-label": title });
  const form = make("form", "", { method: "dialog" });
  form.append(make("h2", "", {}, title));
  if (rows.length) form.append(list(rows, () => box.close()));
  const inputs = {};
  for (const field of fields) {
    const row = make("label", field.kind === "check" ? "dialog-check" : "dialog-row");
    const input = field.options ? make("select") : make(field.kind === "long" ? "textarea" : "input", "", field.kind === "check" ? { type: "checkbox" } : { autocomplete: "off", spellcheck: "false" });
    for (const [value, text] of field.options || []) input.append(make("option", "", { value }, text));
    if (field.kind === "check") { input.checked = Boolean(field.value); row.append(input, field.label); } else { if (field.value !== undefined) input.value = field.value; row.append(make("span", "", {}, field.label), input); }
    inputs[field.name] = input;
    form.append(row);
  }
  const said = make("p", "dialog-said", { role: "status" });
  const foot = make("div", "dialog-foot");
  form.append(said, foot);
  const values = () => Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.type === "checkbox" ? input.checked : input.value]));
  for (const { label, run, main, stay } of [...(cancel ? [{ label: "Cancel" }] : []), ...buttons]) {
    const button = make("button", main ? "button button-primary" : "button", { type: main ? "submit" : "button" }, label);
    button.addEventListener("click", async (event) => {
      event.preventDefault();
      const answer = run ? await run(values(), said) : "";
      if (answer) said.textContent = answer;
      else if (!stay) box.close();
    });
    foot.append(button);
  }
  box.append(form);
  box.addEventListener("close", () => { box.remove(); focusGrid(); });
  if (side) { document.querySelector(".grid-side").append(box); box.show(); box.addEventListener("keydown", (event) => { if (event.key === "Escape") box.close(); }); } else { document.body.append(box); box.showModal(); }
  Object.values(inputs)[0]?.focus();
  Object.values(inputs)[0]?.select?.();
  return box;
}
