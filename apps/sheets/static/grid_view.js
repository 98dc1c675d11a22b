// Draws the grid: only the rows and columns in view exist, each row an element, frozen ones held by the browser's own sticky positions.
import { HEAD, SIDE, asRange, cellAt, inside, isClosed, letters, meets, mergeAt, model, nameOf, widthOf } from "./grid_model.js";

export const grid = document.getElementById("grid");
const sizer = make("div", "sizer", { role: "presentation" });
const head = make("div", "head", { role: "row", "aria-rowindex": "1" });
export const over = make("div", "over", { "aria-hidden": "true" });
const drawn = new Map();
let headKey = "";
export const hooks = { drawn: [], needs: null, header: null };

export function make(tag, className, attributes = {}, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

sizer.append(head, over);
grid.append(sizer);
grid.addEventListener("scroll", () => requestAnimationFrame(draw), { passive: true });
new ResizeObserver(() => draw()).observe(grid);

// Rows and columns in view beside the frozen ones, half-open.
export function inView(spare = 0) {
  const { rows, columns } = model;
  const top = rows.at(grid.scrollTop + rows.still), left = columns.at(grid.scrollLeft + columns.still);
  const bottom = rows.at(grid.scrollTop + grid.clientHeight - HEAD) + 1, right = columns.at(grid.scrollLeft + grid.clientWidth - SIDE) + 1;
  return {
    top: Math.max(rows.frozen, top - spare), left: Math.max(columns.frozen, left - Math.ceil(spare / 4)),
    bottom: Math.min(rows.count, bottom + spare), right: Math.min(columns.count, right + Math.ceil(spare / 4)),
  };
}

export function redraw() {
  drawn.forEach((row) => row.element.remove());
  drawn.clear();
  headKey = "";
  draw();
}

export function draw() {
  if (!model.rows) return;
  const { rows, columns, sheet } = model;
  sizer.style.width = `${SIDE + columns.total + 60}px`;
  sizer.style.height = `${HEAD + rows.total + 60}px`;
  grid.classList.toggle("no-lines", !sheet.lines);
  grid.setAttribute("aria-rowcount", String(rows.count + 1));
  grid.setAttribute("aria-colcount", String(columns.count + 1));
  const seen = inView(4);
  seen.left -= seen.left % 2;
  seen.right = Math.min(columns.count, seen.right + (seen.right % 2));
  seen.left = Math.max(seen.left, columns.frozen);
  for (const merge of model.merges) if (meets(merge, seen)) {
    if (merge.top >= rows.frozen) seen.top = Math.min(seen.top, Math.max(merge.top, seen.top - 300));
    if (merge.left >= columns.frozen) seen.left = Math.min(seen.left, merge.left);
  }
  drawHead(seen);
  const wanted = new Set();
  for (let row = 0; row < rows.frozen; row += 1) if (rows.size(row)) wanted.add(row);
  for (let row = seen.top; row < seen.bottom; row += 1) if (rows.size(row)) wanted.add(row);
  for (const [row, { element }] of drawn) if (!wanted.has(row)) { element.remove(); drawn.delete(row); }
  const key = `${seen.left}:${seen.right}`;
  let before = null;
  for (const row of wanted) {
    let found = drawn.get(row);
    if (!found || found.key !== key) {
      found?.element.remove();
      found = { key, element: rowElement(row, seen) };
      drawn.set(row, found);
      if (before) before.after(found.element); else head.after(found.element);
    }
    before = found.element;
  }
  hooks.drawn.forEach((run) => run());
  hooks.needs?.(seen);
}

// Draws some rows afresh: those of an answer, an edit.
export function redrawRows(from, to) {
  for (const [row, { element }] of drawn) if (row >= from && row < to) { element.remove(); drawn.delete(row); }
  draw();
}

function drawHead(seen) {
  const { columns } = model;
  const key = `${seen.left}:${seen.right}:${columns.total}:${columns.frozen}:${model.sheet.filter[0]?.area}`;
  if (key === headKey) return;
  headKey = key;
  const corner = make("div", "corner", { role: "columnheader", "aria-label": "Select all", "data-all": "", "aria-colindex": "1" });
  head.replaceChildren(corner);
  for (let column = 0; column < columns.frozen; column += 1) head.append(header(column, true));
  for (let column = seen.left; column < seen.right; column += 1) if (columns.size(column)) head.append(header(column, false));
}

function header(column, still) {
  const element = make("div", still ? "col-head still" : "col-head", { role: "columnheader", "data-column": column, "aria-colindex": column + 2 }, letters(column));
  if (filtered("left", column)) element.classList.add("filtered");
  place(element, column, still);
  if (model.columns.size(column - 1) === 0 && column > 0) element.append(make("button", "unhide", { type: "button", "data-unhide": column, "aria-label": `Show hidden columns before ${letters(column)}`, tabindex: "-1" }, "◂▸"));
  element.append(make("span", "col-edge", { "data-edge": column }));
  return element;
}

// Whether a line lies in the range of the sheet's filter.
function filtered(side, at) {
  const area = model.sheet.filter[0]?.area, low = side === "top" ? 0 : 1;
  return Boolean(area) && at >= area[low] && at < area[low + 2];
}

function place(element, column, still) {
  element.style.width = `${model.columns.size(column)}px`;
  element.style.left = `${SIDE + model.columns.start(column)}px`;
  if (still && column === model.columns.frozen - 1) element.classList.add("last-still");
}

function rowElement(row, seen) {
  const { rows, columns } = model;
  const frozen = row < rows.frozen;
  const element = make("div", frozen ? "row still" : "row", { role: "row", "aria-rowindex": row + 2 });
  element.style.top = `${HEAD + rows.start(row)}px`;
  element.style.height = `${rows.size(row)}px`;
  if (frozen && row === rows.frozen - 1) element.classList.add("last-still");
  const side = make("div", "row-head", { role: "rowheader", "data-row": row, "aria-colindex": "1" }, row + 1);
  if (filtered("top", row)) side.classList.add("filtered");
  if (row > 0 && rows.size(row - 1) === 0 && !model.sheet.hiddenRows.some(([from, to, filtered]) => filtered && row - 1 >= from && row - 1 < to)) side.append(make("button", "unhide", { type: "button", "data-unhide-row": row, "aria-label": `Show hidden rows before ${row + 1}`, tabindex: "-1" }, "▴▾"));
  side.append(make("span", "row-edge", { "data-row-edge": row }));
  element.append(side);
  for (let column = 0; column < columns.frozen; column += 1) put(element, row, column, true);
  for (let column = seen.left; column < seen.right; column += 1) put(element, row, column, false);
  openLines(element, row);
  return element;
}

function put(rowElement, row, column, still) {
  if (!model.columns.size(column)) return;
  const merge = mergeAt(row, column);
  if (merge && (merge.top !== row || merge.left !== column)) {
    if (still) rowElement.append(make("div", "cell gap still", { role: "presentation" }));
    return;
  }
  const element = cellElement(row, column, merge);
  place(element, column, still);
  if (still) element.classList.add("still");
  if (merge) {
    element.classList.add("merged");
    element.style.width = `${model.columns.start(merge.right) - model.columns.start(column)}px`;
    element.style.height = `${model.rows.start(merge.bottom) - model.rows.start(row)}px`;
    element.setAttribute("aria-colspan", merge.right - merge.left);
    element.setAttribute("aria-rowspan", merge.bottom - merge.top);
  }
  rowElement.append(element);
}

const ALIGN = { LEFT: "start", CENTER: "center", RIGHT: "end" };
const STAND = { TOP: "top", MIDDLE: "middle", BOTTOM: "" };

// A cell as it is shown: with its value, or with its formula while those are shown.
function shownCell(row, column) {
  const cell = cellAt(row, column);
  return model.formulas && cell?.e?.startsWith("=") ? { ...cell, text: cell.e, kind: "t", v: undefined, k: undefined, l: undefined } : cell;
}

export function showFormulas() {
  model.formulas = !model.formulas;
  redraw();
}

function cellElement(row, column, merge) {
  const cell = shownCell(row, column);
  const element = make("div", "cell", { role: "gridcell", id: `cell-${row}-${column}`, "data-cell": nameOf(row, column), "aria-colindex": column + 2 });
  if (!cell) { filterButton(element, row, column); return element; }
  const { style } = cell;
  if (cell.text !== "") {
    element.setAttribute("aria-label", `${nameOf(row, column)} ${cell.text}`);
    element.classList.add("full");
  }
  if (cell.v?.box) box(element, cell, row, column);
  else if (cell.text !== "") element.append(inner(cell, style));
  const align = ALIGN[style.h] || (cell.kind === "n" ? "end" : cell.kind === "b" || cell.kind === "e" || cell.v?.box ? "center" : "start");
  element.classList.add(`to-${align}`);
  if (STAND[style.v]) element.classList.add(STAND[style.v]);
  if (style.w === "WRAP") element.classList.add("wrap");
  else if (cell.text !== "" && !flows(element, cell, row, column, merge, align)) element.classList.add("clip");
  if (cell.kind === "n" && widthOf(cell.text, style) > model.columns.size(column) - 4 && !merge) element.firstChild.textContent = "###";
  paint(element, style);
  if (cell.m) { element.classList.add("fault"); element.dataset.fault = cell.m; element.setAttribute("aria-description", `Error: ${cell.m}`); }
  if (cell.n) { element.classList.add("noted"); element.dataset.note = cell.n; element.setAttribute("aria-description", `Note: ${cell.n}`); }
  if (cell.c) { element.classList.add("commented"); element.dataset.comments = cell.c; }
  if (cell.v?.list) element.append(make("button", "choose", { type: "button", tabindex: "-1", "data-choose": "", "aria-label": `Choose for ${nameOf(row, column)}` }, "▾"));
  if (model.unsaved.has(`${row}:${column}`)) { element.classList.add("unsaved"); element.setAttribute("aria-description", "Not saved"); }
  filterButton(element, row, column);
  return element;
}

// A long text flows over empty neighbours, as far as they go; false where it is cut off at once.
function flows(element, cell, row, column, merge, align) {
  if (cell.style.w === "CLIP" || cell.kind !== "t" || merge) return false;
  const wide = widthOf(cell.text, cell.style) + 6, own = model.columns.size(column);
  if (wide <= own) return true;
  const taken = (at) => at < 0 || at >= model.columns.count || cellAt(row, at)?.text || mergeAt(row, at);
  if (align !== "start") {
    const free = !taken(column - 1) && (align === "end" || !taken(column + 1));
    if (free) element.dataset.spill = spill(column, align === "end" ? wide - own : (wide - own) / 2, align === "end" ? 0 : (wide - own) / 2, taken).join();
    return free;
  }
  let room = own, at = column + 1;
  while (room < wide && !taken(at)) { room += model.columns.size(at); at += 1; }
  if (room === own) return false;
  element.dataset.spill = [column, at - 1].join();
  if (room < wide) Object.assign(element.firstChild.style, { maxWidth: `${room - 4}px`, overflow: "hidden", flex: "none" });
  return true;
}

// The columns a text lies over that reaches so far to both sides, as far as they are empty.
function spill(column, left, right, taken) {
  let from = column, to = column;
  for (let room = left; room > 0 && !taken(from - 1); room -= model.columns.size(from)) from -= 1;
  for (let room = right; room > 0 && !taken(to + 1); room -= model.columns.size(to)) to += 1;
  return [from, to];
}

// No grid line is drawn through a text: the columns it lies over are one.
function openLines(element, row) {
  for (const cell of element.querySelectorAll("[data-spill]")) {
    const [from, to] = cell.dataset.spill.split(",").map(Number);
    for (let column = from; column < to; column += 1) element.querySelector(`#cell-${row}-${column}`)?.classList.add("under");
  }
}

// Where a cell leads: only to addresses that are safe to open.
export function linkOf(cell) {
  const link = cell?.l || cell?.style?.l || (cell?.kind === "t" && /^https?:\/\/\S+$/.test(cell.text) ? cell.text : "");
  return /^(https?:|mailto:)/i.test(link) ? link : "";
}

function inner(cell, style) {
  if (cell.k) {
    const text = make("span", "text");
    text.append(...cell.k.map((one) => (typeof one === "string" ? one : make("span", `chip-cell chip-${one.kind}`, { title: one.to.replace("mailto:", "") }, one.label))));
    return text;
  }
  const link = linkOf(cell);
  if (!link) return make("span", "text", {}, cell.text);
  return make("a", "text", { href: link, target: "_blank", rel: "noopener noreferrer", tabindex: "-1" }, cell.text);
}

function box(element, cell, row, column) {
  const on = cell.kind === "b" ? cell.text === "TRUE" : Boolean(cell.v.box.length) && cell.text === cell.v.box[0];
  const input = make("span", on ? "check on" : "check", { role: "checkbox", "aria-checked": on, "aria-label": `${nameOf(row, column)} ${on ? "TRUE" : "FALSE"}`, "data-check": on ? "1" : "0" });
  element.append(input);
}

function filterButton(element, row, column) {
  const filter = model.sheet.filter[0];
  if (!filter || !model.canEdit || row !== filter.area[0] || !inside(asRange(filter.area), row, column)) return;
  const active = filter.spec.criteria?.[column] || filter.spec.filterSpecs?.some((one) => one.columnIndex === column);
  element.append(make("button", active ? "filter on" : "filter", { type: "button", tabindex: "-1", "data-filter": column, "aria-label": `Filter ${letters(column)}` }));
}

const SIDES = ["borderTop", "borderRight", "borderBottom", "borderLeft"];
const STROKES = { SOLID: "1px solid", SOLID_MEDIUM: "2px solid", SOLID_THICK: "3px solid", DASHED: "1px dashed", DOTTED: "1px dotted", DOUBLE: "3px double" };
function paint(element, style) {
  const css = element.style;
  if (style.b) css.fontWeight = "700";
  if (style.i) css.fontStyle = "italic";
  const lines = [style.u && "underline", style.s && "line-through"].filter(Boolean).join(" ");
  if (lines) css.textDecoration = lines;
  if (style.fg) css.color = style.fg;
  if (style.bg) { css.backgroundColor = style.bg; element.classList.add("painted"); }
  if (style.ff) css.fontFamily = `"${style.ff.replace(/["\\]/g, "")}", Arial, "Liberation Sans", sans-serif`;
  if (style.fs) css.fontSize = `${(style.fs * 4) / 3}px`;
  style.bd?.forEach((line, side) => { if (line) { css[SIDES[side]] = `${STROKES[line[0]] || "1px solid"} ${line[1]}`; element.classList.add("bordered"); } });
}

// Where a range is, in the coordinates of the sizer; frozen lines move along with the scrolling.
export function rectangle(range) {
  const { rows, columns } = model;
  const y = (at) => HEAD + rows.start(at), x = (at) => SIDE + columns.start(at);
  const top = range.top < rows.frozen ? y(range.top) + grid.scrollTop : y(range.top);
  const bottom = range.bottom <= rows.frozen ? y(range.bottom) + grid.scrollTop : Math.max(y(range.bottom), range.top < rows.frozen ? HEAD + rows.still + grid.scrollTop : 0);
  const left = range.left < columns.frozen ? x(range.left) + grid.scrollLeft : x(range.left);
  const right = range.right <= columns.frozen ? x(range.right) + grid.scrollLeft : Math.max(x(range.right), range.left < columns.frozen ? SIDE + columns.still + grid.scrollLeft : 0);
  return { top, left, width: right - left, height: bottom - top, still: (range.top < rows.frozen ? 1 : 0) + (range.left < columns.frozen ? 2 : 0) };
}

export function stand(element, range, spare = 0) {
  const at = rectangle(range);
  Object.assign(element.style, { top: `${at.top - spare}px`, left: `${at.left - spare}px`, width: `${at.width + 2 * spare - 1}px`, height: `${at.height + 2 * spare - 1}px` });
  element.dataset.still = at.still;
  return at;
}

export function reveal(row, column) {
  const { rows, columns } = model;
  const merge = mergeAt(row, column) || { top: row, left: column, bottom: row + 1, right: column + 1 };
  if (row >= rows.frozen) {
    const top = rows.start(merge.top) - rows.still, bottom = rows.start(merge.bottom) + HEAD - grid.clientHeight;
    if (grid.scrollTop > top) grid.scrollTop = top;
    else if (grid.scrollTop < bottom) grid.scrollTop = bottom + 2;
  }
  if (column >= columns.frozen) {
    const left = columns.start(merge.left) - columns.still, right = columns.start(merge.right) + SIDE - grid.clientWidth;
    if (grid.scrollLeft > left) grid.scrollLeft = left;
    else if (grid.scrollLeft < right) grid.scrollLeft = Math.min(right + 2, left);
  }
}

export function scale() { return Number(grid.dataset.zoom || 100) / 100; }

// The row and column under a point of the window; beyond the edges the nearest.
export function under(x, y) {
  const box = grid.getBoundingClientRect();
  const { rows, columns } = model;
  const px = Math.max(0, (x - box.left) / scale() - SIDE), py = Math.max(0, (y - box.top) / scale() - HEAD);
  const row = rows.at(py < rows.still ? py : py + grid.scrollTop), column = columns.at(px < columns.still ? px : px + grid.scrollLeft);
  return { row, column };
}

export function elementOf(row, column) { return document.getElementById(`cell-${row}-${column}`); }
export function closed(row, column) { return isClosed(row, column); }
