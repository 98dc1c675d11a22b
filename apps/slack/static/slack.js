// The chat client's own touches: filters over lists, Enter in the switcher, the way back to the latest message.
document.addEventListener("input", (event) => {
  const field = event.target;
  if (!field.matches?.("input[data-filters]")) return;
  const wanted = field.value.trim().toLowerCase().replace(/^[:#@]+|:+$/g, "");
  for (const item of document.querySelectorAll(field.dataset.filters)) {
    const text = (item.getAttribute("aria-label") || item.textContent).toLowerCase();
    item.hidden = Boolean(wanted) && !text.includes(wanted);
  }
  for (const group of document.querySelectorAll(`${field.dataset.filters.split(" ")[0]} fieldset`)) {
    group.hidden = !group.querySelector("button:not([hidden])");
  }
});

// Enter in the switcher may come before the last letters have been looked up: it goes on once the list is of what is typed.
let jumping = null;
function jump() {
  const list = jumping?.isConnected && document.querySelector(jumping.dataset.goesTo);
  if (!list || list.dataset.find !== jumping.elements.find.value || document.documentElement.dataset.busy !== "0") return;
  jumping = null;
  list.querySelector("a")?.click();
}
document.addEventListener("keydown", (event) => {
  const form = event.target.closest?.("form[data-goes-to]");
  if (!form || event.key !== "Enter") return;
  event.preventDefault();
  jumping = form;
  jump();
});
new MutationObserver(jump).observe(document.documentElement, { attributeFilter: ["data-busy"] });

// The line above what was new stays while its conversation is shown, although the conversation counts as read by then.
let fresh = null;
document.addEventListener("htmx:beforeRequest", (event) => {
  const bar = event.detail.elt;
  const line = bar.matches("form.unread-bar[data-sent]") && bar.parentElement.querySelector(".new-line");
  if (line) fresh = { line: line.cloneNode(true), before: line.nextElementSibling.id, on: location.pathname };
});
document.addEventListener("firm:put", (event) => {
  const article = fresh && fresh.on === location.pathname && event.target.querySelector(`#${fresh.before}`);
  if (article && !event.target.querySelector(".new-line")) article.before(fresh.line.cloneNode(true));
});

function notice(list) {
  list.toggleAttribute("data-away", list.scrollHeight - list.clientHeight - list.scrollTop > 400);
}
document.addEventListener("scroll", (event) => { if (event.target.matches?.(".messages")) notice(event.target); }, true);

document.addEventListener("keydown", (event) => {
  if (!event.altKey || !event.shiftKey || !["ArrowDown", "ArrowUp"].includes(event.key)) return;
  const unread = [...document.querySelectorAll("#sidebar .side-item.unread[id]")].filter((item) => !item.hasAttribute("aria-current"));
  const next = event.key === "ArrowDown" ? unread[0] : unread[unread.length - 1];
  if (next) { event.preventDefault(); next.click(); }
});

// ArrowUp in an empty box edits one's own last message above it.
document.addEventListener("keydown", (event) => {
  const box = event.target;
  if (event.key !== "ArrowUp" || event.defaultPrevented || event.shiftKey || event.altKey || !box.matches?.(".composer textarea") || box.value) return;
  const mine = [...document.querySelectorAll(`${box.form.getAttribute("hx-target")} article[data-mine] .edit-link`)].pop();
  if (mine) { event.preventDefault(); mine.click(); }
});

// What stands in the box goes along into "Schedule for later"; once it is scheduled, the box is empty again.
function boxOf(form) {
  return document.getElementById(`${form.elements.thread_ts ? "thread-" : ""}composer-text`);
}
document.addEventListener("htmx:afterSwap", () => {
  const field = document.querySelector("#schedule textarea[name=text]");
  if (!field || field.dataset.filled) return;
  field.dataset.filled = "1"; // once: who empties it means it
  if (!field.value) field.value = boxOf(field.form)?.value || "";
});
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const form = detail.requestConfig.elt;
  const box = form.id === "schedule" && detail.xhr.status === 200 && boxOf(form);
  if (!box) return;
  box.value = "";
  box.dispatchEvent(new Event("input", { bubbles: true }));
});
