// Typing: the editor over the active cell always has the focus, and becomes visible with the first letter; the formula bar mirrors it.
import { cellAt, inside, isClosed, model, nameOf, rangeName, setCell, typedText } from "./grid_model.js";
import { grid, hooks, make, over, rectangle, redrawRows, reveal, stand } from "./grid_view.js";
import { advance, cellRange, changed, isSingle, range, sel, select, spot } from "./grid_select.js";
import { complete, completing, hideHelp, pick } from "./grid_complete.js";
import { isHeld, problem, send } from "./grid_send.js";

export const editor = make("textarea", "cell-editor", { autocomplete: "off", spellcheck: "false", rows: "1", wrap: "off" });
const shade = make("div", "mirror cell-mirror", { "aria-hidden": "true" });
export const fx = document.getElementById("fx");
const fxShade = fx.parentElement.querySelector(".mirror");
const nameBox = document.getElementById("name-box");
grid.firstElementChild.append(shade, editor);
const marks = [];
export const edit = { on: false, mode: "", field: editor, row: 0, column: 0, was: "", point: null };

export function focusGrid() { if (!edit.on) editor.focus({ preventScroll: true }); }

// The idle editor lies on the active cell and says what it holds.
function rest() {
  if (edit.on) { place(); colour(); return; }
  const cell = cellAt(sel.row, sel.column);
  stand(editor, cellRange(sel.row, sel.column));
  editor.setAttribute("aria-label", `${nameOf(sel.row, sel.column)}${cell?.text ? ` ${cell.text}` : ""}`);
  editor.readOnly = !model.canEdit;
  if (editor.value) editor.value = "";
  fx.value = typedText(sel.row, sel.column);
  if (document.activeElement !== nameBox) nameBox.value = spot();
  fxShade.replaceChildren();
  size(fx);
}
changed.push(rest);
hooks.drawn.push(() => { if (edit.on) { place(); colour(); } else if (sel.ranges.length) stand(editor, cellRange(sel.row, sel.column)); });

function size(field) {
  if (field !== fx) return;
  const lines = Math.min(4, fx.value.split("\n").length);
  fx.style.height = `${lines * 20 + 4}px`;
}

export function begin(mode, text, field = editor) {
  if (edit.on) return true;
  if (!model.canEdit) return false;
  if (isClosed(sel.row, sel.column)) {
    editor.value = "";
    problem("You are trying to edit a protected cell or object. Please contact the spreadsheet owner to remove protection if you need to edit.");
    return false;
  }
  Object.assign(edit, { on: true, mode, field, row: sel.row, column: sel.column, was: typedText(sel.row, sel.column), point: null });
  if (text !== null) editor.value = text ?? edit.was;
  if (field === editor) fx.value = editor.value; else editor.value = fx.value;
  editor.classList.add("on");
  const style = cellAt(sel.row, sel.column)?.style || {};
  editor.style.fontSize = shade.style.fontSize = `${((style.fs || 10) * 4) / 3}px`;
  editor.setAttribute("aria-label", `Editing ${nameOf(sel.row, sel.column)}`);
  field.focus({ preventScroll: true });
  if (field === editor) editor.setSelectionRange(editor.value.length, editor.value.length);
  reveal(sel.row, sel.column);
  place();
  typed(field);
  return true;
}

function place() {
  const at = rectangle(cellRange(edit.row, edit.column));
  const lines = editor.value.split("\n");
  const wide = Math.max(at.width, Math.min(640, Math.max(...lines.map((line) => line.length)) * 7.6 + 18));
  const box = { top: `${at.top - 1}px`, left: `${at.left - 1}px`, width: `${wide + 1}px`, height: `${Math.max(at.height + 1, lines.length * 18 + 4)}px` };
  Object.assign(editor.style, box);
  Object.assign(shade.style, box);
}

// References: coloured in the text, and boxes around the cells they mean.

const REFERENCE = /"[^"]*"?|(?:'(?:[^']|'')+'|[A-Za-z_][\w.]*)!\$?[A-Za-z]{1,3}\$?\d+(?::\$?[A-Za-z]{1,3}\$?\d*)?|\$?[A-Za-z]{1,3}\$?\d{1,7}(?::\$?[A-Za-z]{1,3}(?:\$?\d{1,7})?)?(?![\w(])|\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}\d*(?![\w(])|[A-Za-z_][\w.]*/g;

export function references(text) {
  if (!text.startsWith("=")) return [];
  const found = [];
  for (const match of text.matchAll(REFERENCE)) {
    const [sheet, bare] = match[0].includes("!") && !match[0].startsWith('"') ? [match[0].slice(0, match[0].lastIndexOf("!")), match[0].slice(match[0].lastIndexOf("!") + 1)] : ["", match[0]];
    const parsed = match[0].startsWith('"') ? null : rangeOf(bare);
    if (parsed) found.push({ start: match.index, end: match.index + match[0].length, text: match[0].toUpperCase(), range: parsed, here: !sheet || sheet.replace(/^'|'$/g, "").replaceAll("''", "'") === model.sheet.title });
  }
  return found;
}
function rangeOf(text) {
  if (!/\d|:/.test(text)) return null;
  return parse(text.replaceAll("$", ""));
}
let parse = () => null;
export function parseWith(run) { parse = run; }

function colour() {
  const { value } = editor, found = references(value);
  const numbers = new Map();
  for (const one of found) if (!numbers.has(one.text)) numbers.set(one.text, numbers.size % 8);
  for (const holder of [shade, fxShade]) {
    const pieces = [];
    let at = 0;
    for (const one of found) {
      pieces.push(value.slice(at, one.start), make("span", `ink-${numbers.get(one.text)}`, {}, value.slice(one.start, one.end)));
      at = one.end;
    }
    holder.replaceChildren(...pieces, value.slice(at));
  }
  const wanted = found.filter((one) => one.here);
  while (marks.length > wanted.length) marks.pop().remove();
  while (marks.length < wanted.length) { const mark = make("div"); over.append(mark); marks.push(mark); }
  wanted.forEach((one, index) => { marks[index].className = `ref-box ref-${numbers.get(one.text)}`; stand(marks[index], one.range); });
}

function typed(from) {
  const other = from === fx ? editor : fx;
  other.value = from.value;
  edit.point = null;
  place();
  size(fx);
  colour();
  complete(from);
}

editor.addEventListener("input", () => {
  if (!edit.on && !begin("enter", null)) { editor.value = ""; return; }
  edit.field = editor;
  typed(editor);
});
fx.addEventListener("focus", () => { if (model.canEdit && !edit.on) begin("edit", null, fx); else edit.field = fx; });
fx.addEventListener("input", () => { edit.field = fx; typed(fx); });
for (const field of [editor, fx]) {
  field.addEventListener("keyup", (event) => { if (edit.on && ["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) complete(field); });
  field.addEventListener("scroll", () => { (field === fx ? fxShade : shade).scrollLeft = field.scrollLeft; });
}

export function stop() {
  edit.on = false;
  editor.value = "";
  editor.classList.remove("on");
  shade.replaceChildren();
  marks.splice(0).forEach((mark) => mark.remove());
  hideHelp();
  rest();
  editor.focus({ preventScroll: true });
}

// Sends what was typed. `all`: into every cell of the selection.
export function commit(all = false) {
  if (!edit.on) return;
  const text = balanced(editor.value), { row, column, was } = edit;
  const cells = all ? sel.ranges.flatMap(cellsOf) : [[row, column, text]];
  stop();
  if (text !== was || all) enter(cells.map(([r, c]) => [r, c, text]));
  function cellsOf(one) { return Array.from({ length: one.bottom - one.top }, (_, r) => Array.from({ length: one.right - one.left }, (__, c) => [one.top + r, one.left + c])).flat(); }
}

// A bracket left open at the end is closed, as the vendor does.
function balanced(text) {
  if (!text.startsWith("=")) return text;
  const plain = text.replace(/"[^"]*"/g, "");
  const open = (plain.match(/\(/g) || []).length - (plain.match(/\)/g) || []).length;
  return open > 0 && !/"[^"]*$/.test(plain) ? text + ")".repeat(open) : text;
}

export function enter(cells) {
  const before = cells.map(([row, column]) => [row, column, cellAt(row, column)]);
  for (const [row, column, text] of cells.slice(0, 500)) {
    const old = cellAt(row, column);
    if (!text.startsWith("=") || !old) setCell(row, column, { ...old, text: text.startsWith("'") ? text.slice(1) : text, e: text, kind: Number.isFinite(Number(text)) && text ? "n" : "t", style: old?.style || {}, m: undefined });
    model.unsaved.add(`${row}:${column}`);
  }
  rows(cells);
  const back = () => {
    for (const [row, column, cell] of before) { model.unsaved.delete(`${row}:${column}`); setCell(row, column, cell || { text: "", kind: "", style: {} }); }
    rows(cells);
    rest();
  };
  return send("web.enter", { cells }, back);
}

function rows(cells) {
  const all = cells.map((cell) => cell[0]);
  redrawRows(Math.min(...all), Math.max(...all) + 1);
}

export function cancel() {
  if (edit.on) { fx.value = edit.was; stop(); }
}

// Pointing: while a formula waits for an operand, a click or an arrow writes a reference.

export function canPoint() {
  if (!edit.on || !editor.value.startsWith("=")) return false;
  const { field } = edit, caret = field.selectionStart;
  if (edit.point && caret === edit.point.end) return true;
  return /[=(,+\-*/^&<>:;{]\s*$/.test(field.value.slice(0, caret));
}

export function point(one) {
  const { field } = edit, caret = field.selectionStart, text = rangeName(one);
  const start = edit.point && caret === edit.point.end ? edit.point.start : caret;
  const end = edit.point && caret === edit.point.end ? edit.point.end : field.selectionEnd;
  const value = field.value.slice(0, start) + text + field.value.slice(end);
  field.value = value;
  field.setSelectionRange(start + text.length, start + text.length);
  typed(field);
  edit.point = { start, end: start + text.length, range: one };
  hideHelp();
}

const AWAY = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
function pointBy(event) {
  const [down, across] = AWAY[event.key];
  const from = edit.point?.to || edit.point?.range || { top: edit.row, left: edit.column };
  const row = Math.min(Math.max((from.row ?? from.top) + down, 0), model.sheet.rows - 1), column = Math.min(Math.max((from.column ?? from.left) + across, 0), model.sheet.columns - 1);
  const base = event.shiftKey && edit.point ? edit.point.base || { row: edit.point.range.top, column: edit.point.range.left } : { row, column };
  point({ top: Math.min(base.row, row), left: Math.min(base.column, column), bottom: Math.max(base.row, row) + 1, right: Math.max(base.column, column) + 1 });
  Object.assign(edit.point, { base, to: { row, column } });
  reveal(row, column);
}

function absolute(field) {
  const one = references(field.value).find((each) => field.selectionStart >= each.start && field.selectionStart <= each.end);
  if (!one) return;
  const turned = field.value.slice(one.start, one.end).replace(/(\$?)([A-Za-z]{1,3})(\$?)(\d+)/g, (_, a, letters, b, digits) => {
    if (a && b) return `${letters}$${digits}`.replace(/^/, "");
    if (!a && b) return `$${letters}${digits}`;
    return a ? letters + digits : `$${letters}$${digits}`;
  });
  field.value = field.value.slice(0, one.start) + turned + field.value.slice(one.end);
  field.setSelectionRange(one.start + turned.length, one.start + turned.length);
  typed(field);
}

// Keys while typing. True when the key was meant for the editor.
export function editKey(event) {
  if (!edit.on) return false;
  const { field } = edit, mod = event.ctrlKey || event.metaKey;
  if (event.isComposing) return true;
  if (completing() && ["ArrowDown", "ArrowUp", "Tab"].includes(event.key) && !canPointTo(event)) { event.preventDefault(); pick(event.key, field, typed); return true; }
  if (completing() && event.key === "Enter" && pick("chosen", field, typed)) { event.preventDefault(); return true; }
  if (event.key === "Escape") { event.preventDefault(); if (completing()) hideHelp(); else cancel(); return true; }
  if (event.key === "F4") { event.preventDefault(); absolute(field); return true; }
  if (event.key === "F2") { event.preventDefault(); edit.mode = edit.mode === "edit" ? "enter" : "edit"; return true; }
  if (event.key === "Enter") {
    event.preventDefault();
    if (event.altKey || (mod && isSingle())) { field.setRangeText("\n", field.selectionStart, field.selectionEnd, "end"); typed(field); } else if (mod) commit(true);
    else { commit(); advance("Enter", event.shiftKey); }
    return true;
  }
  if (event.key === "Tab") { event.preventDefault(); commit(); advance("Tab", event.shiftKey); return true; }
  if (AWAY[event.key] && edit.mode === "enter" && field === editor && !mod && !event.altKey) {
    event.preventDefault();
    if (canPoint()) pointBy(event);
    else { commit(); const [down, across] = AWAY[event.key]; select(model.rows.step(sel.row, down) * Math.abs(down) + sel.row * (1 - Math.abs(down)), across ? model.columns.step(sel.column, across) : sel.column); }
    return true;
  }
  return true;
}
function canPointTo(event) { return event.key !== "Tab" && edit.point; }

// A click on the grid while typing: a reference, or the end of the edit.
export function clickWhileEditing(row, column, event) {
  if (!edit.on) return false;
  if (inside(cellRange(edit.row, edit.column), row, column) && edit.field === editor) return true;
  if (canPoint()) {
    event.preventDefault();
    point(cellRange(row, column));
    edit.point.base = { row, column };
    return true;
  }
  commit();
  return false;
}
export { isHeld, range };
