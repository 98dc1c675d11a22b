// Text boxes that send on Enter, grow with their text, and format the selection; file inputs that show what was chosen.
export function grow(box) {
  box.style.height = "auto";
  box.style.height = `${Math.min(box.scrollHeight, Number(box.dataset.grow) || 240)}px`;
}

document.addEventListener("input", (event) => {
  if (event.target.matches?.("textarea[data-grow]")) grow(event.target);
});
document.addEventListener("firm:reset", (event) => {
  event.target.querySelectorAll("textarea[data-grow]").forEach(grow);
  event.target.querySelectorAll("[data-chosen]").forEach((list) => list.replaceChildren());
});

document.addEventListener("keydown", (event) => {
  const box = event.target;
  if (event.key !== "Enter" || event.defaultPrevented || event.isComposing || !box.matches?.("textarea[data-enter-sends]")) return;
  if (event.shiftKey || event.altKey) return;
  event.preventDefault();
  const files = box.form.querySelector("input[type=file]");
  if (box.value.trim() || files?.files.length || box.dataset.enterSends) box.form.requestSubmit();
});

function wrap(box, before, after) {
  const { selectionStart: start, selectionEnd: end, value } = box;
  const inner = value.slice(start, end);
  box.setRangeText(before + inner + after, start, end, "end");
  if (!inner) box.selectionStart = box.selectionEnd = start + before.length;
  box.focus();
  box.dispatchEvent(new Event("input", { bubbles: true }));
}

function prefix(box, mark) {
  const { selectionStart: start, selectionEnd: end, value } = box;
  const from = value.lastIndexOf("\n", start - 1) + 1;
  const lines = value.slice(from, end).split("\n").map((line, i) => (mark === "1. " ? `${i + 1}. ` : mark) + line);
  box.setRangeText(lines.join("\n"), from, end, "end");
  box.focus();
  box.dispatchEvent(new Event("input", { bubbles: true }));
}

document.addEventListener("click", (event) => {
  const tool = event.target.closest("[data-format]");
  if (!tool) return;
  const box = document.getElementById(tool.dataset.for) || tool.form?.querySelector("textarea");
  if (!box) return;
  event.preventDefault();
  if (tool.dataset.prefix) prefix(box, tool.dataset.prefix);
  else wrap(box, tool.dataset.format, tool.dataset.formatEnd || tool.dataset.format);
});

// Keys for what the toolbar does.
const MARKS = { b: "Bold", i: "Italic", "shift+x": "Strikethrough", "shift+c": "Code" };

document.addEventListener("keydown", (event) => {
  const box = event.target;
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented || !box.matches?.("textarea[data-complete]")) return;
  const name = MARKS[(event.shiftKey ? "shift+" : "") + event.key.toLowerCase()];
  const tools = name ? [...document.querySelectorAll(`[data-format][aria-label="${name}"]`)] : [];
  const tool = tools.find((one) => one.dataset.for === box.id || (!one.dataset.for && one.form === box.form)) || tools[0];
  if (!tool) return;
  event.preventDefault();
  wrap(box, tool.dataset.format, tool.dataset.formatEnd || tool.dataset.format);
});

// A text that is opened to be changed has the caret behind its last letter.
const entered = new WeakSet();
function enter(box) {
  if (!box?.matches?.("textarea[autofocus], input[autofocus][type=text]") || entered.has(box)) return;
  entered.add(box);
  box.setSelectionRange(box.value.length, box.value.length);
}
document.addEventListener("focusin", (event) => enter(event.target));
enter(document.activeElement);

document.addEventListener("change", (event) => {
  const input = event.target;
  if (!input.matches?.("input[type=file][data-shows]")) return;
  const list = document.getElementById(input.dataset.shows);
  list.replaceChildren(...[...input.files].map((file) => {
    const chip = document.createElement("span");
    chip.className = "chip";
    chip.textContent = `${file.name} (${size(file.size)})`;
    return chip;
  }));
});

function size(count) {
  const units = ["B", "kB", "MB", "GB"];
  let unit = 0;
  while (count >= 1000 && unit < 3) { count /= 1000; unit += 1; }
  return `${unit === 0 || count >= 10 ? Math.round(count) : count.toFixed(1)} ${units[unit]}`;
}

document.addEventListener("dragover", (event) => { if (dropZone(event)) event.preventDefault(); });
document.addEventListener("drop", (event) => {
  const input = dropZone(event);
  if (!input) return;
  event.preventDefault();
  input.files = event.dataTransfer.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
});

function dropZone(event) {
  if (!event.dataTransfer?.types.includes("Files")) return null;
  return event.target.closest?.("form")?.querySelector("input[type=file]") || null;
}
