// Scroll positions: lists that start at their end, and panes that keep their place when they are drawn again.
const places = new Map();

function endOf(list) {
  const mark = list.querySelector("[data-scroll-here]");
  if (mark) list.scrollTop = mark.offsetTop - list.clientHeight / 3;
  else list.scrollTop = list.scrollHeight;
}

export function keep(scope) {
  for (const pane of panes(scope)) {
    const end = pane.scrollHeight - pane.clientHeight - pane.scrollTop < 40;
    places.set(pane.id, { top: pane.scrollTop, end, key: pane.dataset.scrollKey || "" });
  }
}

export function restore(scope) {
  for (const pane of panes(scope)) {
    const place = places.get(pane.id);
    const same = place && place.key === (pane.dataset.scrollKey || "");
    if (same && !(pane.dataset.scroll === "end" && place.end)) pane.scrollTop = place.top;
    else if (pane.dataset.scroll === "end") endOf(pane);
  }
}

function panes(scope) {
  const inside = [...scope.querySelectorAll("[data-scroll]")];
  return scope.matches?.("[data-scroll]") ? [scope, ...inside] : inside;
}

// Another page begins at its top; the same page, drawn again, stays where it is.
const pageShown = () => document.querySelector("[data-scroll-page]")?.dataset.scrollPage;
let shown = pageShown();
document.addEventListener("htmx:afterSwap", () => {
  const now = pageShown();
  if (now !== shown) scrollTo(0, 0);
  shown = now;
});

document.addEventListener("htmx:beforeSwap", () => keep(document));
document.addEventListener("htmx:afterSwap", () => restore(document));
document.addEventListener("click", (event) => {
  const jump = event.target.closest("[data-scroll-end]");
  if (!jump) return;
  const pane = document.getElementById(jump.dataset.scrollEnd);
  if (pane) { event.preventDefault(); pane.scrollTop = pane.scrollHeight; }
});
restore(document);
document.fonts?.ready.then(() => restore(document));
