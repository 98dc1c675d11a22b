// A text that was begun and not sent is there again after a reload, a look elsewhere or a swap: form[data-keeps="what it is for"].
// It waits in the tab, under the session's name; the world hears of a text when it is sent.
import { grow } from "./composer.js";

const seen = new WeakSet();

function name(form, field) {
  const session = form.elements._token.value.replace(/\.\d+$/, "");
  return ["draft", session, document.documentElement.dataset.app, form.dataset.keeps, field].join(" ");
}

export function texts(form) {
  return [...form.querySelectorAll("textarea[name], input[type=text][name], input[name]:not([type])")];
}

export function keep(form, field, text) {
  if (!form.dataset.keeps) return;
  if (text) sessionStorage.setItem(name(form, field), text);
  else sessionStorage.removeItem(name(form, field));
}

export function write(field, text, at = text.length) {
  field.value = text;
  if (field.matches("textarea[data-grow]")) grow(field);
  if (document.activeElement === field) field.setSelectionRange(at, at);
  keep(field.form, field.name, text);
}

// What was typed before the scripts were there goes before what was kept.
function bringBack(form) {
  if (seen.has(form)) return;
  seen.add(form);
  for (const field of texts(form)) {
    const kept = sessionStorage.getItem(name(form, field.name));
    if (kept && field.value === field.defaultValue) write(field, kept, caret?.id === field.id ? caret.at : kept.length);
  }
}

function look() { document.querySelectorAll("form[data-keeps]").forEach(bringBack); }

let caret = null;
function remember() {
  const box = document.activeElement;
  caret = box?.matches?.("form[data-keeps] textarea") ? { id: box.id, at: box.selectionStart } : null;
}

document.addEventListener("input", (event) => {
  const form = event.target.form;
  if (form?.dataset.keeps && event.target.name && texts(form).includes(event.target)) keep(form, event.target.name, event.target.value);
});
document.addEventListener("submit", ({ target: form }) => {
  if (!window.htmx && form.dataset.keeps) for (const field of texts(form)) keep(form, field.name, "");
});
document.addEventListener("htmx:beforeSwap", remember);
for (const happening of ["htmx:afterSwap", "firm:put"]) document.addEventListener(happening, look);
look();
