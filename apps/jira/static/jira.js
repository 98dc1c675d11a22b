// The tracker's own touches: buttons that fill a control, rows that are all chosen, keys for columns of the board.
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
  if (event.target.matches("select[data-submits]")) event.target.form.requestSubmit();
});

function count() {
  const chosen = document.querySelectorAll("tbody input[type=checkbox][name=issues]:checked").length;
  document.querySelectorAll("[data-chosen-count]").forEach((place) => { place.textContent = String(chosen); });
}
document.addEventListener("htmx:afterSwap", count);
