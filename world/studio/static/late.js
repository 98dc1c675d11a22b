// Fetches the parts of a page that take time: elements with data-late hold the address of what belongs in them.
export function parse(text) {
  return new DOMParser().parseFromString(text, "text/html").body;
}

export async function fetchPart(address, signal) {
  const answer = await fetch(address, { credentials: "same-origin", signal });
  const body = parse(await answer.text());
  return { ok: answer.ok && !body.querySelector(":scope > [data-problem]"), body };
}

export function loadLate(root, signal) {
  for (const place of root.querySelectorAll("[data-late]")) {
    fetchPart(place.dataset.late, signal)
      .then(({ body }) => {
        place.replaceChildren(...body.childNodes);
        place.removeAttribute("data-late");
      })
      .catch((error) => { if (error.name !== "AbortError") place.textContent = "Could not be loaded."; });
  }
}
