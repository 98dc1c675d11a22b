// The list of a <select>, drawn in the page: it can be seen and pressed like anything else, takes letters, and has a field
// that narrows it where it is long. The select stays what it is: it holds the value, its name, and works without scripts.
const LONG = 9; // options from which on there is a field to type into

let open = null; // { select, panel, list, field, options, shown, at, typed, when }

const plain = (element) => element instanceof HTMLSelectElement && !element.multiple && element.size < 2 && !element.disabled;

function nameOf(select) {
  return select.getAttribute("aria-label") || select.labels?.[0]?.textContent.trim() || "Choices";
}

function make(tag, attributes, text = "") {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}

function rowsOf(select, list) {
  const rows = [];
  for (const option of select.options) {
    const group = option.parentElement.label;
    if (group && option === option.parentElement.firstElementChild) list.append(make("li", { role: "presentation", class: "listbox-group" }, group));
    const row = make("li", { role: "option", id: `${list.id}-${option.index}`, "aria-selected": String(option.selected) }, option.label || option.text || "\u00a0");
    if (option.disabled) row.setAttribute("aria-disabled", "true");
    else rows.push(row);
    row.dataset.index = option.index;
    list.append(row);
  }
  return rows;
}

function show(select) {
  close();
  const panel = make("div", { class: "listbox", popover: "manual" });
  const list = make("ul", { role: "listbox", id: "listbox-options", "aria-label": nameOf(select), tabindex: "-1" });
  const options = rowsOf(select, list);
  const field = options.length > LONG ? make("input", { type: "text", role: "combobox", "aria-expanded": "true", "aria-controls": list.id, "aria-autocomplete": "list", "aria-label": `Filter ${nameOf(select)}`, placeholder: "Type to filter", autocomplete: "off" }) : null;
  panel.append(...(field ? [field] : []), list);
  (select.closest("dialog[open], details.menu") || document.body).append(panel);
  open = { select, panel, list, field, options, shown: options, at: -1, typed: "", when: 0 };
  panel.showPopover();
  place();
  select.setAttribute("aria-expanded", "true");
  (field || list).focus({ preventScroll: true });
  go(Math.max(0, options.findIndex((row) => row.getAttribute("aria-selected") === "true")));
}

function place() {
  const { select, panel } = open;
  const box = select.getBoundingClientRect();
  panel.style.minWidth = `${box.width}px`;
  const { width, height } = panel.getBoundingClientRect();
  const below = box.bottom + 4 + height <= innerHeight - 8 || box.top < height + 12;
  const top = below ? Math.min(box.bottom + 4, innerHeight - height - 8) : box.top - height - 4;
  Object.assign(panel.style, { left: `${Math.max(8, Math.min(box.left, innerWidth - width - 8))}px`, top: `${top}px` });
}

function close(focus = false) {
  if (!open) return;
  const { select, panel } = open;
  open = null;
  panel.remove();
  select.removeAttribute("aria-expanded");
  if (focus) select.focus({ preventScroll: true });
}

function go(at) {
  const { shown, list, field } = open;
  shown[open.at]?.classList.remove("active");
  open.at = Math.max(0, Math.min(at, shown.length - 1));
  const row = shown[open.at];
  row?.classList.add("active");
  row?.scrollIntoView({ block: "nearest" });
  (field || list).setAttribute("aria-activedescendant", row?.id || "");
}

function narrow(text) {
  const wanted = text.trim().toLowerCase();
  open.options.forEach((row) => { row.classList.remove("active"); row.hidden = !row.textContent.toLowerCase().includes(wanted); });
  open.shown = open.options.filter((row) => !row.hidden);
  go(0);
}

function leap(event) {
  open.typed = event.timeStamp - open.when > 1000 ? event.key : open.typed + event.key;
  open.when = event.timeStamp;
  const wanted = open.typed.toLowerCase();
  const once = [...wanted].every((letter) => letter === wanted[0]) ? wanted[0] : wanted;
  const from = once.length === 1 ? open.at + 1 : open.at;
  const rows = open.shown.map((row, at) => [row, at]);
  const found = [...rows.slice(from), ...rows.slice(0, from)].find(([row]) => row.textContent.trim().toLowerCase().startsWith(once));
  if (found) go(found[1]);
}

function take(row) {
  const { select } = open;
  const index = Number(row?.dataset.index ?? select.selectedIndex);
  const changed = index !== select.selectedIndex;
  close(true);
  if (!changed) return;
  select.selectedIndex = index;
  for (const happening of ["input", "change"]) select.dispatchEvent(new Event(happening, { bubbles: true }));
}

const KEYS = {
  ArrowDown: () => go(open.at + 1), ArrowUp: () => go(open.at - 1), PageDown: () => go(open.at + 10), PageUp: () => go(open.at - 10),
  Home: () => go(0), End: () => go(open.shown.length - 1), Enter: () => take(open.shown[open.at]), Escape: () => close(true),
};

function press(event) {
  if (event.key === "Tab") { take(open.shown[open.at]); return; }
  const own = KEYS[event.key] || (event.key === " " && !open.field && KEYS.Enter);
  if (own) { event.preventDefault(); own(); }
  else if (!open.field && event.key.length === 1 && !event.ctrlKey && !event.metaKey) { event.preventDefault(); leap(event); }
  event.stopImmediatePropagation();
}

// Nothing of the list reaches the page around it: it is no field of the form it stands in.
for (const happening of ["input", "change"]) {
  document.addEventListener(happening, (event) => {
    if (!open?.panel.contains(event.target)) return;
    event.stopImmediatePropagation();
    if (happening === "input") narrow(event.target.value);
  }, true);
}

document.addEventListener("keydown", (event) => {
  if (open?.panel.contains(event.target)) { press(event); return; }
  const opens = ["ArrowDown", "ArrowUp", " ", "Enter", "F4"].includes(event.key);
  if (!opens || event.ctrlKey || event.metaKey || event.shiftKey || !plain(event.target)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  show(event.target);
}, true);

document.addEventListener("mousedown", (event) => {
  if (event.button !== 0) return;
  if (open?.panel.contains(event.target)) {
    if (event.target !== open.field) event.preventDefault();
    return;
  }
  const again = open?.select === event.target;
  close();
  if (plain(event.target)) {
    event.preventDefault();
    event.target.focus({ preventScroll: true });
    if (!again) show(event.target);
  } else if (event.target.closest?.("select[multiple] option")) toggle(event);
}, true);

document.addEventListener("click", (event) => {
  if (!open?.panel.contains(event.target)) return;
  event.stopPropagation();
  const row = event.target.closest('[role="option"]:not([aria-disabled])');
  if (row) take(row);
}, true);

// Of a list of many, a press takes one more or one less.
function toggle(event) {
  const select = event.target.closest("select");
  if (select.disabled || event.shiftKey) return;
  event.preventDefault();
  const { scrollTop } = select;
  event.target.selected = !event.target.selected;
  select.focus({ preventScroll: true });
  select.scrollTop = scrollTop;
  for (const happening of ["input", "change"]) select.dispatchEvent(new Event(happening, { bubbles: true }));
}

document.addEventListener("focusout", (event) => {
  if (open?.panel.contains(event.target) && !open.panel.contains(event.relatedTarget)) close();
});
document.addEventListener("scroll", (event) => { if (open && !open.panel.contains(event.target)) close(true); }, true);
addEventListener("resize", () => close());
document.addEventListener("htmx:afterSwap", () => { if (open && !open.select.isConnected) close(); });
