// The mail client's own touches: choosing rows, keys of a list, suggestions under the search field.
// A row is current while something in it has the focus; keys that act on rows act on the checked ones, else on the current one.
// In a conversation the message that has the focus is current, else the last one.
const rows = () => [...document.querySelectorAll("#list .row")];
const boxes = () => [...document.querySelectorAll("#list .row-check input")];
const current = () => document.activeElement?.closest("#list .row");
const message = () => document.activeElement?.closest("#messages .message") ?? [...document.querySelectorAll("#messages details.message")].at(-1);
let lastClicked = null;

function tell() {
  const all = document.querySelector("[data-select-all]");
  if (!all) return;
  const count = boxes().filter((box) => box.checked).length;
  all.checked = count > 0 && count === boxes().length;
  all.indeterminate = count > 0 && count < boxes().length;
  const shown = document.querySelector("[data-selected]");
  shown.textContent = count ? `${count} selected` : "";
}

function choose(kind) {
  const fits = {
    all: () => true, none: () => false, read: (row) => !row.classList.contains("unread"), unread: (row) => row.classList.contains("unread"),
    starred: (row) => row.querySelector(".star").classList.contains("on"), unstarred: (row) => !row.querySelector(".star").classList.contains("on"),
  }[kind];
  for (const row of rows()) row.querySelector(".row-check input").checked = fits(row);
  tell();
}

document.addEventListener("change", (event) => {
  if (event.target.matches?.("[data-select-all]")) choose(event.target.checked ? "all" : "none");
  else if (event.target.matches?.(".row-check input")) tell();
});

document.addEventListener("click", (event) => {
  const box = event.target.closest?.(".row-check input");
  if (!box) return;
  const all = boxes();
  if (event.shiftKey && lastClicked?.isConnected) {
    const [from, to] = [all.indexOf(lastClicked), all.indexOf(box)].sort((a, b) => a - b);
    for (const one of all.slice(from, to + 1)) one.checked = box.checked;
    tell();
  }
  lastClicked = box;
});

// Before htmx or the form sees the click: a choice in the menu is made here; a tool without checked rows takes the current one.
document.addEventListener("click", (event) => {
  const choice = event.target.closest?.("[data-select]");
  if (choice) {
    event.preventDefault();
    event.stopPropagation();
    choice.closest("details").open = false;
    choose(choice.dataset.select);
    return;
  }
  const tool = event.target.closest?.("[data-bulk]");
  if (!tool || boxes().some((box) => box.checked)) return;
  const box = current()?.querySelector(".row-check input");
  if (box) box.checked = true;
  else { event.preventDefault(); event.stopPropagation(); }
}, true);

// keys of a list

function step(by) {
  const all = rows();
  const at = all.indexOf(current());
  const next = all[at < 0 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)];
  next?.querySelector(".row-link").focus();
  next?.scrollIntoView({ block: "nearest" });
}

const ANYWHERE = ["s", "z"];
const KEYS = {
  j: () => step(1), k: () => step(-1),
  o: () => current()?.querySelector(".row-link").click(),
  x: () => { const box = current()?.querySelector(".row-check input"); if (box) { box.checked = !box.checked; tell(); } },
  s: () => (current() ?? message())?.querySelector(".star")?.click(),
  z: () => document.querySelector("#toasts form[data-undo] .toast-action")?.click(),
};

function typing(target) {
  return target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox], [type=radio])");
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (typing(event.target) || event.target.closest("[role=dialog], [data-compose]")) return;
  if (document.querySelector("dialog:modal, #overlay .overlay")) return;
  const press = KEYS[event.key];
  if (!press || (!ANYWHERE.includes(event.key) && !document.getElementById("list")) || awaited()) return;
  event.preventDefault();
  press();
});

// `g s` is Starred, not a star: the second key of a pair belongs to the shared shortcuts.
let begun = "";
function awaited() { return begun === "g" || begun === "*"; }
document.addEventListener("keydown", (event) => {
  if (["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
  const before = begun;
  begun = !typing(event.target) && ["g", "*"].includes(event.key) && before !== event.key ? event.key : "";
});

// When the list is drawn again, the row at the same place is the current one.
let place = -1;
document.addEventListener("htmx:beforeSwap", (event) => {
  place = event.detail.target?.querySelector?.(".row") ? rows().indexOf(current()) : -1;
});
document.addEventListener("htmx:afterSwap", () => {
  tell();
  const all = rows();
  if (place >= 0 && all.length && !document.querySelector("#overlay .overlay") && (document.activeElement === document.body || !document.activeElement)) {
    all[Math.min(place, all.length - 1)].querySelector(".row-link").focus({ preventScroll: true });
  }
  place = -1;
});
tell();

// filters over choices

document.addEventListener("input", (event) => {
  const field = event.target;
  if (!field.matches?.("input[data-filters]")) return;
  const wanted = field.value.trim().toLowerCase();
  for (const item of document.querySelectorAll(field.dataset.filters)) item.hidden = Boolean(wanted) && !item.textContent.toLowerCase().includes(wanted);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches?.("input[data-filters]")) return;
  event.preventDefault();
  document.querySelector(`${event.target.dataset.filters.split(" ")[0]} .pick-item:not([hidden])`)?.click();
});
for (const half of document.querySelectorAll("input[data-some]")) half.indeterminate = true;
document.addEventListener("htmx:afterSwap", () => {
  for (const half of document.querySelectorAll("input[data-some]")) half.indeterminate = true;
});

// suggestions under the search field

const { busy } = await import(document.querySelector('script[src$="/main.js"]').src.replace(/main\.js$/, "settle.js"));

async function suggest(field) {
  const text = field.value;
  const address = new URL(field.dataset.suggests, location.href);
  address.searchParams.set("q", text);
  busy(1);
  try {
    const answer = await fetch(address, { headers: { "HX-Request": "true", "HX-Target": "suggestions", "Firm-Live": "1" } });
    const html = answer.ok && text.trim() ? await answer.text() : "";
    if (field.value !== text) return;
    const fresh = document.createElement("template");
    fresh.innerHTML = html.trim();
    document.getElementById("suggestions").replaceChildren(...(fresh.content.firstElementChild?.childNodes ?? []));
  } finally {
    busy(-1);
  }
}
document.addEventListener("input", (event) => {
  if (event.target.matches?.("input[data-suggests]")) suggest(event.target);
});

document.addEventListener("keydown", (event) => {
  const form = event.target.closest?.(".mail-search");
  if (!form || !["ArrowDown", "ArrowUp", "Escape"].includes(event.key)) return;
  const field = form.querySelector("input[type=search]");
  if (event.key === "Escape") { form.querySelector("#suggestions").replaceChildren(); field.blur(); event.preventDefault(); return; }
  const links = [field, ...form.querySelectorAll(".suggestion")];
  const at = links.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
  if (links.length < 2) return;
  event.preventDefault();
  links[(at + links.length) % links.length].focus();
});
