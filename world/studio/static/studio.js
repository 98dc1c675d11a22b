// Fetches the late panels of a step, and gives j, k and the arrows their meaning.
for (const place of document.querySelectorAll("[data-late]")) {
  fetch(place.dataset.late, { credentials: "same-origin" })
    .then((answer) => answer.text())
    .then((text) => { place.innerHTML = new DOMParser().parseFromString(text, "text/html").body.innerHTML; })
    .catch(() => { place.textContent = "Could not be loaded."; });
}

const KEYS = { j: "next", ArrowRight: "next", k: "prev", ArrowLeft: "prev" };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
  document.querySelector(`a[rel="${KEYS[event.key]}"]`)?.click();
});
