// Completion: @people, #channels and :emoji: inside a text box; single and multiple choice in a field. Suggestions are the server's HTML.
// A text box: <textarea data-complete="/APP/complete">. A field: <input data-choose="/APP/complete?kind=people" data-name="users" [data-multiple]>.
import { busy } from "./settle.js";

let open = null; // { field, list, options, index, commit, text }

function close() {
  if (!open) return;
  open.list.remove();
  open.field.setAttribute("aria-expanded", "false");
  open.field.removeAttribute("aria-activedescendant");
  open = null;
}

function select(index) {
  if (!open) return;
  open.index = (index + open.options.length) % open.options.length;
  open.options.forEach((option, i) => option.setAttribute("aria-selected", String(i === open.index)));
  const chosen = open.options[open.index];
  open.field.setAttribute("aria-activedescendant", chosen.id);
  chosen.scrollIntoView({ block: "nearest" });
}

function show(field, html, anchor, commit, text) {
  close();
  const list = document.createElement("ul");
  list.className = "suggestions";
  list.id = `${field.id}-suggestions`;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  list.innerHTML = html;
  const options = [...list.querySelectorAll('[role="option"]')];
  if (!options.length) return;
  options.forEach((option, i) => { option.id = `${list.id}-${i}`; });
  document.body.append(list);
  const box = anchor.getBoundingClientRect();
  const height = list.getBoundingClientRect().height;
  const above = box.bottom + height > innerHeight - 8 || (field.tagName === "TEXTAREA" && box.top > height + 60);
  Object.assign(list.style, { left: `${Math.min(box.left, innerWidth - list.offsetWidth - 8)}px`, top: `${above ? box.top - height - 4 : box.bottom + 4}px`, position: "fixed" });
  field.setAttribute("aria-expanded", "true");
  field.setAttribute("aria-controls", list.id);
  open = { field, list, options, index: 0, commit, text };
  list.addEventListener("pointerdown", (event) => {
    const option = event.target.closest('[role="option"]');
    if (!option) return;
    event.preventDefault();
    commit(option);
  });
  select(0);
}

async function suggestions(address, query) {
  const url = new URL(address, location.href);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  busy(1);
  try {
    const answer = await fetch(url, { headers: { "HX-Request": "true", "HX-Target": "suggestions", "Firm-Live": "1" } });
    return answer.ok ? await answer.text() : "";
  } finally {
    busy(-1);
  }
}

// inside a text box

const WORD = /(^|[\s(*_~>])([@#:][\p{L}\p{N}._+'-]*)$/u;
const NAME = /(^|[\s(*_~>])(@[\p{L}\p{N}._+'-]+(?: [\p{L}\p{N}._+'-]*){1,2})$/u; // a person's name goes on over a space
const COMMAND = /^()(\/[a-z]*)$/u;
const takenFrom = new WeakMap(); // text box -> what was last taken into it, and where: that is not looked up again

function word(box) {
  const before = box.value.slice(0, box.selectionStart);
  const match = (box.hasAttribute("data-commands") && before.match(COMMAND)) || before.match(NAME) || before.match(WORD);
  if (!match || (match[2][0] === ":" && match[2].length < 3)) return null;
  const from = before.length - match[2].length;
  const taken = takenFrom.get(box);
  if (taken?.from === from && match[2].startsWith(taken.value)) return null;
  return { text: match[2], from };
}

const looking = new WeakMap(); // text box -> the look-up of its last letters, while it lasts

function complete(box) {
  const found = word(box);
  if (!found) { looking.delete(box); if (open?.field === box) close(); return; }
  const work = lookAt(box, found).finally(() => { if (looking.get(box) === work) looking.delete(box); });
  looking.set(box, work);
}

async function lookAt(box, found) {
  const html = await suggestions(box.dataset.complete, { q: found.text });
  const still = word(box);
  if (!still || still.text !== found.text || document.activeElement !== box || box.form?.classList.contains("htmx-request")) return;
  show(box, html, box, (option) => {
    box.setRangeText(option.dataset.value + " ", found.from, box.selectionStart, "end");
    takenFrom.set(box, { from: found.from, value: option.dataset.value + " " });
    close();
    box.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

document.addEventListener("firm:reset", (event) => {
  event.target.querySelectorAll?.("textarea").forEach((box) => takenFrom.delete(box));
  close();
});

// The plain list that stands in for a choice when scripts are off.
function tidy() { document.querySelectorAll("select[data-plain]").forEach((list) => list.remove()); }
document.addEventListener("htmx:afterSwap", tidy);
tidy();

// a field of choices

function hiddenField(field, value) {
  const hidden = document.createElement("input");
  hidden.type = "hidden";
  hidden.name = field.dataset.name;
  hidden.value = value;
  return hidden;
}

function holder(field) { return field.parentElement.querySelector(".chosen") || field.parentElement; }

function chipOf(field, option) {
  const chip = document.createElement("span");
  chip.className = "chip";
  chip.textContent = option.dataset.label || option.textContent.trim();
  const remove = document.createElement("button");
  remove.type = "button";
  remove.textContent = "\u00d7";
  remove.setAttribute("aria-label", `Remove ${chip.textContent}`);
  remove.addEventListener("click", () => chip.remove());
  chip.append(hiddenField(field, option.dataset.value), remove);
  return chip;
}

export function choose(field, option) {
  const place = holder(field);
  if (!field.hasAttribute("data-multiple")) place.querySelectorAll(`input[type=hidden][name="${CSS.escape(field.dataset.name)}"]`).forEach((e) => e.remove());
  if (field.hasAttribute("data-multiple")) {
    place.append(chipOf(field, option));
    field.value = "";
  } else {
    place.append(hiddenField(field, option.dataset.value));
    field.value = option.dataset.label || option.textContent.trim();
  }
  field.setCustomValidity("");
  close();
  field.dispatchEvent(new CustomEvent("firm:chosen", { bubbles: true }));
}

// Nothing is left to choose where an address was typed whole: a list would lie over the next field.
function isWhole(html, text) {
  if (!text.includes("@")) return false;
  const found = document.createElement("ul");
  found.innerHTML = html;
  const options = found.querySelectorAll('[role="option"]');
  return options.length === 1 && names(options[0]).includes(text.toLowerCase());
}

function names(option) {
  return [option.dataset.label, option.dataset.value, ...(option.dataset.also || "").split(" ")].filter(Boolean).map((one) => one.toLowerCase());
}

async function offer(field) {
  const text = field.value.trim();
  if (!text && !field.hasAttribute("data-offers")) { if (open?.field === field) close(); return; }
  const html = await suggestions(field.dataset.choose, { q: text });
  if (isWhole(html, text)) { if (open?.field === field) close(); return; }
  if (field.value.trim() === text && document.activeElement === field) show(field, html, field, (option) => choose(field, option), text);
}

function chosenIn(field) {
  return holder(field).querySelector(`input[type=hidden][name="${CSS.escape(field.dataset.name)}"]`);
}

function unsettled(field) {
  return field.value.trim() && (field.hasAttribute("data-multiple") || !chosenIn(field));
}

async function lookUpOne(field, text) {
  const found = document.createElement("ul");
  found.innerHTML = await suggestions(field.dataset.choose, { q: text });
  const options = [...found.querySelectorAll('[role="option"]')];
  return options.find((option) => names(option).includes(text.toLowerCase())) || (options.length === 1 ? options[0] : null);
}

async function lookUpSingle(field) {
  const text = field.value.trim();
  const option = await lookUpOne(field, text);
  if (option && field.value.trim() === text) choose(field, option);
}

// What is looked up leaves the field at once, so that the next name can be typed; what nobody is called comes back.
async function lookUpMany(field) {
  const parts = field.value.split(/[,;]\s*/).map((part) => part.trim()).filter(Boolean);
  const chips = parts.map((part) => Object.assign(document.createElement("span"), { className: "chip-coming", textContent: part }));
  holder(field).append(...chips);
  field.value = "";
  for (const [at, part] of parts.entries()) {
    const option = await lookUpOne(field, part).catch(() => null);
    if (option) chips[at].replaceWith(chipOf(field, option));
    else {
      chips[at].remove();
      field.value = [part, field.value].filter(Boolean).join(", ");
    }
  }
  field.dispatchEvent(new CustomEvent("firm:chosen", { bubbles: true }));
}

// An agent fills a field and clicks Save: what was typed is committed when the field is left.
const settling = new WeakMap();
function settleField(field) {
  const before = settling.get(field);
  const many = field.hasAttribute("data-multiple");
  if (!unsettled(field) || (before && !many)) return before || Promise.resolve();
  const work = Promise.all([before, many ? lookUpMany(field) : lookUpSingle(field)]).finally(() => {
    if (settling.get(field) === work) settling.delete(field);
  });
  settling.set(field, work);
  return work;
}

document.addEventListener("input", (event) => {
  const field = event.target;
  if (field.dataset?.complete) complete(field);
  else if (field.dataset?.choose) {
    if (!field.hasAttribute("data-multiple")) holder(field).querySelectorAll(`input[type=hidden][name="${CSS.escape(field.dataset.name)}"]`).forEach((e) => e.remove());
    offer(field);
  }
});

for (const happening of ["focusin", "click"]) {
  document.addEventListener(happening, (event) => {
    const field = event.target;
    if (field.dataset?.choose && field.hasAttribute("data-offers") && open?.field !== field) offer(field);
  });
}

// Whether Enter takes a name or sends does not depend on how quickly it was pressed.
document.addEventListener("keydown", (event) => {
  const box = event.target;
  const work = looking.get(box);
  if (event.key !== "Enter" || event.shiftKey || !work || !box.matches("[data-enter-sends]")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const again = () => box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  work.then(again, again);
}, true);

document.addEventListener("keydown", (event) => {
  if (!open || event.target !== open.field) {
    if (event.key === "," && event.target.dataset?.choose && event.target.hasAttribute("data-multiple") && event.target.value.includes("@")) {
      event.preventDefault();
      settleField(event.target);
    }
    if (event.target.dataset?.choose && event.key === "Backspace" && !event.target.value) holder(event.target).querySelector(".chip:last-of-type")?.remove();
    return;
  }
  // A list that belongs to fewer letters than are there now offers nothing: the field is looked up whole when it is left.
  const stale = open.text !== undefined ? open.text !== open.field.value.trim() : looking.has(open.field);
  const separators = open.field.hasAttribute("data-multiple") ? ["Enter", "Tab", ","] : ["Enter", "Tab"];
  if (event.key === "ArrowDown") select(open.index + 1);
  else if (event.key === "ArrowUp") select(open.index - 1);
  else if (event.key === "Escape") close();
  else if (separators.includes(event.key) && stale) {
    const field = open.field;
    close();
    if (event.key === "Tab" || !field.dataset.choose) return;
    settleField(field);
  } else if (separators.includes(event.key)) open.commit(open.options[open.index]);
  else return;
  if (event.key === "Tab" && event.target.dataset.choose) return; // it moves on, whether or not a name was found in time
  event.preventDefault();
  event.stopPropagation();
}, true);

// A field that is left by a press is looked up after it: a chip that moved the button away from under it would lose the press.
let isPressed = false;
document.addEventListener("pointerdown", () => { isPressed = true; }, true);
for (const happening of ["pointerup", "pointercancel"]) document.addEventListener(happening, () => { isPressed = false; }, true);

document.addEventListener("focusout", (event) => {
  const field = event.target;
  if (open?.field === field) close();
  if (!field.dataset?.choose) return;
  if (!isPressed) settleField(field);
  else document.addEventListener("pointerup", () => setTimeout(() => settleField(field), 0), { once: true });
});

// Keys pressed while a form is on its way are for nothing on the page.
document.addEventListener("keydown", (event) => {
  if (!document.querySelector("form[inert]")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// A form waits for choices that are still being looked up; a field is empty from the first of several on.
document.addEventListener("submit", (event) => {
  const fields = [...event.target.querySelectorAll("[data-choose]")].filter((field) => settling.has(field) || unsettled(field));
  if (!fields.length || event.target.dataset.settled) { delete event.target.dataset.settled; return; }
  event.preventDefault();
  event.stopImmediatePropagation();
  const active = document.activeElement;
  event.target.inert = true;
  Promise.all(fields.map(settleField)).then(() => {
    event.target.inert = false;
    active?.focus({ preventScroll: true });
    event.target.dataset.settled = "1";
    event.target.requestSubmit(event.submitter);
  });
}, true);
