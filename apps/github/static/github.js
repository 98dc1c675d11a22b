// The code host's own touches: writing and previewing, quoting, copying, buttons that send a second field.
document.addEventListener("click", (event) => {
  const write = event.target.closest("[data-write]");
  if (write) show(write.dataset.write, false);
  const look = event.target.closest("[data-preview]");
  if (look) show(look.dataset.preview, true);
  const copy = event.target.closest("[data-copies]");
  if (copy) navigator.clipboard?.writeText(new URL(copy.dataset.copies, location.href).href);
  const quote = event.target.closest("[data-quotes]");
  if (quote) cite(document.getElementById(quote.dataset.quotes)?.dataset.source || "");
  const also = event.target.closest("button[data-also]");
  if (also) add(also);
});

function show(id, preview) {
  document.getElementById(id).hidden = preview;
  document.getElementById(`${id}-preview`).hidden = !preview;
  document.getElementById(`${id}-write`).setAttribute("aria-selected", String(!preview));
  document.getElementById(`${id}-look`).setAttribute("aria-selected", String(preview));
  if (!preview) document.getElementById(id).focus();
}

document.addEventListener("htmx:configRequest", (event) => {
  const look = event.target.closest?.("[data-preview]");
  if (!look) return;
  const token = look.closest("form")?.querySelector("[name=_token]")?.value || "";
  event.detail.parameters = { text: document.getElementById(look.dataset.preview).value, context: look.dataset.context, _token: token };
});

function cite(text) {
  const box = document.getElementById("new-comment");
  if (!box) return;
  box.value = `${box.value ? `${box.value}\n\n` : ""}${text.split("\n").map((line) => `> ${line}`).join("\n")}\n\n`;
  box.focus();
  box.scrollIntoView({ block: "center" });
}

function add(button) {
  const [name, value] = button.dataset.also.split("=");
  const field = Object.assign(document.createElement("input"), { type: "hidden", name, value });
  field.dataset.added = "";
  button.form.append(field);
}

// j and k go through the rows of a list; Enter opens the one they stand on.
document.addEventListener("keydown", (event) => {
  const writing = event.target.matches("input, select, textarea");
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter" && event.target.matches(".composer textarea")) event.target.form.querySelector(".button-primary")?.click();
  if (writing || event.ctrlKey || event.metaKey || event.altKey || !["j", "k"].includes(event.key)) return;
  const rows = [...document.querySelectorAll("#main .row-title, #main [data-row]")];
  const at = rows.indexOf(document.activeElement);
  rows[at < 0 ? 0 : Math.min(Math.max(at + (event.key === "j" ? 1 : -1), 0), rows.length - 1)]?.focus();
});

// A field that narrows the list below it; Enter takes the only one left.
function left(field) { return [...document.querySelectorAll(field.dataset.filters)].filter((item) => !item.hidden); }

document.addEventListener("input", (event) => {
  const field = event.target;
  if (!field.matches?.("input[data-filters]")) return;
  const wanted = field.value.trim().replace(/^@/, "").toLowerCase();
  for (const item of document.querySelectorAll(field.dataset.filters)) item.hidden = !item.textContent.toLowerCase().includes(wanted);
});
document.addEventListener("keydown", (event) => {
  const field = event.target;
  if (event.key !== "Enter" || !field.matches?.("input[data-filters]")) return;
  event.preventDefault();
  const found = left(field);
  if (field.value.trim() && found.length === 1) found[0].querySelector("input").click();
});
