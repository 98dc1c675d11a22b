// Fetches the parts of a page that take time: elements with data-late hold the address of what belongs in them.
export function parse(text) {
  return new DOMParser().parseFromString(text, "text/html").body;
}

export async function fetchPart(address, signal) {
  const answer = await fetch(address, { credentials: "same-origin", signal });
  return { ok: answer.ok, body: parse(await answer.text()) };
}

export function loadLate(root, signal) {
  for (const place of root.querySelectorAll("[data-late]")) {
    fetchPart(place.dataset.late, signal)
      .then(({ ok, body }) => {
        const shown = ok ? body : body.querySelector("main p") || body;
        place.replaceChildren(...(ok ? shown.childNodes : [shown]));
        place.removeAttribute("data-late");
      })
      .catch((error) => { if (error.name !== "AbortError") place.textContent = "Could not be loaded."; });
  }
}
