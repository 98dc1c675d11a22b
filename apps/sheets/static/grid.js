// Starts the grid: takes in what the page came with, and binds mouse, keys, name box, title and tools.
import { absorb, cellAt, columnOf, inside, model, parseRange } from "./grid_model.js";
import { draw, grid, hooks, make, reveal, scale, showFormulas } from "./grid_view.js";
import { advance, changed, drag, endPreview, extend, follow, isSelected, isSingle, jump, move, named, pageBy, previewFill, range, sel, select, selectAll, selectRange, wholeColumns, wholeRows } from "./grid_select.js";
import { begin, canPoint, clickWhileEditing, commit, edit, editKey, editor, enter, focusGrid, fx, parseWith, point, stop } from "./grid_edit.js";
import { completeWith } from "./grid_complete.js";
import { addressOf, after, begun, page, problem, resume, send, shutting } from "./grid_send.js";
import { forget, fromMenu, prepare } from "./grid_clip.js";
import * as tools from "./grid_tools.js";
import { closeMenus, isOpen, menu } from "./grid_popup.js";
import { MENUS, cellMenu, lineMenu, openLink } from "./grid_menus.js";
import { findReplace, note } from "./grid_dialogs.js";
import { drawSlicers, drawViews, filterList } from "./grid_filters.js";
import { drawBar, itemsOf } from "./grid_bar.js";
import { drawCharts } from "./grid_charts.js";
import { drawTabs } from "./grid_tabs.js";
import { summarise } from "./grid_sums.js";
import "./grid_guard.js";

const opened = JSON.parse(document.getElementById("opened").textContent);
Object.assign(model, { key: opened.key, title: opened.title, kinds: new Set(opened.kinds), canEdit: ["owner", "writer"].includes(opened.role), locale: opened.locale, owned: opened.role === "owner" });
parseWith(parseRange);
completeWith((run) => { const field = edit.field; run(field, () => field.dispatchEvent(new Event("input"))); field.focus({ preventScroll: true }); });
absorb(opened, true);
const wanted = new URLSearchParams(location.search).get("range");

// mouse

let last = { x: 0, y: 0 };
grid.addEventListener("pointerdown", (event) => {
  if (event.target === editor && edit.on) return;
  if (event.target.closest("button")) return;
  const box = grid.getBoundingClientRect();
  if (event.clientX > box.left + grid.clientWidth * scale() || event.clientY > box.top + grid.clientHeight * scale()) return;
  if (event.button === 2) return;
  if (event.button !== 0) return;
  const edge = event.target.closest("[data-edge], [data-row-edge]");
  if (edge) { startResize(event, edge); return; }
  if (event.target.closest("[data-handle]")) { event.preventDefault(); drag.kind = "fill"; return; }
  if (event.target.closest("[data-all]")) { finish(); selectAll(); event.preventDefault(); focusGrid(); return; }
  const column = event.target.closest("[data-column]"), row = event.target.closest("[data-row]");
  const at = follow(event);
  if (edit.on) {
    const line = column ? { top: 0, left: at.column, bottom: model.rows.count, right: at.column + 1 } : row ? { top: at.row, left: 0, bottom: at.row + 1, right: model.columns.count } : null;
    if (line && canPoint()) { event.preventDefault(); point(line); return; }
    if (!line && clickWhileEditing(at.row, at.column, event)) { drag.kind = "point"; return; }
    finish();
  }
  event.preventDefault();
  const add = event.ctrlKey || event.metaKey;
  if (column) pickLine("column", at.column, event.shiftKey, add);
  else if (row) pickLine("row", at.row, event.shiftKey, add);
  else if (event.shiftKey) { extend(at.row, at.column, false); drag.kind = "cells"; } else { select(at.row, at.column, { add, show: false }); drag.kind = "cells"; }
  sel.tabFrom = null;
  focusGrid();
});

function pickLine(kind, at, shift, add) {
  drag.kind = kind;
  drag.from = shift && drag.from !== undefined ? drag.from : at;
  if (shift) drag.from = kind === "column" ? sel.anchor.column : sel.anchor.row;
  spanLines(kind, at, add);
}
function spanLines(kind, at, add) {
  const low = Math.min(drag.from, at), high = Math.max(drag.from, at) + 1;
  selectRange(kind === "column" ? { top: 0, left: low, bottom: model.rows.count, right: high } : { top: low, left: 0, bottom: high, right: model.columns.count }, { add, show: false });
  if (kind === "column") sel.row = Math.min(model.rows.at(grid.scrollTop), sel.row);
}

document.addEventListener("pointermove", (event) => {
  if (!drag.kind) return;
  if (drag.kind === "resize") { moveResize(event); return; }
  if (drag.kind === "chart") { moveChart(event); return; }
  const at = follow(event);
  if (drag.kind === "cells" && (at.row !== sel.head.row || at.column !== sel.head.column)) extend(at.row, at.column, false);
  else if (drag.kind === "column") spanLines("column", at.column);
  else if (drag.kind === "row") spanLines("row", at.row);
  else if (drag.kind === "fill") drag.fill = previewFill(at);
  else if (drag.kind === "point" && edit.point) {
    const { base } = edit.point;
    point({ top: Math.min(base.row, at.row), left: Math.min(base.column, at.column), bottom: Math.max(base.row, at.row) + 1, right: Math.max(base.column, at.column) + 1 });
    edit.point.base = base;
  }
});

document.addEventListener("pointerup", (event) => {
  const { kind } = drag;
  if (kind === "fill") {
    const fill = previewFill(follow(event));
    endPreview();
    if (fill) tools.fill(fill.rows ? "ROWS" : "COLUMNS", fill.length, fill.area);
  } else if (kind === "resize") endResize(event);
  else if (kind === "chart") dropChart(event);
  else if (kind === "cells" && event.target.closest(".grid")) {
    const at = follow(event);
    if (at.row !== sel.head.row || at.column !== sel.head.column) extend(at.row, at.column, false);
  }
  drag.kind = "";
});

function startResize(event, edge) {
  event.preventDefault();
  const rows = edge.hasAttribute("data-row-edge"), at = Number(rows ? edge.dataset.rowEdge : edge.dataset.edge);
  if (!model.canEdit) return;
  const guide = make("div", rows ? "guide guide-row" : "guide");
  grid.firstElementChild.append(guide);
  Object.assign(drag, { kind: "resize", rows, at, guide, from: rows ? event.clientY : event.clientX, size: (rows ? model.rows : model.columns).size(at) });
  moveResize(event);
}
function moveResize(event) {
  const { rows, at, from, size, guide } = drag, axis = rows ? model.rows : model.columns;
  drag.next = Math.max(rows ? 5 : 10, size + ((rows ? event.clientY : event.clientX) - from) / scale());
  const start = (rows ? 24 : 46) + axis.start(at) + drag.next + (at < axis.frozen ? (rows ? grid.scrollTop : grid.scrollLeft) : 0);
  if (rows) guide.style.top = `${start}px`; else guide.style.left = `${start}px`;
}
function endResize(event) {
  moveResize(event);
  drag.guide.remove();
  if (Math.abs(drag.next - drag.size) < 2) return;
  const one = range(), axis = drag.rows ? "ROWS" : "COLUMNS";
  const several = drag.rows ? one.left === 0 && one.right === model.columns.count && drag.at >= one.top && drag.at < one.bottom : one.top === 0 && one.bottom === model.rows.count && drag.at >= one.left && drag.at < one.right;
  tools.resize(axis, several ? (drag.rows ? one.top : one.left) : drag.at, several ? (drag.rows ? one.bottom : one.right) : drag.at + 1, Math.round(drag.next));
}

grid.addEventListener("dblclick", (event) => {
  const edge = event.target.closest("[data-edge], [data-row-edge]");
  if (edge) {
    if (model.canEdit) { const rows = edge.hasAttribute("data-row-edge"), at = Number(rows ? edge.dataset.rowEdge : edge.dataset.edge); tools.fit(rows ? "ROWS" : "COLUMNS", at, at + 1); }
    return;
  }
  if (event.target.closest("[data-handle]")) { tools.fillDown(); return; }
  if (event.target.closest("button, .check, [data-column], [data-row]") || edit.on) return;
  begin("edit");
});

grid.addEventListener("click", (event) => {
  const hit = event.target.closest("[data-check], [data-choose], [data-filter], [data-unhide], [data-unhide-row]");
  if (!hit) return;
  const cell = hit.closest(".cell"), place = cell ? cell.id.split("-").slice(1).map(Number) : null;
  if (hit.dataset.check !== undefined) toggle(...place);
  else if (hit.dataset.choose !== undefined) choose(hit, ...place);
  else if (hit.dataset.filter !== undefined) filterList(Number(hit.dataset.filter), hit);
  else if (hit.dataset.unhide !== undefined) tools.unhide("COLUMNS", Number(hit.dataset.unhide));
  else tools.unhide("ROWS", Number(hit.dataset.unhideRow));
});

// A chart is moved by its picture and deleted from its menu.
grid.addEventListener("pointerdown", (event) => {
  const figure = event.target.closest(".chart, .slicer");
  if (!figure || event.button !== 0 || !model.canEdit || event.target.closest("button:not(.slicer-open)")) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  Object.assign(drag, { kind: "chart", figure, x: event.clientX, y: event.clientY, left: figure.offsetLeft, top: figure.offsetTop });
}, true);
function moveChart(event) {
  drag.figure.style.left = `${Math.max(46, drag.left + (event.clientX - drag.x) / scale())}px`;
  drag.figure.style.top = `${Math.max(24, drag.top + (event.clientY - drag.y) / scale())}px`;
}
function dropChart(event) {
  moveChart(event);
  const { figure } = drag, left = figure.offsetLeft - 46, top = figure.offsetTop - 24;
  if (figure.offsetLeft === drag.left && figure.offsetTop === drag.top) return;
  const row = model.rows.at(top), column = model.columns.at(left);
  figure.dataset.moved = "1";
  const overlayPosition = { anchorCell: { sheetId: model.gid, rowIndex: row, columnIndex: column }, offsetXPixels: Math.round(left - model.columns.start(column)), offsetYPixels: Math.round(top - model.rows.start(row)), widthPixels: figure.offsetWidth, heightPixels: figure.offsetHeight };
  tools.change([{ updateEmbeddedObjectPosition: { objectId: Number(figure.dataset.chart ?? figure.dataset.slicer), newPosition: { overlayPosition }, fields: "*" } }]);
}
grid.addEventListener("click", (event) => {
  const button = event.target.closest("[data-chart-menu]");
  if (!button) return;
  const at = button.getBoundingClientRect();
  menu([{ label: "Delete chart", run: () => tools.change([{ deleteEmbeddedObject: { objectId: Number(button.dataset.chartMenu) } }]) }], { x: at.left, y: at.bottom }, { label: "Chart" });
});

function toggle(row, column) {
  if (!model.canEdit) return;
  const { v, kind, text } = cellAt(row, column);
  const on = kind === "b" ? text === "TRUE" : v.box.length > 0 && text === v.box[0];
  enter([[row, column, on ? v.box[1] ?? "FALSE" : v.box[0] ?? "TRUE"]]);
}
function choose(hit, row, column) {
  if (!model.canEdit) return;
  finish();
  select(row, column);
  const at = hit.closest(".cell").getBoundingClientRect();
  menu(cellAt(row, column).v.list.map((value) => ({ label: value, on: value === cellAt(row, column).text, run: () => enter([[row, column, value]]) })), { x: at.left, y: at.bottom }, { label: "Choices" });
}

grid.addEventListener("contextmenu", (event) => {
  event.preventDefault();
  finish();
  const at = follow(event), column = event.target.closest("[data-column]"), row = event.target.closest("[data-row]");
  if (column && !(range().top === 0 && range().bottom === model.rows.count && isSelected(0, at.column))) { drag.from = at.column; spanLines("column", at.column); } else if (row && !(range().left === 0 && range().right === model.columns.count && isSelected(at.row, 0))) { drag.from = at.row; spanLines("row", at.row); } else if (!column && !row && !isSelected(at.row, at.column)) select(at.row, at.column, { show: false });
  focusGrid();
  menu(column ? lineMenu("COLUMNS") : row ? lineMenu("ROWS") : cellMenu(), { x: event.clientX, y: event.clientY, alt: event.clientX }, { label: "Actions" });
});

// notes and faults, shown while the mouse is over a cell
const tip = make("div", "note-tip", { role: "tooltip", hidden: "" });
document.body.append(tip);
grid.addEventListener("pointerover", (event) => {
  const cell = event.target.closest?.(".cell.noted, .cell.fault");
  tip.hidden = !cell;
  if (!cell) return;
  const fault = cell.dataset.fault;
  tip.classList.toggle("fault-tip", Boolean(fault));
  tip.replaceChildren(...(fault ? [make("b", "", {}, "Error"), fault] : []), ...(fault && cell.dataset.note ? [make("hr")] : []), cell.dataset.note || "");
  const at = cell.getBoundingClientRect();
  Object.assign(tip.style, { left: `${Math.min(at.right + 4, innerWidth - 230)}px`, top: `${at.top}px` });
});
grid.addEventListener("pointerleave", () => { tip.hidden = true; });

function finish() { if (edit.on) commit(); }

// keys

const MODS = {
  b: tools.commands.bold, i: tools.commands.italic, u: tools.commands.underline, z: tools.undo, y: tools.redo, a: selectMore, d: () => tools.copyFrom("ROWS"), r: () => tools.copyFrom("COLUMNS"),
  h: findReplace, f: findReplace, "\\": tools.commands.clearFormat, k: () => import("./grid_dialogs.js").then((dialogs) => dialogs.hyperlink()), "/": () => document.getElementById("keyboard-help")?.showModal(), j: () => nameBox.focus(), ";": () => begin("enter", moment(0)),
};
const SHIFTED = {
  ":": () => begin("enter", moment(1)), ";": () => begin("enter", moment(1)),
  z: tools.redo, v: () => fromMenu("paste", "PASTE_VALUES"), l: () => tools.align("LEFT"), e: () => tools.align("CENTER"), r: () => tools.align("RIGHT"), x: tools.commands.strike,
  "!": () => tools.number("NUMBER", "#,##0.00"), "@": () => tools.number("TIME", "h:mm:ss am/pm"), "#": () => tools.number("DATE", "m/d/yyyy"), $: tools.commands.currency, "%": tools.commands.percent, "^": () => tools.number("SCIENTIFIC", "0.00E+00"),
};
// The date or the time where the spreadsheet is, as one would type it.
function moment(which) {
  const [day, time] = model.now.split("T"), [year, month, date] = day.split("-").map(Number), [hour, ...rest] = time.split(":");
  if (which) return `${hour % 12 || 12}:${rest.join(":")} ${hour < 12 ? "AM" : "PM"}`;
  return model.locale === "en_US" ? `${month}/${date}/${year}` : day;
}
const READING = new Set([MODS.a, MODS.h, MODS.f, MODS.j, MODS["/"]]);

const MENU_KEYS = { f: "File", e: "Edit", v: "View", i: "Insert", o: "Format", d: "Data", t: "Tools", h: "Help" };

// Along the menu bar by arrows; back to the cells by Escape.
document.getElementById("menubar").addEventListener("keydown", (event) => {
  const buttons = [...event.currentTarget.querySelectorAll("button")], at = buttons.indexOf(event.target);
  if (event.key === "ArrowRight" || event.key === "ArrowLeft") buttons[(at + (event.key === "ArrowRight" ? 1 : buttons.length - 1)) % buttons.length].focus();
  else if (event.key === "ArrowDown") buttons[at]?.click();
  else if (event.key === "Escape") focusGrid();
  else return;
  event.preventDefault();
});
document.getElementById("toolbar").addEventListener("keydown", (event) => { if (event.key === "Escape") focusGrid(); });

editor.addEventListener("keydown", (event) => { if (!editKey(event)) gridKey(event); });
fx.addEventListener("keydown", (event) => { if (edit.on) editKey(event); });

function gridKey(event) {
  if (event.isComposing || isOpen()) return;
  const mod = event.ctrlKey || event.metaKey, { key, shiftKey } = event;
  const run = keyed(event, mod, key, shiftKey);
  if (run) { event.preventDefault(); run(); }
}

function keyed(event, mod, key, shiftKey) {
  if (/^Arrow/.test(key)) {
    if (event.altKey && shiftKey) return null;
    if (event.altKey) return key === "ArrowDown" || key === "ArrowUp" ? () => stepSheet(key === "ArrowDown" ? 1 : -1) : null;
    return mod ? () => jump(key, shiftKey) : () => move(key, shiftKey);
  }
  if (mod && (key === "c" || key === "x") && !shiftKey) { prepare(); return null; }
  if (mod && key === "v" && !shiftKey) return null;
  if (mod && key === " ") return wholeColumns;
  if (mod && event.code === "Backquote") return showFormulas;
  if (shiftKey && key === " ") return wholeRows;
  if (mod && event.altKey && key.toLowerCase() === "m") return () => document.getElementById("open-comments")?.click();
  if (event.altKey && !mod && !shiftKey && MENU_KEYS[key]) return () => document.querySelector(`#menubar [data-menu="${MENU_KEYS[key]}"]`)?.click();
  if (event.altKey && shiftKey && event.code === "Digit5") return model.canEdit ? tools.commands.strike : null;
  if (mod && event.altKey && /^[=+-]$/.test(key)) return model.canEdit ? () => wholeLines(key === "-") : null;
  if (mod && !event.altKey) {
    const wantedRun = key === "Home" ? () => place(model.rows.frozen, model.columns.frozen, shiftKey) : key === "End" ? () => jump("end", shiftKey) : key === "Backspace" ? () => reveal(sel.row, sel.column) : (shiftKey ? SHIFTED[key.toLowerCase()] : null) || (shiftKey && key !== "/" ? null : MODS[key.toLowerCase()]);
    return wantedRun && (model.canEdit || READING.has(wantedRun) || /^(Home|End|Backspace)$/.test(key)) ? wantedRun : null;
  }
  switch (key) {
    case "Tab": return () => advance("Tab", shiftKey);
    case "Enter": if (event.altKey) return openLink; return () => (shiftKey ? advance("Enter", true) : isSingle() && model.canEdit ? openCell() : advance("Enter", false));
    case "F6": return () => document.querySelector("#menubar button").focus();
    case "F2": return () => (shiftKey ? model.canEdit && note() : begin("edit"));
    case "F11": return shiftKey && model.canEdit ? tools.addSheet : null;
    case "Delete": case "Backspace": return tools.deleteContents;
    case "Escape": return () => { forget(); closeMenus(); };
    case "Home": return () => place(sel.row, 0, shiftKey);
    case "End": return () => place(sel.row, model.columns.count - 1, shiftKey);
    case "PageDown": return () => pageBy(1, shiftKey);
    case "PageUp": return () => pageBy(-1, shiftKey);
    case " ": { const cell = cellAt(sel.row, sel.column); return !model.canEdit ? () => {} : cell?.v?.box ? () => toggle(sel.row, sel.column) : null; }
    default: return null;
  }
}
// Rows or columns that are selected as such: as many more before them, or away with them.
function wholeLines(away) {
  const one = range(), axis = one.left === 0 && one.right === model.columns.count ? "ROWS" : one.top === 0 && one.bottom === model.rows.count ? "COLUMNS" : "";
  if (axis) { if (away) tools.remove(axis); else tools.insert(axis, false); }
}
// The filled cells around the active one; once they are, everything.
function selectMore() {
  const one = range(), area = tools.block();
  const same = ["top", "left", "bottom", "right"].every((side) => one[side] === area[side]);
  if (same || (area.bottom - area.top === 1 && area.right - area.left === 1)) { selectAll(); return; }
  const { row, column } = sel;
  selectRange(area, { show: false });
  Object.assign(sel, { row, column });
  changed.forEach((run) => run());
}
function openCell() { begin("edit"); }
function place(row, column, shift) { if (shift) extend(row, column); else select(row, column); }
function stepSheet(by) {
  const shown = model.tabs.filter((tab) => !tab.hidden), at = shown.findIndex((tab) => tab.gid === model.gid) + by;
  if (shown[at]) location.assign(addressOf(shown[at].gid));
}

// Keys pressed when nothing has the focus belong to the grid, and so do letters on a control that takes none.
function isIdle(active, event) {
  if (!active || active === document.body || active === grid) return true;
  const letter = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
  return letter && active.matches("button, a, summary, [tabindex='-1']") && !active.closest("dialog, [role=dialog], [role=menu], #overlay, .topbar");
}
document.addEventListener("close", (event) => { if (event.target.matches("dialog")) focusGrid(); }, true);
document.addEventListener("keydown", (event) => {
  if (!isIdle(document.activeElement, event)) return;
  if (document.querySelector("dialog[open]") || isOpen()) return;
  editor.focus({ preventScroll: true });
  if (!["Shift", "Control", "Alt", "Meta"].includes(event.key) && (event.key.length > 1 || event.ctrlKey || event.metaKey)) gridKey(event);
}, true);

// name box

const nameBox = document.getElementById("name-box");
nameBox.addEventListener("focus", () => nameBox.select());
nameBox.addEventListener("keydown", (event) => {
  if (event.key === "Escape") { focusGrid(); changed.forEach((run) => run()); }
  if (event.key !== "Enter") return;
  event.preventDefault();
  const text = nameBox.value.trim(), name = named(text), bang = text.lastIndexOf("!");
  const tab = bang > 0 ? model.tabs.find((one) => one.title === text.slice(0, bang).replace(/^'|'$/g, "")) : null;
  const area = parseRange(bang > 0 ? text.slice(bang + 1) : text);
  if (name && name.gid !== model.gid) { location.assign(`${addressOf(name.gid)}&range=${encodeURIComponent(text)}`); return; }
  if (tab && tab.gid !== model.gid && area) { location.assign(`${addressOf(tab.gid)}&range=${text.slice(bang + 1)}`); return; }
  if (name) goTo({ top: name.area[0], left: name.area[1], bottom: name.area[2], right: name.area[3] });
  else if (area) goTo(area);
  else if (/^[A-Za-z_][\w.]*$/.test(text) && model.canEdit && tools.can("addNamedRange") && !/^[A-Za-z]{1,3}\d+$/.test(text)) {
    const one = range();
    tools.change([{ addNamedRange: { namedRange: { name: text, range: { sheetId: model.gid, startRowIndex: one.top, endRowIndex: one.bottom, startColumnIndex: one.left, endColumnIndex: one.right } } } }]);
  } else problem(`${text} is not a range of this sheet.`);
  focusGrid();
});
function goTo(area) { selectRange(area); editor.focus({ preventScroll: true }); }

// title and star

const title = document.getElementById("doc-title");
const ruler = document.createElement("canvas").getContext("2d");
function fitTitle() {
  const { font } = getComputedStyle(title);
  ruler.font = font;
  title.style.width = `${Math.max(60, Math.ceil(ruler.measureText(title.value).width) + 20)}px`;
}
title.addEventListener("input", fitTitle);
title.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); focusGrid(); } if (event.key === "Escape") { title.value = model.title; focusGrid(); } });
title.addEventListener("blur", () => {
  const name = title.value.trim();
  if (!name || name === model.title || !model.canEdit) { title.value = model.title; fitTitle(); return; }
  const before = model.title;
  model.title = name;
  document.title = document.title.replace(before, name);
  send("drive.files.update", { fileId: model.key, name }, () => { model.title = before; title.value = before; });
});
const star = document.getElementById("doc-star");
star.addEventListener("click", () => {
  const on = star.getAttribute("aria-pressed") !== "true";
  star.setAttribute("aria-pressed", String(on));
  send("drive.files.update", { fileId: model.key, starred: on }, () => star.setAttribute("aria-pressed", String(!on)));
});
fitTitle();

changed.push(summarise, drawBar);
hooks.drawn.push(drawCharts, drawSlicers);
after.push(() => { drawTabs(); drawBar(); changed.forEach((run) => run()); });
addEventListener("beforeunload", (event) => { if (model.unsaved.size) event.preventDefault(); });

// menus and tools

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-menu]");
  if (!button) return;
  finish();
  const again = button.getAttribute("aria-expanded") === "true";
  closeMenus();
  if (again) { focusGrid(); return; }
  openFrom(button);
});
document.getElementById("menubar").addEventListener("pointerover", (event) => {
  const button = event.target.closest("[data-menu]");
  if (button && document.querySelector('#menubar [aria-expanded="true"]') && button.getAttribute("aria-expanded") !== "true") { closeMenus(); openFrom(button); }
});
function openFrom(button) {
  const at = button.getBoundingClientRect(), [items, className] = itemsOf(button.dataset.menu, MENUS);
  menu(items, { x: at.left, y: at.bottom + 2 }, { label: button.getAttribute("aria-label") || button.textContent.trim(), className });
  button.setAttribute("aria-expanded", "true");
}
document.getElementById("toolbar").addEventListener("click", (event) => {
  const tool = event.target.closest("[data-tool]");
  if (!tool) return;
  finish();
  tools.commands[tool.dataset.tool]();
  focusGrid();
});

model.tabs = opened.tabs;
drawTabs();
model.view = model.sheet.view;
draw();
drawViews();
const start = wanted && (named(wanted)?.area ? (([top, left, bottom, right]) => ({ top, left, bottom, right }))(named(wanted).area) : parseRange(wanted));
if (start) selectRange(start); else select(model.rows.step(-1, 1), model.columns.step(-1, 1));
drawBar();

// While the service takes no changes, what makes some is switched off; a text being typed stays where it is.
const MAKERS = "#toolbar button:not([data-menu='zoom']), #toolbar input, #tab-add, #doc-star, #menubar :is([data-menu='Insert'], [data-menu='Format'], [data-menu='Data'])";
shutting.push((now) => {
  for (const maker of document.querySelectorAll(MAKERS)) maker.disabled = now;
  title.readOnly = !model.canEdit;
  fx.readOnly = !model.canEdit && !edit.on;
  drawTabs();
  drawBar();
  changed.forEach((run) => run());
});
begun(Boolean(page.dataset.closed));
if (!document.querySelector("dialog[open]")) editor.focus({ preventScroll: true });
document.documentElement.dataset.grid = "ready";
export { columnOf, inside, resume, stop };
