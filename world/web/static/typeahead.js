// Keys pressed while a link's answer is on its way belong to what it brings: they wait, and go where the focus is then.
const waiting = new Map(); // request -> whether its answer was put into the page
const held = []; // events that wait, the oldest first

function isTyping(element) {
  return Boolean(element?.isContentEditable || element?.matches?.("textarea, input:not([type=checkbox], [type=radio], [type=file], [type=submit])"));
}

document.addEventListener("htmx:beforeSend", (event) => {
  const { requestConfig, xhr } = event.detail;
  if (requestConfig.verb === "get" && requestConfig.elt.matches("a")) waiting.set(xhr, false);
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (waiting.has(event.detail.xhr)) waiting.set(event.detail.xhr, true);
});
document.addEventListener("htmx:afterSettle", (event) => end(event.detail.xhr, true));
document.addEventListener("htmx:afterRequest", (event) => end(event.detail.xhr, false));
for (const lost of ["htmx:sendError", "htmx:timeout", "htmx:sendAbort"]) {
  document.addEventListener(lost, (event) => { waiting.delete(event.detail.xhr); release(); });
}

// What an app does with the answer (it puts the focus somewhere) comes first.
function end(xhr, settled) {
  if (!waiting.has(xhr) || waiting.get(xhr) !== settled) return;
  setTimeout(() => { waiting.delete(xhr); release(); }, 0);
}

addEventListener("keydown", (event) => {
  if (!waiting.size || !event.isTrusted || event.isComposing) return;
  if (["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
  if ((event.ctrlKey || event.metaKey || event.altKey) && event.key !== "Enter") return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const { key, code, ctrlKey, metaKey, altKey, shiftKey } = event;
  held.push({ key, code, ctrlKey, metaKey, altKey, shiftKey, bubbles: true, cancelable: true });
}, true);

// One key of these may ask for a page again: the others go on waiting for that one.
function release() {
  while (held.length && !waiting.size) press(held.shift());
}

function press(keys) {
  const target = document.activeElement || document.body;
  const went = target.dispatchEvent(new KeyboardEvent("keydown", keys));
  if (went && !keys.ctrlKey && !keys.metaKey && !keys.altKey) act(document.activeElement, keys);
}

function act(target, { key, shiftKey }) {
  if (key === "Tab") step(target, shiftKey ? -1 : 1);
  else if (!isTyping(target)) { if (key === "Enter" || (key === " " && target.matches("button, summary, input"))) target.click(); }
  else if (key.length === 1) document.execCommand("insertText", false, key);
  else if (key === "Backspace") document.execCommand("delete");
  else if (key === "Enter" && target.matches("input")) target.form?.requestSubmit();
  else if (key === "Enter") document.execCommand(target.isContentEditable && !shiftKey ? "insertParagraph" : "insertLineBreak");
}

function step(from, by) {
  const place = from.closest("[role=dialog]") || document;
  const all = [...place.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex], [contenteditable=true]")]
    .filter((one) => one.tabIndex >= 0 && !one.disabled && !one.closest("[inert]") && one.checkVisibility());
  all[all.indexOf(from) + by]?.focus();
}
