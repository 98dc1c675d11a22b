// The page of a served world follows what happens there.
import { fetchPart } from "./late.js";

const POLL = 1000; // ms

export function followWorld(place) {
  async function look() {
    const { ok, body } = await fetchPart(place.dataset.now);
    if (ok) place.replaceChildren(...body.childNodes);
    setTimeout(look, POLL);
  }
  setTimeout(look, POLL);
}
