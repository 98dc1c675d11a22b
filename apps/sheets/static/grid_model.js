// What the page knows of the spreadsheet: the shape of the sheet, the cells of the windows it has, names of cells and ranges.
export const HEAD = 24, SIDE = 46, ROW = 21, COLUMN = 100;
const WIDE = 20000;

export function letters(column) {
  let text = "";
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) text = String.fromCharCode(65 + ((rest - 1) % 26)) + text;
  return text;
}
export function columnOf(text) { return [...text.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1; }
export function nameOf(row, column) { return letters(column) + (row + 1); }

// A range is {top, left, bottom, right}, half-open; `bottom` and `right` are always closed at the sheet's edge.
export function rangeName(range) {
  const { rows, columns } = model.sheet;
  const one = range.bottom - range.top === 1 && range.right - range.left === 1;
  if (one) return nameOf(range.top, range.left);
  if (range.top === 0 && range.bottom === rows) return `${letters(range.left)}:${letters(range.right - 1)}`;
  if (range.left === 0 && range.right === columns) return `${range.top + 1}:${range.bottom}`;
  return `${nameOf(range.top, range.left)}:${nameOf(range.bottom - 1, range.right - 1)}`;
}

const A1 = /^\$?([A-Za-z]{1,3})?\$?(\d{1,8})?(?::\$?([A-Za-z]{1,3})?\$?(\d{1,8})?)?$/;
export function parseRange(text) {
  const found = A1.exec(text.trim());
  if (!found || (!found[1] && !found[2])) return null;
  const single = !text.includes(":");
  if (single && !(found[1] && found[2])) return null;
  const { rows, columns } = model.sheet;
  const [a, b] = [found[1], single ? found[1] : found[3]].map((one) => (one ? columnOf(one) : null));
  const [m, n] = [found[2], single ? found[2] : found[4]].map((one) => (one ? Number(one) - 1 : null));
  const range = {
    top: Math.min(m ?? 0, n ?? m ?? 0), left: Math.min(a ?? 0, b ?? a ?? 0),
    bottom: m === null && n === null ? rows : n === null ? rows : Math.max(m ?? 0, n) + 1,
    right: a === null && b === null ? columns : b === null ? columns : Math.max(a ?? 0, b) + 1,
  };
  return range.top < rows && range.left < columns ? { ...range, bottom: Math.min(range.bottom, rows), right: Math.min(range.right, columns) } : null;
}

// Sizes along one axis, as offsets.
export class Axis {
  constructor(count, usual, sizes, hidden, frozen, grown) {
    const each = new Int32Array(count).fill(usual);
    for (const [at, size] of grown || []) if (at < count) each[at] = Math.max(usual, size);
    for (const [at, size] of sizes) if (at < count) each[at] = size;
    for (const [from, to] of hidden) each.fill(0, from, Math.min(to, count));
    this.offsets = new Int32Array(count + 1);
    for (let at = 0; at < count; at += 1) this.offsets[at + 1] = this.offsets[at] + each[at];
    Object.assign(this, { count, frozen: Math.min(frozen, count), still: this.offsets[Math.min(frozen, count)], total: this.offsets[count] });
  }
  start(at) { return this.offsets[Math.min(Math.max(at, 0), this.count)]; }
  size(at) { return at < this.count ? this.offsets[at + 1] - this.offsets[at] : 0; }
  at(pixel) {
    let low = 0, high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.offsets[middle] <= pixel) low = middle; else high = middle - 1;
    }
    return low;
  }
  // The next line in a direction that is not hidden.
  step(at, by) {
    let next = at + by;
    while (next >= 0 && next < this.count && this.size(next) === 0) next += by;
    return next < 0 || next >= this.count ? at : next;
  }
}

export const model = {
  key: "", gid: 0, view: null, state: "", title: "", sheet: null, tabs: [], names: [], kinds: new Set(), canEdit: false, undo: false, redo: false, formulas: false,
  cells: new Map(), loaded: [], rows: null, columns: null, grown: new Map(), unsaved: new Set(),
};

export function cellAt(row, column) { return model.cells.get(row * WIDE + column); }
export function setCell(row, column, cell) { model.cells.set(row * WIDE + column, cell); }
export function mergeAt(row, column) { return model.merges.find((one) => inside(one, row, column)); }
export function inside(range, row, column) { return row >= range.top && row < range.bottom && column >= range.left && column < range.right; }
export function meets(one, other) { return one.top < other.bottom && other.top < one.bottom && one.left < other.right && other.left < one.right; }
export function covers(outer, inner) { return outer.top <= inner.top && outer.left <= inner.left && outer.bottom >= inner.bottom && outer.right >= inner.right; }
export function asRange([top, left, bottom, right]) { return { top, left, bottom, right }; }
export function grid(range) {
  return { sheetId: model.gid, startRowIndex: range.top, endRowIndex: range.bottom, startColumnIndex: range.left, endColumnIndex: range.right };
}
export function isLoaded(range) { return model.loaded.some((one) => covers(one, range)); }
function holds([top, left, bottom, right], row, column) { return row >= top && column >= left && row < (bottom ?? 1e9) && column < (right ?? 1e9); }
// Whether a protection is about a cell: in its area, and in none of the free parts.
export function has(one, row, column) { return holds(one.area, row, column) && !one.free.some((part) => holds(part, row, column)); }
export function isClosed(row, column) { return model.sheet.closed.some((one) => has(one, row, column)); }

export function shape() {
  const { sheet } = model;
  model.merges = sheet.merges.map(asRange);
  model.rows = new Axis(sheet.rows, ROW, sheet.heights, sheet.hiddenRows, sheet.frozen[0], model.grown);
  model.columns = new Axis(sheet.columns, COLUMN, sheet.widths, sheet.hiddenColumns, sheet.frozen[1]);
}

// Takes in an answer: a window of cells and, if they came along, the shape, the tabs and the names.
export function absorb(answer, fresh) {
  for (const name of ["state", "undo", "redo", "now", "names", "tabs", "sheet"]) if (name in answer) model[name] = answer[name];
  if (answer.charts) model.sheet.charts = answer.charts;
  model.gid = answer.window.gid;
  const area = asRange(answer.window.area);
  if (fresh) {
    model.cells.clear();
    model.loaded = [];
    model.grown.clear();
  } else for (const key of model.cells.keys()) if (inside(area, Math.floor(key / WIDE), key % WIDE)) model.cells.delete(key);
  model.loaded = model.loaded.filter((one) => !covers(area, one)).concat([area]).slice(-12);
  if (!model.rows || answer.sheet) shape();
  const { looks } = answer.window;
  for (const [row, column, text, kind, look, more] of answer.window.cells) {
    const style = looks[look];
    setCell(row, column, { text, kind, style, ...more });
    if ((style.w === "WRAP" || style.fs > 11 || text.includes("\n")) && !mergeAt(row, column)) grow(row, column, text, style);
  }
  if (model.grown.size) shape();
}

const ruler = document.createElement("canvas").getContext("2d");
export function widthOf(text, style = {}) {
  ruler.font = `${style.i ? "italic " : ""}${style.b ? "bold " : ""}${(style.fs || 10) * 4 / 3}px ${style.ff || "Arial"}, "Liberation Sans", sans-serif`;
  return ruler.measureText(text).width;
}

// Rows nobody sized are as high as their wrapped or large texts need.
function grow(row, column, text, style) {
  const wide = Math.max(model.columns.size(column) - 7, 12);
  const lines = text.split("\n").reduce((sum, line) => sum + (style.w === "WRAP" ? Math.max(1, Math.ceil(widthOf(line, style) / wide)) : 1), 0);
  const high = Math.ceil(lines * (style.fs || 10) * 1.55) + 5;
  if (high > (model.grown.get(row) || ROW)) model.grown.set(row, high);
}

export function typedText(row, column) {
  const cell = cellAt(row, column);
  return cell ? cell.e ?? cell.text : "";
}
