// Moving cards between columns by pointer: hit test where the pointer is released, then post the card's ordinary form.
// A card is [data-drag="<form id>"]; a column is [data-drop] whose data-drop-<name> values go into the form's fields of that name.
const THRESHOLD = 5;
let dragged = null;

function columnAt(x, y) {
  return document.elementsFromPoint(x, y).map((e) => e.closest("[data-drop]")).find(Boolean) || null;
}

function before(column, y) {
  const cards = [...column.querySelectorAll("[data-drag]")].filter((card) => card !== dragged.card);
  return cards.find((card) => { const box = card.getBoundingClientRect(); return y < box.top + box.height / 2; }) || null;
}

document.addEventListener("pointerdown", (event) => {
  if (event.button !== 0 || event.target.closest("button, input, select, textarea, summary, [data-no-drag]")) return;
  const card = event.target.closest("[data-drag]");
  if (card) dragged = { card, x: event.clientX, y: event.clientY, moved: false };
});

document.addEventListener("pointermove", (event) => {
  if (!dragged) return;
  if (!dragged.moved && Math.hypot(event.clientX - dragged.x, event.clientY - dragged.y) < THRESHOLD) return;
  dragged.moved = true;
  dragged.card.classList.add("dragging");
  const over = columnAt(event.clientX, event.clientY);
  document.querySelectorAll("[data-drop].drop-target").forEach((c) => c.classList.toggle("drop-target", c === over));
  over?.classList.add("drop-target");
});

document.addEventListener("pointerup", (event) => {
  if (!dragged) return;
  const { card, x, y } = dragged;
  const moved = dragged.moved || Math.hypot(event.clientX - x, event.clientY - y) >= THRESHOLD;
  const column = moved ? columnAt(event.clientX, event.clientY) : null;
  const follower = column ? before(column, event.clientY) : null;
  card.classList.remove("dragging");
  document.querySelectorAll(".drop-target").forEach((c) => c.classList.remove("drop-target"));
  dragged = null;
  if (moved) swallowClick();
  if (column && column !== card.closest("[data-drop]") || column?.hasAttribute("data-drop-ordered")) drop(card, column, follower);
});

function swallowClick() {
  const stop = (event) => { event.preventDefault(); event.stopPropagation(); };
  document.addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => document.removeEventListener("click", stop, { capture: true }), 0);
}

function drop(card, column, follower) {
  const form = document.getElementById(card.dataset.drag);
  if (!form) return;
  for (const [name, value] of Object.entries(column.dataset)) {
    if (!name.startsWith("drop") || name === "drop" || name === "dropOrdered") continue;
    const field = form.elements[name.slice(4, 5).toLowerCase() + name.slice(5)] || form.querySelector(`[data-fills="${name.slice(4).toLowerCase()}"]`);
    if (field) field.value = value;
  }
  const next = form.querySelector('[data-fills="before"]');
  if (next) next.value = follower?.dataset.dragKey || "";
  form.requestSubmit();
}

document.addEventListener("dragstart", (event) => { if (event.target.closest?.("[data-drag]")) event.preventDefault(); });
