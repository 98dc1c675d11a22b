// Commands: what the menus, the toolbar and the keys do. Each that changes anything is one gesture.
import { cellAt, grid as gridRange, letters, model } from "./grid_model.js";
import { grid } from "./grid_view.js";
import { held, range, sel, selectAll, selectRange } from "./grid_select.js";
import { edit, commit, enter } from "./grid_edit.js";
import { addressOf, isSending, page, part, problem, send, tell } from "./grid_send.js";
import { fromMenu } from "./grid_clip.js";

export const style = () => cellAt(sel.row, sel.column)?.style || {};
export const can = (...kinds) => kinds.every((kind) => model.kinds.has(kind));

export function change(requests, then) {
  if (edit.on) commit();
  return send("web.change", { requests }).then((answer) => { if (answer && then) then(answer); return answer; });
}

// One format for all that is selected.
export function format(given, fields) {
  return change(sel.ranges.map((one) => ({ repeatCell: { range: gridRange(one), cell: { userEnteredFormat: given }, fields: fields.map((name) => `userEnteredFormat.${name}`).join(",") } })));
}
const text = (given) => format({ textFormat: given }, Object.keys(given).map((name) => `textFormat.${name}`));
const toggle = (name, short) => text({ [name]: !style()[short] });
export function number(type, pattern) { return format(type ? { numberFormat: pattern ? { type, pattern } : { type } } : {}, ["numberFormat"]); }
export function rgb(hex) { const [red, green, blue] = [1, 3, 5].map((at) => Math.round((parseInt(hex.slice(at, at + 2), 16) / 255) * 1000) / 1000); return { red, green, blue }; }
export const ink = (hex) => (hex ? format({ textFormat: { foregroundColor: rgb(hex), foregroundColorStyle: { rgbColor: rgb(hex) } } }, ["textFormat.foregroundColor", "textFormat.foregroundColorStyle"]) : format({}, ["textFormat.foregroundColor", "textFormat.foregroundColorStyle"]));
export const paper = (hex) => (hex ? format({ backgroundColor: rgb(hex), backgroundColorStyle: { rgbColor: rgb(hex) } }, ["backgroundColor", "backgroundColorStyle"]) : format({}, ["backgroundColor", "backgroundColorStyle"]));
export const font = (name) => text({ fontFamily: name });
export const size = (points) => text({ fontSize: points });
export const align = (to) => format({ horizontalAlignment: to }, ["horizontalAlignment"]);
export const stand = (to) => format({ verticalAlignment: to }, ["verticalAlignment"]);
export const wrap = (how) => format({ wrapStrategy: how }, ["wrapStrategy"]);

// The pattern of the active cell with one decimal more or less.
export function decimals(by) {
  const [type, pattern] = style().nf || ["NUMBER", ""];
  const shown = cellAt(sel.row, sel.column)?.text || "0";
  const now = pattern || `${type === "CURRENCY" ? '"$"' : ""}#,##0${/\.(\d+)/.test(shown) ? `.${"0".repeat(/\.(\d+)/.exec(shown)[1].length)}` : ""}${type === "PERCENT" ? "%" : ""}`;
  const plain = pattern ? now : now.replace(type === "NUMBER" && !style().nf ? "#,##" : "\u0000", "");
  const found = /\.(0+)/.exec(plain), places = Math.max(0, (found ? found[1].length : 0) + by);
  const next = plain.replace(/\.0+/g, "").replace(/0(?=[^0]*$)/, `0${places ? `.${"0".repeat(places)}` : ""}`);
  return number(type === "TEXT" ? "NUMBER" : type || "NUMBER", next);
}

const EDGES = { all: ["top", "bottom", "left", "right", "innerHorizontal", "innerVertical"], outer: ["top", "bottom", "left", "right"], inner: ["innerHorizontal", "innerVertical"], horizontal: ["innerHorizontal"], vertical: ["innerVertical"], top: ["top"], bottom: ["bottom"], left: ["left"], right: ["right"] };
export function borders(which, line = "SOLID", hex = "#000000") {
  const sides = EDGES[which] || EDGES.all, border = { style: which === "clear" ? "NONE" : line, colorStyle: { rgbColor: rgb(hex) } };
  return change(sel.ranges.map((one) => ({ updateBorders: { range: gridRange(one), ...Object.fromEntries(sides.map((side) => [side, border])) } })));
}
export const merge = (how) => change([how ? { mergeCells: { range: gridRange(range()), mergeType: how } } : { unmergeCells: { range: gridRange(range()) } }]);
export function isMerged() { const one = range(); return model.merges.some((merge_) => merge_.top < one.bottom && one.top < merge_.bottom && merge_.left < one.right && one.left < merge_.right); }

export function clear(fields) { return change(sel.ranges.map((one) => ({ updateCells: { range: gridRange(one), fields } }))); }

// rows and columns

export function lines(axis) { const one = range(); return axis === "ROWS" ? [one.top, one.bottom] : [one.left, one.right]; }
export const dimension = (axis, from, to) => ({ sheetId: model.gid, dimension: axis, startIndex: from, endIndex: to });
export function insert(axis, behind) {
  const [from, to] = lines(axis), at = behind ? to : from;
  return change([{ insertDimension: { range: dimension(axis, at, at + to - from), inheritFromBefore: behind || at > 0 } }]);
}
export function remove(axis) {
  const [from, to] = lines(axis);
  return change([{ deleteDimension: { range: dimension(axis, from, to) } }], () => selectRange(axis === "ROWS" ? one(from, null) : one(null, from), { show: false }));
}
function one(row, column) {
  const r = Math.min(row ?? sel.row, model.sheet.rows - 1), c = Math.min(column ?? sel.column, model.sheet.columns - 1);
  return { top: r, left: c, bottom: r + 1, right: c + 1 };
}
export function insertCells(axis) { return change([{ insertRange: { range: gridRange(range()), shiftDimension: axis } }]); }
export function deleteCells(axis) { return change([{ deleteRange: { range: gridRange(range()), shiftDimension: axis } }]); }
export function resize(axis, from, to, pixels) { return change([{ updateDimensionProperties: { range: dimension(axis, from, to), properties: { pixelSize: pixels }, fields: "pixelSize" } }]); }
export function fit(axis, from, to) { return change([{ autoResizeDimensions: { dimensions: dimension(axis, from, to) } }]); }
export function hide(axis, hidden, from, to) { const [a, b] = from === undefined ? lines(axis) : [from, to]; return change([{ updateDimensionProperties: { range: dimension(axis, a, b), properties: { hiddenByUser: hidden }, fields: "hiddenByUser" } }]); }
export function unhide(axis, at) {
  const hidden = axis === "ROWS" ? model.sheet.hiddenRows : model.sheet.hiddenColumns;
  const runs = hidden.filter(([from, to]) => (at === undefined ? meets(axis, from, to) : to === at));
  return change(runs.map(([from, to]) => ({ updateDimensionProperties: { range: dimension(axis, from, to), properties: { hiddenByUser: false }, fields: "hiddenByUser" } })));
}
function meets(axis, from, to) { const [a, b] = lines(axis); return from <= b && to >= a; }
export function hasHidden(axis) { return (axis === "ROWS" ? model.sheet.hiddenRows : model.sheet.hiddenColumns).some(([from, to]) => meets(axis, from, to)); }
export function freeze(axis, count) {
  const name = axis === "ROWS" ? "frozenRowCount" : "frozenColumnCount";
  return change([{ updateSheetProperties: { properties: { sheetId: model.gid, gridProperties: { [name]: count } }, fields: `gridProperties.${name}` } }], () => { grid.scrollTop = axis === "ROWS" ? 0 : grid.scrollTop; });
}
export function sheetProperties(given, fields, gid = model.gid) { return change([{ updateSheetProperties: { properties: { sheetId: gid, ...given }, fields } }]); }

// data

export function sort(down, sheet) {
  const area = sheet ? { top: model.sheet.frozen[0], left: 0, bottom: model.sheet.rows, right: model.sheet.columns } : range();
  const column = sheet ? sel.column : Math.max(area.left, Math.min(sel.column, area.right - 1));
  return change([{ sortRange: { range: gridRange(area), sortSpecs: [{ dimensionIndex: column, sortOrder: down ? "DESCENDING" : "ASCENDING" }] } }]);
}
// The block of filled cells around the active one, as far as the page knows it.
export function block() {
  const one = { top: sel.row, left: sel.column, bottom: sel.row + 1, right: sel.column + 1 };
  const full = (row, column) => Boolean(cellAt(row, column)?.text);
  const any = (top, bottom, left, right) => { for (let row = top; row < bottom; row += 1) for (let column = left; column < right; column += 1) if (full(row, column)) return true; return false; };
  for (let again = true; again;) {
    again = false;
    if (one.top > 0 && any(one.top - 1, one.top, one.left, one.right)) { one.top -= 1; again = true; }
    if (one.left > 0 && any(one.top, one.bottom, one.left - 1, one.left)) { one.left -= 1; again = true; }
    if (one.bottom < model.sheet.rows && any(one.bottom, one.bottom + 1, one.left, one.right)) { one.bottom += 1; again = true; }
    if (one.right < model.sheet.columns && any(one.top, one.bottom, one.right, one.right + 1)) { one.right += 1; again = true; }
  }
  return one;
}
export function filter() {
  if (model.sheet.filter.length && !model.sheet.view) return change([{ clearBasicFilter: { sheetId: model.gid } }]);
  const one = range(), area = one.bottom - one.top > 1 || one.right - one.left > 1 ? one : block();
  return change([{ setBasicFilter: { filter: { range: gridRange(area) } } }]);
}
export function copyFrom(axis) {
  const area = range(), down = axis === "ROWS";
  const several = down ? area.bottom - area.top > 1 : area.right - area.left > 1;
  if (!several && (down ? area.top : area.left) === 0) return null;
  const start = several ? area : down ? { ...area, top: area.top - 1 } : { ...area, left: area.left - 1 };
  const source = down ? { ...start, bottom: start.top + 1 } : { ...start, right: start.left + 1 };
  const destination = down ? { ...start, top: start.top + 1 } : { ...start, left: start.left + 1 };
  return send("web.fill", { requests: [{ copyPaste: { source: gridRange(source), destination: gridRange(destination), pasteType: "PASTE_NORMAL" } }] });
}
export function fill(axis, length, area) {
  const request = { sourceAndDestination: { source: gridRange(range()), dimension: axis, fillLength: length } };
  return send("web.fill", { requests: [{ autoFill: request }] }).then((answer) => { if (answer) selectRange(area, { show: false }); });
}
// A double click on the fill handle: as far down as the cells beside go.
export async function fillDown() {
  const one = range(), last = one.bottom - 1;
  const beside = [one.left - 1, one.right].find((column) => column >= 0 && cellAt(last, column)?.text && cellAt(last + 1, column)?.text);
  if (beside === undefined) return;
  const to = await part("edge", { row: last, column: beside, towards: "down" });
  if (to) fill("ROWS", to.row - last, { ...one, bottom: to.row + 1 });
}
// Σ: the function over the numbers above, or to the left, or of the selection.
export function sum(name) {
  const one = range();
  if (one.bottom - one.top > 1) {
    const cells = [];
    for (let column = one.left; column < one.right; column += 1) cells.push([Math.min(one.bottom, model.sheet.rows - 1), column, `=${name}(${letters(column)}${one.top + 1}:${letters(column)}${one.bottom})`]);
    return enter(cells);
  }
  let top = sel.row;
  while (top > 0 && cellAt(top - 1, sel.column)?.kind === "n") top -= 1;
  let left = sel.column;
  while (left > 0 && cellAt(sel.row, left - 1)?.kind === "n") left -= 1;
  const area = top < sel.row ? `${letters(sel.column)}${top + 1}:${letters(sel.column)}${sel.row}` : left < sel.column ? `${letters(left)}${sel.row + 1}:${letters(sel.column - 1)}${sel.row + 1}` : "";
  return { formula: `=${name}(${area}` };
}

// sheets

export function addSheet() { return send("web.change", { requests: [{ addSheet: { properties: {} } }] }).then((answer) => answer && location.assign(addressOf(answer.replies[0].addSheet.properties.sheetId))); }
export function deleteSheet(gid) { return send("web.change", { requests: [{ deleteSheet: { sheetId: gid } }] }).then((answer) => answer && gid === model.gid && location.assign(page.dataset.address)); }
export function duplicateSheet(gid) {
  const tab = model.tabs.find((one_) => one_.gid === gid);
  return send("web.change", { requests: [{ duplicateSheet: { sourceSheetId: gid, insertSheetIndex: model.tabs.indexOf(tab) + 1, newSheetName: copyName(tab.title) } }] }).then((answer) => answer && location.assign(addressOf(answer.replies[0].duplicateSheet.properties.sheetId)));
}
function copyName(title) {
  let name = `Copy of ${title}`;
  for (let count = 2; model.tabs.some((one_) => one_.title === name); count += 1) name = `Copy of ${title} ${count}`;
  return name;
}

export function undo() { return step("web.undo", "There is nothing to undo."); }
export function redo() { return step("web.redo", "There is nothing to redo."); }
function step(op, nothing) {
  if (!isSending() && !(op === "web.undo" ? model.undo : model.redo)) { tell(nothing); return null; }
  return send(op, {}).then((answer) => {
    if (answer?.touched) { const [top, left, bottom, right] = answer.touched; selectRange({ top, left, bottom, right }); }
  });
}

export function deleteContents() {
  if (!model.canEdit) return null;
  const cells = held();
  if (cells.length && cells.length <= 2000 && sel.ranges.every((one_) => one_.bottom - one_.top < 1000)) return enter(cells.map(([row, column]) => [row, column, ""]));
  return clear("userEnteredValue");
}

export const commands = {
  undo, redo, bold: () => toggle("bold", "b"), italic: () => toggle("italic", "i"), underline: () => toggle("underline", "u"), strike: () => toggle("strikethrough", "s"),
  currency: () => number("CURRENCY", '"$"#,##0.00'), percent: () => number("PERCENT", "0.00%"), more: () => decimals(1), less: () => decimals(-1),
  left: () => align("LEFT"), center: () => align("CENTER"), right: () => align("RIGHT"), clearFormat: () => clear("userEnteredFormat"), selectAll,
  cut: () => fromMenu("cut"), copy: () => fromMenu("copy"), paste: () => fromMenu("paste"), filter, problem,
  merge: () => merge(isMerged() ? "" : "MERGE_ALL"),
};
