// What is selected: the active cell, ranges around it, moving by keys and by mouse.
import { asRange, cellAt, inside, meets, mergeAt, model, rangeName, typedText } from "./grid_model.js";
import { draw, elementOf, grid, hooks, make, over, reveal, stand, under } from "./grid_view.js";
import { part } from "./grid_send.js";

export const sel = { row: 0, column: 0, ranges: [], anchor: { row: 0, column: 0 }, tabFrom: null };
export const changed = [];
const active = make("div", "sel-active"), handle = make("div", "fill-handle", { "data-handle": "" }), preview = make("div", "fill-preview");
over.append(active, preview, handle);
const boxes = [];
preview.hidden = true;

export function cellRange(row, column) {
  return mergeAt(row, column) || { top: row, left: column, bottom: row + 1, right: column + 1 };
}
export function range() { return sel.ranges[sel.ranges.length - 1]; }
export function isSingle() { const one = range(), own = cellRange(sel.row, sel.column); return sel.ranges.length === 1 && one.bottom === own.bottom && one.right === own.right && one.top === own.top && one.left === own.left; }

// A range grown until no merge sticks out of it.
function whole(one) {
  let grown = { ...one };
  for (let again = true; again;) {
    again = false;
    for (const merge of model.merges) if (meets(merge, grown) && (merge.top < grown.top || merge.left < grown.left || merge.bottom > grown.bottom || merge.right > grown.right)) {
      grown = { top: Math.min(grown.top, merge.top), left: Math.min(grown.left, merge.left), bottom: Math.max(grown.bottom, merge.bottom), right: Math.max(grown.right, merge.right) };
      again = true;
    }
  }
  return grown;
}

export function select(row, column, { add = false, show = true } = {}) {
  const { rows, columns } = model;
  row = Math.min(Math.max(row, 0), rows.count - 1);
  column = Math.min(Math.max(column, 0), columns.count - 1);
  const own = cellRange(row, column);
  Object.assign(sel, { row: own.top, column: own.left, anchor: { row: own.top, column: own.left }, head: { row: own.top, column: own.left } });
  sel.ranges = add ? [...sel.ranges, own] : [own];
  if (show) reveal(row, column);
  show_();
}

export function selectRange(one, { add = false, show = true } = {}) {
  const full = whole(one);
  Object.assign(sel, { row: one.top, column: one.left, anchor: { row: one.top, column: one.left }, head: { row: one.bottom - 1, column: one.right - 1 } });
  sel.ranges = add ? [...sel.ranges, full] : [full];
  if (show) reveal(one.top, one.left);
  show_();
}

export function extend(row, column, show = true) {
  const { anchor } = sel;
  sel.head = { row, column };
  const own = cellRange(anchor.row, anchor.column);
  sel.ranges[sel.ranges.length - 1] = whole({
    top: Math.min(own.top, row), left: Math.min(own.left, column), bottom: Math.max(own.bottom, row + 1), right: Math.max(own.right, column + 1),
  });
  if (show) reveal(row, column);
  show_();
}

export function isSelected(row, column) { return sel.ranges.some((one) => inside(one, row, column)); }

function show_() {
  draw();
  changed.forEach((run) => run());
}

export function paint() {
  if (!sel.ranges.length) return;
  while (boxes.length > sel.ranges.length) boxes.pop().remove();
  while (boxes.length < sel.ranges.length) { const box = make("div", "sel-range"); boxes.push(box); over.prepend(box); }
  const single = isSingle();
  sel.ranges.forEach((one, index) => { boxes[index].hidden = single; stand(boxes[index], one); });
  stand(active, cellRange(sel.row, sel.column), 1);
  const last = range();
  const at = stand(handle, last);
  Object.assign(handle.style, { top: `${at.top + at.height - 5}px`, left: `${at.left + at.width - 5}px`, width: "", height: "" });
  handle.hidden = !model.canEdit || sel.ranges.length > 1;
  for (const element of grid.querySelectorAll('[aria-selected="true"]')) element.removeAttribute("aria-selected");
  for (const element of grid.querySelectorAll(".cell[id]")) {
    const [, row, column] = element.id.split("-").map(Number);
    if (isSelected(row, column)) element.setAttribute("aria-selected", "true");
  }
  for (const element of grid.querySelectorAll("[aria-current]")) element.removeAttribute("aria-current");
  elementOf(sel.row, sel.column)?.setAttribute("aria-current", "true");
  for (const element of grid.querySelectorAll(".col-head")) mark(element, Number(element.dataset.column), "left", "right", "top", "bottom", model.sheet.rows);
  for (const element of grid.querySelectorAll(".row-head")) mark(element, Number(element.dataset.row), "top", "bottom", "left", "right", model.sheet.columns);
}
hooks.drawn.push(paint);

function mark(element, at, from, to, low, high, count) {
  const hit = sel.ranges.filter((one) => at >= one[from] && at < one[to]);
  element.classList.toggle("in", hit.length > 0);
  element.classList.toggle("all", hit.some((one) => one[low] === 0 && one[high] === count));
}

// moving

const AWAY = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function stepped(row, column, [down, across]) {
  const own = cellRange(row, column);
  const from = { row: down > 0 ? own.bottom - 1 : down < 0 ? own.top : row, column: across > 0 ? own.right - 1 : across < 0 ? own.left : column };
  return { row: down ? model.rows.step(from.row, down) : row, column: across ? model.columns.step(from.column, across) : column };
}

export function move(key, shift) {
  const from = shift ? sel.head : { row: sel.row, column: sel.column };
  const to = stepped(from.row, from.column, AWAY[key]);
  sel.tabFrom = null;
  if (shift) extend(to.row, to.column); else select(to.row, to.column);
}

// To the end of the data in a direction: the server knows all cells, the page only those it was shown.
export async function jump(key, shift) {
  const from = shift ? sel.head : { row: sel.row, column: sel.column };
  const found = await part("edge", { row: from.row, column: from.column, towards: key.replace("Arrow", "").toLowerCase() });
  if (!found) return;
  if (shift) extend(found.row, found.column); else select(found.row, found.column);
}

export function pageBy(by, shift) {
  const lines = Math.max(1, Math.floor((grid.clientHeight - 60) / 21));
  const from = shift ? sel.head : sel;
  const row = Math.min(Math.max(from.row + by * lines, 0), model.rows.count - 1);
  grid.scrollTop += by * lines * 21;
  if (shift) extend(row, from.column); else select(row, from.column);
}

// Enter and Tab: within a selection of several cells they go round in it.
export function advance(key, back) {
  const down = key === "Enter";
  if (!isSingle()) return cycle(down, back);
  if (down) {
    const column = sel.tabFrom ?? sel.column;
    sel.tabFrom = null;
    const to = stepped(sel.row, sel.column, [back ? -1 : 1, 0]);
    return select(to.row, column);
  }
  sel.tabFrom ??= sel.column;
  const kept = sel.tabFrom, to = stepped(sel.row, sel.column, [0, back ? -1 : 1]);
  select(to.row, to.column);
  sel.tabFrom = kept;
}

function cycle(down, back) {
  const one = sel.ranges.find((each) => inside(each, sel.row, sel.column)) || range();
  const by = back ? -1 : 1;
  let { row, column } = sel;
  for (let tries = 0; tries < 10000; tries += 1) {
    if (down) { row += by; if (row >= one.bottom) { row = one.top; column += 1; } if (row < one.top) { row = one.bottom - 1; column -= 1; } } else { column += by; if (column >= one.right) { column = one.left; row += 1; } if (column < one.left) { column = one.right - 1; row -= 1; } }
    if (row >= one.bottom) row = one.top;
    if (row < one.top) row = one.bottom - 1;
    if (column >= one.right) column = one.left;
    if (column < one.left) column = one.right - 1;
    const merge = mergeAt(row, column);
    if ((!merge || (merge.top === row && merge.left === column)) && model.rows.size(row) && model.columns.size(column)) break;
  }
  Object.assign(sel, { row, column, anchor: { row, column } });
  reveal(row, column);
  show_();
}

export function selectAll() { selectRange({ top: 0, left: 0, bottom: model.rows.count, right: model.columns.count }, { show: false }); }
export function wholeColumns() { const one = range(); selectRange({ top: 0, left: one.left, bottom: model.rows.count, right: one.right }, { show: false }); }
export function wholeRows() { const one = range(); selectRange({ top: one.top, left: 0, bottom: one.bottom, right: model.columns.count }, { show: false }); }

// The cells of the selection that hold anything among those the page knows.
export function held() {
  const found = [];
  for (const one of sel.ranges) for (let row = one.top; row < Math.min(one.bottom, one.top + 20000); row += 1) for (let column = one.left; column < one.right; column += 1) {
    const cell = cellAt(row, column);
    if (cell && cell.text !== "") found.push([row, column, cell]);
  }
  return found;
}

// dragging

export const drag = { kind: "", row: 0, column: 0 };
let scrolling = 0;

export function follow(event) {
  const box = grid.getBoundingClientRect();
  const dx = event.clientX > box.right - 16 ? 24 : event.clientX < box.left + 46 && grid.scrollLeft ? -24 : 0;
  const dy = event.clientY > box.bottom - 12 ? 24 : event.clientY < box.top + 20 && grid.scrollTop ? -24 : 0;
  if (dx || dy) { grid.scrollLeft += dx; grid.scrollTop += dy; scrolling += 1; }
  return under(event.clientX, event.clientY);
}

export function previewFill(to) {
  const one = range();
  const down = to.row >= one.bottom ? to.row - one.bottom + 1 : to.row < one.top ? to.row - one.top : 0;
  const across = to.column >= one.right ? to.column - one.right + 1 : to.column < one.left ? to.column - one.left : 0;
  const rows = Math.abs(down) * 21 >= Math.abs(across) * 60;
  const length = rows ? down : across;
  preview.hidden = !length;
  if (!length) return null;
  const area = rows
    ? { ...one, top: Math.min(one.top, one.top + Math.min(length, 0)), bottom: one.bottom + Math.max(length, 0) }
    : { ...one, left: one.left + Math.min(length, 0), right: one.right + Math.max(length, 0) };
  stand(preview, area);
  return { rows, length, area };
}
export function endPreview() { preview.hidden = true; }

export function named(text) {
  return model.names.find((one) => one.name.toLowerCase() === text.toLowerCase());
}
export function spot() {
  const one = range();
  const found = model.names.find((each) => each.gid === model.gid && each.area.join() === [one.top, one.left, one.bottom, one.right].join());
  return found ? found.name : isSingle() ? rangeName({ top: sel.row, left: sel.column, bottom: sel.row + 1, right: sel.column + 1 }) : rangeName(one);
}
export { asRange, typedText };
