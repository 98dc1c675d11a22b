// The tracker's own touches: buttons that fill a control, rows that are all chosen, dialogs that hold the focus, j and k.
const FIELDS = "input:not([type=hidden]):not([disabled]), select:not([disabled]), textarea:not([disabled])";
const ROWS = ".issue-table td.grow a, .issue-line > .issue-summary, .card-summary, .plain-table td > a:has(b), .plain-table td > a.person";

document.addEventListener("click", (event) => {
  const setter = event.target.closest("[data-sets]");
  if (!setter) return;
  const control = document.getElementById(setter.dataset.sets);
  if (control) { control.value = setter.dataset.value; control.dispatchEvent(new Event("change", { bubbles: true })); control.focus(); }
});

document.addEventListener("change", (event) => {
  const all = event.target.closest("[data-checks]");
  if (all) document.querySelectorAll(`input[type=checkbox][name="${all.dataset.checks}"]`).forEach((box) => { box.checked = all.checked; });
  if (all || event.target.name === "issues") count();
  if (event.target.matches("[data-submits]")) event.target.form.requestSubmit();
});

function count() {
  const chosen = document.querySelectorAll("input[type=checkbox][name=issues]:checked").length;
  document.querySelectorAll("[data-chosen-count]").forEach((place) => { place.textContent = String(chosen); });
}

// A dialog takes the focus when it opens, keeps it while it is open, and gives it back.
let shown = null;
let opener = null;

function hold() {
  const dialog = document.querySelector("#overlay .dialog");
  if (dialog === shown) return;
  if (dialog && !shown) opener = document.activeElement;
  shown = dialog;
  if (dialog) (dialog.querySelector('[name="fields.summary"]') || dialog.querySelector(FIELDS) || dialog.querySelector(".form-foot a") || dialog.querySelector(".menu-item, button"))?.focus();
  else if (opener?.isConnected) (opener.closest("details.menu")?.querySelector("summary") || opener).focus();
}

function around(event) {
  const stops = [...shown.querySelectorAll(`a[href], button, summary, ${FIELDS}`)].filter((one) => one.tabIndex >= 0 && one.checkVisibility());
  const edge = event.shiftKey ? stops[0] : stops.at(-1);
  if (shown.contains(document.activeElement) && document.activeElement !== edge) return;
  event.preventDefault();
  (event.shiftKey ? stops.at(-1) : stops[0])?.focus();
}

// j and k go through the rows of a list or the cards of a board; Enter opens the one they stand on.
function step(by) {
  const rows = [...document.querySelectorAll(`#main :is(${ROWS})`)];
  const at = rows.indexOf(document.activeElement);
  rows[at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)]?.focus();
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Tab" && shown?.isConnected) around(event);
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !shown?.isConnected && !document.querySelector("dialog:modal");
  if (plain && (event.key === "j" || event.key === "k") && !event.target.matches("input, select, textarea")) step(event.key === "j" ? 1 : -1);
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.matches(".editor textarea, .jql textarea")) event.target.form.requestSubmit();
});

document.addEventListener("htmx:afterSwap", () => { count(); hold(); });
hold();
