// What the selection comes to, below the grid: its sum, average, least, most or count.
import { model } from "./grid_model.js";
import { make } from "./grid_view.js";
import { held, isSingle, range, sel } from "./grid_select.js";
import { part } from "./grid_send.js";
import { menu } from "./grid_popup.js";

const sums = document.getElementById("sums");
let shownSum = "Sum", told = null;
function number(value) {
  const [whole, rest] = String(Math.round(value * 1e6) / 1e6).split(".");
  return whole.replace(/\B(?=(\d{3})+$)/g, ",") + (rest ? `.${rest}` : "");
}
export async function summarise() {
  const one = range();
  sums.replaceChildren();
  told = null;
  if (isSingle()) return;
  let facts;
  if (sel.ranges.length === 1 && !model.loaded.some((area) => one.bottom <= area.bottom && one.right <= area.right && one.top >= area.top && one.left >= area.left)) {
    const found = await part("summary", { top: one.top, left: one.left, bottom: one.bottom, right: one.right });
    if (!found || one !== range()) return;
    facts = { Sum: found.sum, Avg: found.numbers ? found.sum / found.numbers : null, Min: found.least, Max: found.most, Count: found.count, "Count Numbers": found.numbers };
  } else {
    const cells = held(), numbers = cells.filter(([, , cell]) => cell.kind === "n").map(([, , cell]) => cell.x ?? Number(cell.text.replaceAll(",", "")));
    const sum = numbers.reduce((total, value) => total + value, 0);
    facts = { Sum: sum, Avg: numbers.length ? sum / numbers.length : null, Min: numbers.length ? Math.min(...numbers) : null, Max: numbers.length ? Math.max(...numbers) : null, Count: cells.length, "Count Numbers": numbers.length };
  }
  if (!facts.Count) return;
  told = facts;
  if (!facts["Count Numbers"]) sums.append(make("button", "sum", { type: "button", "data-sums": "" }, `Count: ${facts.Count}`));
  else {
    const button = make("button", "sum chosen", { type: "button", "data-sums": shownSum, "aria-haspopup": "menu" }, `${shownSum}: ${number(facts[shownSum])}`);
    button.append(make("span", "sum-down", { "aria-hidden": "true" }));
    sums.append(button);
  }
}
// One of them is shown; the others are in its menu, with what they come to.
sums.addEventListener("click", (event) => {
  const button = event.target.closest("[data-sums]");
  if (!button?.dataset.sums) return;
  const at = button.getBoundingClientRect();
  const items = Object.entries(told).map(([name, value]) => ({ label: `${name}: ${number(value)}`, name, on: name === shownSum, run: () => { shownSum = name; summarise(); } }));
  menu(items, { x: at.right - 200, y: at.top - 14 - 30 * items.length }, { label: "Summary" });
});
