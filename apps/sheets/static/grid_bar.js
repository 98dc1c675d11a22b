// The toolbar shows how the active cell looks, and opens its choices.
import { model } from "./grid_model.js";
import { isMerged, style } from "./grid_tools.js";
import * as do_ from "./grid_tools.js";
import { focusGrid } from "./grid_edit.js";
import { alignItems, borderItems, fontItems, hueItems, mergeItems, numberItems, standItems, sumItems, wrapItems, zoomItems } from "./grid_menus.js";

const bar = document.getElementById("toolbar");
const tool = (name) => bar.querySelector(`[data-tool="${name}"]`);

export function drawBar() {
  const now = style();
  for (const [name, short] of [["bold", "b"], ["italic", "i"], ["strike", "s"]]) tool(name)?.setAttribute("aria-pressed", String(Boolean(now[short])));
  tool("merge")?.setAttribute("aria-pressed", String(isMerged()));
  tool("filter")?.setAttribute("aria-pressed", String(model.sheet.filter.length > 0));
  for (const name of ["undo", "redo"]) if (tool(name)) tool(name).disabled = !model.canEdit || !model[name];
  for (const [name, kind] of [["merge", "mergeCells"], ["filter", "setBasicFilter"]]) if (tool(name) && !model.kinds.has(kind)) tool(name).hidden = true;
  const borders = bar.querySelector('[data-menu="borders"]');
  if (borders && !model.kinds.has("updateBorders")) borders.hidden = true;
  const font = bar.querySelector('[data-menu="font"] .tool-text'), size = bar.querySelector("#font-size");
  if (font) font.textContent = now.ff || "Arial";
  if (size && document.activeElement !== size) size.value = now.fs || 10;
  bar.querySelector('[data-menu="ink"] .hue')?.style.setProperty("background-color", now.fg || "#000000");
  bar.querySelector('[data-menu="paper"] .hue')?.style.setProperty("background-color", now.bg || "#ffffff");
}

const CHOICES = {
  zoom: zoomItems, number: numberItems, font: fontItems, borders: borderItems, merge: mergeItems, align: alignItems, stand: standItems, wrap: wrapItems, sum: sumItems,
};
export function itemsOf(name, menus) {
  if (menus[name]) return [menus[name](), "popup-wide"];
  if (name === "ink" || name === "paper") return [hueItems(do_[name]), "swatches"];
  return [CHOICES[name](), name === "number" ? "popup-wide" : ""];
}

bar.querySelector("#font-size")?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  setSize(Number(event.target.value));
});
bar.addEventListener("click", (event) => {
  const by = event.target.closest("[data-size]")?.dataset.size;
  if (by) setSize((style().fs || 10) + Number(by));
});
function setSize(points) {
  if (Number.isInteger(points) && points >= 1 && points <= 400) do_.size(points);
  focusGrid();
}
// Arrow keys walk along the bar, as in any toolbar.
bar.addEventListener("keydown", (event) => {
  if (!["ArrowLeft", "ArrowRight"].includes(event.key) || event.target.matches("input")) return;
  const items = [...bar.querySelectorAll("button:not([hidden], :disabled)")], at = items.indexOf(event.target);
  items[(at + (event.key === "ArrowRight" ? 1 : items.length - 1)) % items.length]?.focus();
  event.preventDefault();
});
