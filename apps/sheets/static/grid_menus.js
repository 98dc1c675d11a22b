// What the menus hold. An item is there only if what it does works here: for this person, with these kinds of change.
import { cellAt, grid as gridRange, letters, model, rangeName } from "./grid_model.js";
import { grid, linkOf, showFormulas } from "./grid_view.js";
import { range, sel, selectAll } from "./grid_select.js";
import { begin, edit, enter } from "./grid_edit.js";
import { page, problem, tell } from "./grid_send.js";
import { fromMenu } from "./grid_clip.js";
import * as do_ from "./grid_tools.js";
import { addSlicer, reapply, viewItems } from "./grid_filters.js";
import { conditional, findReplace, namedRange, note, showNames, validation } from "./grid_dialogs.js";

const { can } = do_;
const may = (kind, item) => model.canEdit && can(...[kind].flat()) && item;
const press = (name, label) => document.getElementById(`open-${name}`) && { label, run: () => document.getElementById(`open-${name}`).click() };
// The dialogs of the drive are parts of this page under an address of their own.
const overlay = (dialog, label) => document.getElementById("overlay") && { label, run: () => {
  const link = document.getElementById("dialog-link"), query = new URLSearchParams(location.search);
  query.set("dialog", dialog);
  for (const [name, value] of [["href", `?${query}`], ["hx-get", `${location.pathname}?${query}`], ["hx-target", "#overlay"], ["hx-push-url", "true"]]) link.setAttribute(name, value);
  window.htmx?.process(link);
  link.click();
} };

const NUMBERS = [
  ["Automatic", "", "", ""], ["Plain text", "TEXT", "@", ""], null, ["Number", "NUMBER", "#,##0.00", "1,000.12"], ["Percent", "PERCENT", "0.00%", "10.12%"],
  ["Scientific", "SCIENTIFIC", "0.00E+00", "1.01E+03"], null, ["Accounting", "NUMBER", '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', "$ (1,000.12)"],
  ["Financial", "NUMBER", "#,##0.00_);\\(#,##0.00\\)", "(1,000.12)"], ["Currency", "CURRENCY", '"$"#,##0.00', "$1,000.12"], ["Currency rounded", "CURRENCY", '"$"#,##0', "$1,000"], null,
  ["Date", "DATE", "m/d/yyyy", "9/26/2008"], ["Time", "TIME", "h:mm:ss am/pm", "3:59:00 PM"], ["Date time", "DATE_TIME", "m/d/yyyy h:mm:ss", "9/26/2008 15:59:00"], ["Duration", "TIME", "[h]:mm:ss", "24:01:00"],
];
export function numberItems() {
  const [type, pattern] = do_.style().nf || ["", ""];
  return [...NUMBERS.map((one) => one && { label: one[0], keys: one[3], on: one[1] === type && (one[2] === pattern || !pattern), run: () => do_.number(one[1], one[2]) }), null,
    { label: "Custom number format", run: () => import("./grid_dialogs.js").then((dialogs) => dialogs.customNumber()) }];
}
export const FONTS = ["Arial", "Comic Sans MS", "Courier New", "Georgia", "Impact", "Times New Roman", "Trebuchet MS", "Verdana"];
export const fontItems = () => FONTS.map((name) => ({ label: name, on: (do_.style().ff || "Arial") === name, run: () => do_.font(name) }));
const ALIGN = [["Left", "LEFT", "Ctrl+Shift+L"], ["Center", "CENTER", "Ctrl+Shift+E"], ["Right", "RIGHT", "Ctrl+Shift+R"]], STAND = [["Top", "TOP"], ["Middle", "MIDDLE"], ["Bottom", "BOTTOM"]];
const WRAP = [["Overflow", "OVERFLOW_CELL"], ["Wrap", "WRAP"], ["Clip", "CLIP"]];
export const alignItems = () => ALIGN.map(([label, to, keys]) => ({ label, keys, on: do_.style().h === to, run: () => do_.align(to) }));
export const standItems = () => STAND.map(([label, to]) => ({ label, on: (do_.style().v || "BOTTOM") === to, run: () => do_.stand(to) }));
export const wrapItems = () => WRAP.map(([label, to]) => ({ label, on: (do_.style().w || "OVERFLOW_CELL") === to, run: () => do_.wrap(to) }));
export const mergeItems = () => [["Merge all", "MERGE_ALL"], ["Merge vertically", "MERGE_COLUMNS"], ["Merge horizontally", "MERGE_ROWS"], ["Unmerge", ""]]
  .map(([label, how]) => ({ label, off: how ? range().bottom - range().top + (range().right - range().left) === 2 : !do_.isMerged(), run: () => do_.merge(how) }));
export const borderItems = () => [["All borders", "all"], ["Inner borders", "inner"], ["Horizontal borders", "horizontal"], ["Vertical borders", "vertical"], ["Outer borders", "outer"], null, ["Left border", "left"], ["Top border", "top"], ["Right border", "right"], ["Bottom border", "bottom"], null, ["Clear borders", "clear"]]
  .map((one) => one && { label: one[0], run: () => do_.borders(one[1]) });
export const sumItems = () => ["SUM", "AVERAGE", "COUNT", "MAX", "MIN"].map((name) => ({ label: name, run: () => {
  const made = do_.sum(name);
  if (made.formula) begin("enter", made.formula);
} }));
export const zoomItems = () => [50, 75, 90, 100, 125, 150, 200].map((percent) => ({ label: `${percent}%`, on: (grid.dataset.zoom || "100") === String(percent), run: () => zoom(percent) }));
export function zoom(percent) {
  grid.dataset.zoom = String(percent);
  grid.style.zoom = percent / 100;
  document.querySelector('[data-menu="zoom"] .tool-text').textContent = `${percent}%`;
  dispatchEvent(new Event("resize"));
}
const HUES = ["#000000", "#434343", "#666666", "#999999", "#b7b7b7", "#cccccc", "#d9d9d9", "#efefef", "#f3f3f3", "#ffffff", "#980000", "#ff0000", "#ff9900", "#ffff00", "#00ff00", "#00ffff", "#4a86e8", "#0000ff", "#9900ff", "#ff00ff",
  "#e6b8af", "#f4cccc", "#fce5cd", "#fff2cc", "#d9ead3", "#d0e0e3", "#c9daf8", "#cfe2f3", "#d9d2e9", "#ead1dc", "#dd7e6b", "#ea9999", "#f9cb9c", "#ffe599", "#b6d7a8", "#a2c4c9", "#a4c2f4", "#9fc5e8", "#b4a7d6", "#d5a6bd",
  "#cc4125", "#e06666", "#f6b26b", "#ffd966", "#93c47d", "#76a5af", "#6d9eeb", "#6fa8dc", "#8e7cc3", "#c27ba0"];
export const hueItems = (run) => [{ label: "Reset", className: "popup-item swatch-reset", run: () => run("") }, ...HUES.map((hex) => ({ label: hex, swatch: hex, className: "swatch", run: () => run(hex) }))];

const count = (axis) => { const [from, to] = do_.lines(axis); return to - from; };
const word = (axis) => (axis === "ROWS" ? "row" : "column");
const some = (axis) => (count(axis) === 1 ? `1 ${word(axis)}` : `${count(axis)} ${word(axis)}s`);
const named = (axis) => { const [from, to] = do_.lines(axis), name = axis === "ROWS" ? (at) => String(at + 1) : letters; return to - from === 1 ? `${word(axis)} ${axis === "ROWS" ? name(from) : name(from)}` : `${word(axis)}s ${name(from)} - ${name(to - 1)}`; };
const inserting = (axis, behind) => may("insertDimension", { label: `Insert ${some(axis)} ${axis === "ROWS" ? (behind ? "below" : "above") : behind ? "right" : "left"}`, run: () => do_.insert(axis, behind) });
const deleting = (axis) => may("deleteDimension", { label: `Delete ${named(axis)}`, run: () => do_.remove(axis) });
const clipItems = () => [model.canEdit && { label: "Cut", keys: "Ctrl+X", run: () => fromMenu("cut") }, { label: "Copy", keys: "Ctrl+C", run: () => fromMenu("copy") }, model.canEdit && { label: "Paste", keys: "Ctrl+V", run: () => fromMenu("paste") },
  model.canEdit && { label: "Paste special", items: () => [["Values only", "PASTE_VALUES", "Ctrl+Shift+V"], ["Format only", "PASTE_FORMAT"], ["Formula only", "PASTE_FORMULA"], ["All except borders", "PASTE_NO_BORDERS"]].map(([label, type, keys]) => ({ label, keys, run: () => fromMenu("paste", type) })) }];
const freezing = (axis) => [0, 1, 2].map((lines) => ({ label: lines ? `${lines} ${word(axis)}${lines > 1 ? "s" : ""}` : `No ${word(axis)}s`, on: model.sheet.frozen[axis === "ROWS" ? 0 : 1] === lines, run: () => do_.freeze(axis, lines) }))
  .concat([{ label: `Up to ${axis === "ROWS" ? `row ${sel.row + 1}` : `column ${letters(sel.column)}`}`, run: () => do_.freeze(axis, (axis === "ROWS" ? sel.row : sel.column) + 1) }]);
const noteItem = () => model.canEdit && { label: cellAt(sel.row, sel.column)?.n ? "Edit note" : "Insert note", keys: "Shift+F2", run: note };

export const MENUS = {
  File: () => [overlay("new", "New"), model.canEdit && overlay("import", "Import"), overlay("copy", "Make a copy"), null, press("share", "Share"), overlay("download", "Download"), null,
    model.canEdit && { label: "Rename", run: () => document.getElementById("doc-title").select() }, model.canEdit && overlay("move", "Move"), model.owned && overlay("trash", "Move to trash"), null, press("history", "See version history"), overlay("details", "Details"), null,
    model.canEdit && { label: "Settings", run: () => import("./grid_dialogs.js").then((dialogs) => dialogs.settings()) }, { label: "Print", keys: "Ctrl+P", run: () => print() }],
  Edit: () => [model.canEdit && { label: "Undo", keys: "Ctrl+Z", off: !model.undo, run: do_.undo }, model.canEdit && { label: "Redo", keys: "Ctrl+Y", off: !model.redo, run: do_.redo }, null, ...clipItems(), null,
    { label: "Select all", keys: "Ctrl+A", run: selectAll }, model.canEdit && { label: "Delete", items: () => [{ label: "Values", keys: "Del", run: do_.deleteContents }, deleting("ROWS"), deleting("COLUMNS"), may("deleteRange", { label: "Cells and shift up", run: () => do_.deleteCells("ROWS") }), may("deleteRange", { label: "Cells and shift left", run: () => do_.deleteCells("COLUMNS") })] }, null,
    { label: "Find and replace", keys: "Ctrl+H", run: findReplace }],
  View: () => [{ label: "Freeze", items: () => [...freezing("ROWS"), null, ...freezing("COLUMNS")] }, { label: "Show", items: () => [{ label: "Formula bar", on: !page.classList.contains("no-fx"), run: () => page.classList.toggle("no-fx") },
    model.canEdit && { label: "Gridlines", on: model.sheet.lines, run: () => do_.sheetProperties({ gridProperties: { hideGridlines: model.sheet.lines } }, "gridProperties.hideGridlines") }, { label: "Formulas", keys: "Ctrl+`", on: model.formulas, run: showFormulas }].filter(Boolean) },
    { label: "Hidden sheets", items: () => model.tabs.filter((tab) => tab.hidden).map((tab) => ({ label: tab.title, run: () => do_.sheetProperties({ hidden: false }, "hidden", tab.gid) })).concat(model.tabs.some((tab) => tab.hidden) ? [] : [{ label: "No hidden sheets", off: true }]) }, null,
    { label: "Zoom", items: zoomItems }].filter((item) => !item || model.canEdit || ["Show", "Zoom"].includes(item.label)),
  Insert: () => [model.canEdit && { label: "Cells", items: () => [may("insertRange", { label: "Insert cells and shift right", run: () => do_.insertCells("COLUMNS") }), may("insertRange", { label: "Insert cells and shift down", run: () => do_.insertCells("ROWS") })] },
    model.canEdit && { label: "Rows", items: () => [inserting("ROWS", false), inserting("ROWS", true)] }, model.canEdit && { label: "Columns", items: () => [inserting("COLUMNS", false), inserting("COLUMNS", true)] }, may("addSheet", { label: "Sheet", keys: "Shift+F11", run: do_.addSheet }), null,
    may("addChart", { label: "Chart", run: () => import("./grid_dialogs.js").then((dialogs) => dialogs.chart()) }), model.canEdit && { label: "Function", items: sumItems }, model.canEdit && { label: "Link", keys: "Ctrl+K", run: () => import("./grid_dialogs.js").then((dialogs) => dialogs.hyperlink()) }, null,
    may("setDataValidation", { label: "Checkbox", run: () => validation("BOOLEAN") }), may("setDataValidation", { label: "Dropdown", run: () => validation("ONE_OF_LIST") }), null, press("comments", "Comment"), noteItem()],
  Format: () => [{ label: "Number", items: numberItems, wide: "popup-wide" }, { label: "Text", items: () => [{ label: "Bold", keys: "Ctrl+B", on: do_.style().b, run: do_.commands.bold }, { label: "Italic", keys: "Ctrl+I", on: do_.style().i, run: do_.commands.italic }, { label: "Underline", keys: "Ctrl+U", on: do_.style().u, run: do_.commands.underline }, { label: "Strikethrough", keys: "Alt+Shift+5", on: do_.style().s, run: do_.commands.strike }] },
    { label: "Alignment", items: () => [...alignItems(), null, ...standItems()] }, { label: "Wrapping", items: wrapItems }, { label: "Font size", items: () => [6, 7, 8, 9, 10, 11, 12, 14, 18, 24, 36].map((points) => ({ label: String(points), on: (do_.style().fs || 10) === points, run: () => do_.size(points) })) },
    can("mergeCells") && { label: "Merge cells", items: mergeItems }, null, can("addConditionalFormatRule") && { label: "Conditional formatting", run: conditional },
    can("addBanding") && { label: "Alternating colors", run: () => do_.change([{ addBanding: { bandedRange: { range: gridRange(range()), rowProperties: { headerColor: do_.rgb("#bdbdbd"), firstBandColor: do_.rgb("#ffffff"), secondBandColor: do_.rgb("#f3f3f3") } } } }]) }, null,
    { label: "Clear formatting", keys: "Ctrl+\\", run: do_.commands.clearFormat }].filter((item) => model.canEdit || item === null),
  Data: () => [may("sortRange", { label: "Sort sheet", items: () => [{ label: `Sort sheet by column ${letters(sel.column)} (A to Z)`, run: () => do_.sort(false, true) }, { label: `Sort sheet by column ${letters(sel.column)} (Z to A)`, run: () => do_.sort(true, true) }] }),
    may("sortRange", { label: "Sort range", items: () => [{ label: `Sort range by column ${letters(sel.column)} (A to Z)`, run: () => do_.sort(false, false) }, { label: `Sort range by column ${letters(sel.column)} (Z to A)`, run: () => do_.sort(true, false) }, { label: "Randomize range", run: () => do_.change([{ randomizeRange: { range: gridRange(range()) } }]) }] }), null,
    may("setBasicFilter", { label: model.sheet.filter.length && !model.sheet.view ? "Remove filter" : "Create a filter", run: do_.filter }), model.sheet.filter.length > 0 && !model.sheet.view && may("setBasicFilter", { label: "Reapply filter", run: reapply }),
    can("addFilterView") && { label: "Filter views", items: viewItems }, may("addSlicer", { label: "Add a slicer", run: addSlicer }), null, may("addProtectedRange", { label: "Protect sheets and ranges", run: () => import("./grid_dialogs.js").then((dialogs) => dialogs.protect()) }),
    { label: "Named ranges", items: () => [may("addNamedRange", { label: "Add a range", run: namedRange }), null, ...showNames()] }, may("setDataValidation", { label: "Data validation", run: () => validation("ONE_OF_LIST") }), null,
    may("deleteDuplicates", { label: "Remove duplicates", run: () => do_.change([{ deleteDuplicates: { range: gridRange(range()) } }], (answer) => tell(`${answer.replies[0].deleteDuplicates?.duplicatesRemovedCount || 0} duplicate rows were removed.`)) }),
    may("trimWhitespace", { label: "Trim whitespace", run: () => do_.change([{ trimWhitespace: { range: gridRange(range()) } }], (answer) => tell(`${answer.replies[0].trimWhitespace?.cellsChangedCount || 0} cells were trimmed.`)) }),
    may("textToColumns", { label: "Split text to columns", run: () => do_.change([{ textToColumns: { source: gridRange({ ...range(), right: range().left + 1 }), delimiterType: "AUTODETECT" } }]) })],
  Tools: () => [press("comments", "Comments"), { label: "Summary of the selection", run: () => tell(`${rangeName(range())}: ${document.getElementById("sums").textContent || "nothing to sum up"}`) }],
  Help: () => [{ label: "Keyboard shortcuts", keys: "Ctrl+/", run: () => document.getElementById("keyboard-help")?.showModal() }, { label: "Function list", run: () => import("./grid_dialogs.js").then((dialogs) => dialogs.functionList()) }],
};

// A click on a link selects its cell; it is opened from here, or by Alt and Enter.
export function openLink() {
  const link = linkOf(cellAt(sel.row, sel.column));
  if (link) window.open(link, "_blank", "noopener,noreferrer");
}

export function cellMenu() {
  return [linkOf(cellAt(sel.row, sel.column)) && { label: "Open link", keys: "Alt+Enter", run: openLink }, null, ...clipItems(), null, inserting("ROWS", false), inserting("COLUMNS", false), may("insertRange", { label: "Insert cells", items: () => [{ label: "Insert cells and shift right", run: () => do_.insertCells("COLUMNS") }, { label: "Insert cells and shift down", run: () => do_.insertCells("ROWS") }] }), null, deleting("ROWS"), deleting("COLUMNS"),
    may("deleteRange", { label: "Delete cells", items: () => [{ label: "Delete cells and shift left", run: () => do_.deleteCells("COLUMNS") }, { label: "Delete cells and shift up", run: () => do_.deleteCells("ROWS") }] }), null, may("setBasicFilter", { label: model.sheet.filter.length ? "Remove filter" : "Create a filter", run: do_.filter }), null, press("comments", "Comment"), noteItem(),
    may("addNamedRange", { label: "Define named range", run: namedRange }), may("setDataValidation", { label: "Dropdown", run: () => validation("ONE_OF_LIST") }), can("addConditionalFormatRule") && model.canEdit && { label: "Conditional formatting", run: conditional }];
}

export function lineMenu(axis) {
  const [from, to] = do_.lines(axis), rows = axis === "ROWS";
  return [...clipItems(), null, inserting(axis, false), inserting(axis, true), deleting(axis), may("updateCells", { label: `Clear ${named(axis)}`, run: () => do_.clear("userEnteredValue") }), may("updateDimensionProperties", { label: `Hide ${named(axis)}`, run: () => do_.hide(axis, true) }),
    do_.hasHidden(axis) && may("updateDimensionProperties", { label: `Unhide ${word(axis)}s`, run: () => do_.unhide(axis) }), may("updateDimensionProperties", { label: `Resize ${word(axis)}${to - from > 1 ? "s" : ""} ${rows ? `${from + 1}` : letters(from)}${to - from > 1 ? ` - ${rows ? to : letters(to - 1)}` : ""}`, run: () => import("./grid_dialogs.js").then((dialogs) => dialogs.resizeLines(axis)) }), null,
    may("updateSheetProperties", { label: `Freeze up to ${rows ? `row ${to}` : `column ${letters(to - 1)}`}`, run: () => do_.freeze(axis, to) }), !rows && may("sortRange", { label: "Sort sheet A to Z", run: () => do_.sort(false, true) }), !rows && may("sortRange", { label: "Sort sheet Z to A", run: () => do_.sort(true, true) })];
}

export function tabMenu(gid, rename) {
  const at = model.tabs.findIndex((tab) => tab.gid === gid), alone = model.tabs.filter((tab) => !tab.hidden).length === 1;
  const move = (by) => do_.sheetProperties({ index: at + by + (by > 0 ? 1 : 0) }, "index", gid);
  return [may("deleteSheet", { label: "Delete", off: alone, run: () => do_.deleteSheet(gid) }), may("duplicateSheet", { label: "Duplicate", run: () => do_.duplicateSheet(gid) }), model.canEdit && { label: "Rename", run: rename },
    model.canEdit && { label: "Change color", items: () => hueItems((hex) => do_.sheetProperties(hex ? { tabColor: do_.rgb(hex), tabColorStyle: { rgbColor: do_.rgb(hex) } } : {}, "tabColor,tabColorStyle", gid)), wide: "swatches" }, null,
    model.canEdit && { label: "Hide sheet", off: alone, run: () => do_.sheetProperties({ hidden: true }, "hidden", gid) }, null, model.canEdit && { label: "Move right", off: at === model.tabs.length - 1, run: () => move(1) }, model.canEdit && { label: "Move left", off: at === 0, run: () => move(-1) }];
}
export { edit, enter, problem };
