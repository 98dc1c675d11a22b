// Files: choosing lines, copying, narrowing lists of branches, opening the first file found.
const RANGE = /^#L(\d+)(?:-L(\d+))?$/;

function chosen() {
  const found = RANGE.exec(location.hash);
  if (!found) return null;
  const [first, last] = [Number(found[1]), Number(found[2] || found[1])];
  return [Math.min(first, last), Math.max(first, last)];
}

function mark(reveal) {
  const range = chosen();
  document.querySelectorAll("tr.chosen").forEach((row) => row.classList.remove("chosen"));
  const menu = document.getElementById("line-menu");
  if (menu) menu.hidden = !range;
  if (!range) return;
  for (let line = range[0]; line <= range[1]; line += 1) document.getElementById(`L${line}`)?.classList.add("chosen");
  if (reveal) document.getElementById(`L${range[0]}`)?.scrollIntoView({ block: "center" });
}

function write(text) { navigator.clipboard?.writeText(text).catch(() => {}); }

function lines(first, last) {
  const rows = [...document.querySelectorAll("[data-lines] .line")];
  return rows.slice(first - 1, last).map((cell) => cell.textContent).join("\n");
}

document.addEventListener("click", (event) => {
  const number = event.target.closest("[data-lines] .num a");
  if (number) {
    event.preventDefault();
    const here = Number(number.dataset.line);
    const range = event.shiftKey && chosen();
    const hash = range ? `#L${Math.min(range[0], here)}-L${Math.max(range[0], here)}` : `#L${here}`;
    history.replaceState(history.state, "", hash);
    mark(false);
  }
  const text = event.target.closest("[data-copy-text]");
  if (text) write(text.dataset.copyText);
  if (event.target.closest("[data-copy-file]")) write(lines(1, Infinity));
  if (event.target.closest("[data-copy-lines]") && chosen()) write(lines(...chosen()));
  const kept = event.target.closest("[data-keeps-lines]");
  if (kept && RANGE.test(location.hash)) kept.hash = location.hash;
  if (event.target.matches("[data-selects]")) event.target.select();
});

document.addEventListener("input", (event) => {
  const list = event.target.dataset.narrows && document.getElementById(event.target.dataset.narrows);
  if (!list) return;
  const wanted = event.target.value.trim().toLowerCase();
  const items = [...list.querySelectorAll("li")];
  items.forEach((item) => { item.hidden = !item.textContent.toLowerCase().includes(wanted); });
  list.querySelectorAll(".ref-none").forEach((none) => { none.hidden = items.some((item) => !item.hidden); });
});

document.addEventListener("submit", (event) => {
  const results = event.target.dataset.opensFirst && document.getElementById(event.target.dataset.opensFirst);
  const first = results?.querySelector("a");
  if (first && document.documentElement.dataset.busy === "0") {
    event.preventDefault();
    location.assign(first.href);
  }
});

// The editor: its two tabs, and the dialog that commits.
document.addEventListener("click", (event) => {
  const closer = event.target.closest("[data-closes]");
  if (closer) document.getElementById(closer.dataset.closes)?.close();
  const tab = event.target.closest("[data-editor]");
  if (!tab) return;
  const look = tab.dataset.editor === "look";
  document.getElementById("edit-text").hidden = look;
  document.getElementById("edit-preview").hidden = !look;
  document.getElementById("edit-look").setAttribute("aria-selected", String(look));
  document.getElementById("edit-write").setAttribute("aria-selected", String(!look));
});

// What the commit will be called follows the name of the file.
document.addEventListener("input", (event) => {
  const message = event.target.id === "file-path" && document.getElementById("commit-message");
  if (!message || document.querySelector('[name="old_path"]').value) return;
  const name = event.target.value.split("/").pop();
  message.placeholder = name ? `Create ${name}` : "Create new file";
  document.querySelector('[name="commit_words"]').value = message.placeholder;
});

// The picker's field takes the focus when its menu opens.
document.addEventListener("toggle", (event) => {
  if (event.target.matches?.("details.menu") && event.target.open) event.target.querySelector("[data-narrows]")?.focus();
}, true);

addEventListener("hashchange", () => mark(true));
document.addEventListener("htmx:afterSwap", () => mark(false));
mark(true);

// What was typed before the scripts were there counts too.
addEventListener("load", () => {
  const field = document.querySelector("[data-opens-first] input");
  if (field && field.value !== field.defaultValue) field.dispatchEvent(new Event("input", { bubbles: true }));
});
