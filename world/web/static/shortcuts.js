// Keys: an element with data-shortcut="g i" is clicked (or focused, if it is a field) when those keys are pressed.
let pending = "";

function typing(target) {
  return target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox], [type=radio])");
}

function pressed(event) {
  const parts = [];
  if (event.ctrlKey || event.metaKey) parts.push("mod");
  if (event.altKey) parts.push("alt");
  if (event.shiftKey && event.key.length > 1) parts.push("shift");
  parts.push(event.key.length === 1 ? event.key.toLowerCase() === event.key ? event.key : event.shiftKey ? event.key : event.key.toLowerCase() : event.key);
  return parts.join("+");
}

// In a window to write in, keys mean what they mean there: what lies behind it is not reached by them.
function within(target) { return target.closest?.('[role="dialog"], [data-compose]') || document; }

function find(keys, place) {
  return [...place.querySelectorAll("[data-shortcut]")].find((element) => element.dataset.shortcut.split(",").includes(keys));
}

function follow(element) {
  if (typing(element)) {
    element.focus();
    element.select?.();
  } else element.click();
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || ["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
  const key = pressed(event);
  if (typing(event.target) && !key.startsWith("mod+")) return;
  if (document.querySelector("dialog:modal")) return;
  const place = key.startsWith("mod+") ? document : within(event.target);
  const element = find(pending ? `${pending} ${key}` : key, place) || find(key, place);
  if (element) {
    event.preventDefault();
    pending = "";
    follow(element);
    return;
  }
  const begins = [...place.querySelectorAll("[data-shortcut]")].some((e) => e.dataset.shortcut.split(",").some((s) => s.startsWith(key + " ")));
  pending = begins ? key : "";
});
