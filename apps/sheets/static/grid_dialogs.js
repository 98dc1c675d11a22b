// Dialogs of the sheet: find and replace, notes, names, validation, conditional formats, sizes, links, filters, charts.
import { asRange, cellAt, grid as gridRange, inside, letters, model, parseRange, rangeName } from "./grid_model.js";
import { make } from "./grid_view.js";
import { range, sel, selectRange } from "./grid_select.js";
import { begin, enter } from "./grid_edit.js";
import { addressOf, page, part, send } from "./grid_send.js";
import { can, change, dimension, fit, format, lines, number, rgb, style } from "./grid_tools.js";
import { dialog } from "./grid_popup.js";

export function findReplace() {
  const scope = (values) => ({ all: { allSheets: true }, sheet: { sheetId: model.gid }, range: { range: gridRange(range()) } })[values.scope];
  let at = null;
  const find = async (values, said) => {
    if (!values.find) return "Type what to find.";
    const found = await part("find", { q: values.find, case: values.matchCase ? "1" : "", whole: values.whole ? "1" : "", row: at?.row ?? sel.row, column: at?.column ?? sel.column - (at ? 0 : 1) });
    if (!found?.found) return `There are no entries matching ${values.find}.`;
    at = found;
    selectRange({ top: found.row, left: found.column, bottom: found.row + 1, right: found.column + 1 });
    said.textContent = `Found in ${letters(found.column)}${found.row + 1}`;
    return said.textContent;
  };
  const replace = async (values) => {
    if (!values.find) return "Type what to find.";
    const answer = await change([{ findReplace: { find: values.find, replacement: values.replacement, matchCase: values.matchCase, matchEntireCell: values.whole, searchByRegex: values.regex, includeFormulas: values.formulas, ...scope(values) } }]);
    if (!answer) return "Nothing was replaced.";
    const count = answer.replies[0].findReplace?.occurrencesChanged || 0;
    return count ? `Replaced ${count} instance${count === 1 ? "" : "s"} of ${values.find} with ${values.replacement}` : `There are no entries matching ${values.find}.`;
  };
  const fields = [{ name: "find", label: "Find" }, { name: "replacement", label: "Replace with" }, { name: "scope", label: "Search", options: [["all", "All sheets"], ["sheet", "This sheet"], ["range", "Specific range"]], value: "sheet" },
    { name: "matchCase", label: "Match case", kind: "check" }, { name: "whole", label: "Match entire cell contents", kind: "check" }, { name: "regex", label: "Search using regular expressions", kind: "check" }, { name: "formulas", label: "Also search within formulas", kind: "check" }];
  dialog("Find and replace", model.canEdit ? fields : fields.filter((field) => !["replacement", "regex", "formulas"].includes(field.name)), [
    { label: "Find", run: find, stay: true, main: true }, model.canEdit && { label: "Replace all", run: replace, stay: true }, { label: "Done" }].filter(Boolean), { cancel: false });
}

export function note() {
  const text = cellAt(sel.row, sel.column)?.n || "";
  const one = { top: sel.row, left: sel.column, bottom: sel.row + 1, right: sel.column + 1 };
  const save = (value) => { change([{ updateCells: { range: gridRange(one), rows: [{ values: [value ? { note: value } : {}] }], fields: "note" } }]); };
  dialog("Note", [{ name: "note", label: `Note on ${rangeName(one)}`, kind: "long", value: text }], [text && { label: "Delete note", run: () => save("") }, { label: "Save", main: true, run: (values) => save(values.note) }].filter(Boolean));
}

export function namedRange() {
  dialog("Named range", [{ name: "name", label: "Name", value: "NamedRange1" }, { name: "range", label: "Range", value: rangeName(range()) }], [{ label: "Done", main: true, run: (values) => {
    const area = parseRange(values.range);
    if (!area) return "Enter a valid range.";
    if (!/^[A-Za-z_][\w.]*$/.test(values.name)) return "A name has letters, numbers and underscores, and does not begin with a number.";
    change([{ addNamedRange: { namedRange: { name: values.name, range: gridRange(area) } } }]);
    return "";
  } }]);
}
export function showNames() {
  const go = (one) => (one.gid === model.gid ? selectRange(asRange(one.area)) : location.assign(addressOf(one.gid)));
  if (!model.names.length) return [{ label: "No named ranges", off: true }];
  return model.names.map((one) => ({ label: one.name, items: () => [{ label: `Go to ${one.name}`, run: () => go(one) }, model.canEdit && can("deleteNamedRange") && { label: "Remove", run: () => change([{ deleteNamedRange: { namedRangeId: one.id } }]) }] }));
}

export function validation(kind) {
  const set = (rule) => change([{ setDataValidation: { range: gridRange(range()), ...(rule ? { rule } : {}) } }]);
  if (kind === "BOOLEAN") { set({ condition: { type: "BOOLEAN" }, strict: true, showCustomUi: true }); return; }
  const old = cellAt(sel.row, sel.column)?.v;
  dialog("Data validation", [{ name: "range", label: "Apply to range", value: rangeName(range()) }, { name: "kind", label: "Criteria", options: [["ONE_OF_LIST", "Dropdown"], ["ONE_OF_RANGE", "Dropdown (from a range)"], ["BOOLEAN", "Checkbox"], ["NUMBER_BETWEEN", "Number between (a, b)"], ["DATE_IS_VALID", "Is valid date"], ["TEXT_IS_EMAIL", "Text is valid email"]], value: kind },
    { name: "values", label: "Items, separated by commas", value: old?.list?.join(", ") || "" }, { name: "strict", label: "Reject input that is not valid", kind: "check", value: true }, { name: "help", label: "Help text" }],
  [old && { label: "Remove rule", run: () => { set(null); } }, { label: "Done", main: true, run: (values) => {
    const area = parseRange(values.range);
    if (!area) return "Enter a valid range.";
    const items = values.values.split(",").map((item) => item.trim()).filter(Boolean);
    if (["ONE_OF_LIST", "ONE_OF_RANGE", "NUMBER_BETWEEN"].includes(values.kind) && !items.length) return "Enter at least one item.";
    const written = values.kind === "ONE_OF_RANGE" ? items.slice(0, 1).map((item) => (item.startsWith("=") ? item : `=${item}`)) : items;
    const condition = { type: values.kind, ...(["ONE_OF_LIST", "ONE_OF_RANGE", "NUMBER_BETWEEN"].includes(values.kind) ? { values: written.map((item) => ({ userEnteredValue: item })) } : {}) };
    change([{ setDataValidation: { range: gridRange(area), rule: { condition, strict: values.strict, showCustomUi: true, ...(values.help ? { inputMessage: values.help } : {}) } } }]);
    return "";
  } }].filter(Boolean));
}

export const CONDITIONS = [["BLANK", "Cell is empty"], ["NOT_BLANK", "Cell is not empty"], ["TEXT_CONTAINS", "Text contains"], ["TEXT_NOT_CONTAINS", "Text does not contain"], ["TEXT_STARTS_WITH", "Text starts with"], ["TEXT_ENDS_WITH", "Text ends with"], ["TEXT_EQ", "Text is exactly"],
  ["DATE_EQ", "Date is"], ["DATE_BEFORE", "Date is before"], ["DATE_AFTER", "Date is after"], ["NUMBER_GREATER", "Greater than"], ["NUMBER_GREATER_THAN_EQ", "Greater than or equal to"], ["NUMBER_LESS", "Less than"], ["NUMBER_LESS_THAN_EQ", "Less than or equal to"],
  ["NUMBER_EQ", "Is equal to"], ["NUMBER_NOT_EQ", "Is not equal to"], ["NUMBER_BETWEEN", "Is between (a, b)"], ["NUMBER_NOT_BETWEEN", "Is not between (a, b)"], ["CUSTOM_FORMULA", "Custom formula is"]];
export const conditionOf = (values) => {
  const given = /BETWEEN/.test(values.kind) ? values.value.split(",").map((one) => one.trim()) : [values.value];
  return { type: values.kind, ...(/BLANK/.test(values.kind) ? {} : { values: given.map((one) => ({ userEnteredValue: one })) }) };
};
function ruled({ ranges = [], booleanRule }, index) {
  const kind = booleanRule?.condition?.type, values = (booleanRule?.condition?.values || []).map((one) => one.userEnteredValue).join(", ");
  const where = ranges.map((one) => rangeName({ top: one.startRowIndex ?? 0, left: one.startColumnIndex ?? 0, bottom: one.endRowIndex ?? model.sheet.rows, right: one.endColumnIndex ?? model.sheet.columns })).join(", ");
  const label = booleanRule ? `${CONDITIONS.find(([name]) => name === kind)?.[1] || "Custom rule"} ${values}`.trim() : "Color scale";
  return { label, more: where, remove: can("deleteConditionalFormatRule") && (() => change([{ deleteConditionalFormatRule: { index, sheetId: model.gid } }])) };
}
export function conditional() {
  const count = model.sheet.rules.length;
  dialog("Conditional format rules", [{ name: "range", label: "Apply to range", value: rangeName(range()) }, { name: "kind", label: "Format cells if", options: CONDITIONS, value: "NUMBER_GREATER" }, { name: "value", label: "Value or formula" },
    { name: "paper", label: "Fill color", options: [["#b7e1cd", "Green"], ["#f4c7c3", "Red"], ["#fce8b2", "Yellow"], ["#c9daf8", "Blue"]], value: "#b7e1cd" }, { name: "bold", label: "Bold", kind: "check" }],
  [count > 0 && can("deleteConditionalFormatRule") && { label: "Remove all rules", run: () => { change(Array.from({ length: count }, () => ({ deleteConditionalFormatRule: { index: 0, sheetId: model.gid } }))); } }, { label: "Done", main: true, run: (values) => {
    const area = parseRange(values.range);
    if (!area) return "Enter a valid range.";
    if (!/BLANK/.test(values.kind) && !values.value) return "Enter a value.";
    const looks = { backgroundColor: rgb(values.paper), backgroundColorStyle: { rgbColor: rgb(values.paper) }, ...(values.bold ? { textFormat: { bold: true } } : {}) };
    change([{ addConditionalFormatRule: { rule: { ranges: [gridRange(area)], booleanRule: { condition: conditionOf(values), format: looks } }, index: count } }]);
    return "";
  } }].filter(Boolean), { side: true, rows: model.sheet.rules.map(ruled) });
}

export function customNumber() {
  dialog("Custom number formats", [{ name: "pattern", label: "Format", value: style().nf?.[1] || "" }], [{ label: "Apply", main: true, run: (values) => { if (!values.pattern) return "Enter a format."; number("NUMBER", values.pattern); return ""; } }]);
}
export function resizeLines(axis) {
  const [from, to] = lines(axis), rows = axis === "ROWS", axisOf = rows ? model.rows : model.columns;
  dialog(`Resize ${rows ? "row" : "column"}${to - from > 1 ? "s" : ""}`, [{ name: "size", label: `New ${rows ? "row height" : "column width"} in pixels`, value: String(axisOf.size(from)) }], [{ label: "Fit to data", run: () => { fit(axis, from, to); } }, { label: "OK", main: true, run: (values) => {
    const pixels = Number(values.size);
    if (!Number.isInteger(pixels) || pixels < 2 || pixels > 2000) return "Enter a whole number from 2 to 2000.";
    change([{ updateDimensionProperties: { range: dimension(axis, from, to), properties: { pixelSize: pixels }, fields: "pixelSize" } }]);
    return "";
  } }]);
}
export function hyperlink() {
  const cell = cellAt(sel.row, sel.column);
  dialog("Insert link", [{ name: "text", label: "Text", value: cell?.text || "" }, { name: "url", label: "Link" }], [{ label: "Apply", main: true, run: (values) => {
    if (!/^https?:\/\//.test(values.url)) return "Enter an address that begins with http.";
    enter([[sel.row, sel.column, `=HYPERLINK("${values.url.replaceAll('"', '""')}","${(values.text || values.url).replaceAll('"', '""')}")`]]);
    return "";
  } }]);
}
export function protect() {
  dialog("Protected range", [{ name: "range", label: "Range", value: rangeName(range()) }, { name: "description", label: "Description" }], [{ label: "Only you can edit this range", main: true, run: (values) => {
    const area = parseRange(values.range);
    if (!area) return "Enter a valid range.";
    change([{ addProtectedRange: { protectedRange: { range: gridRange(area), ...(values.description ? { description: values.description } : {}) } } }]);
    return "";
  } }], { side: true, rows: model.sheet.protections.map(({ id, area, description }) => ({ label: description || (area ? rangeName(asRange(area)) : model.sheet.title), more: area ? rangeName(asRange(area)) : "The whole sheet", remove: can("deleteProtectedRange") && (() => change([{ deleteProtectedRange: { protectedRangeId: id } }])) })) });
}
const LOCALES = "en_US en_GB en_IE en_CA en_AU en_NZ en_IN de_DE de_AT de_CH fr_FR fr_BE fr_CA fr_CH es_ES es_MX es_AR it_IT pt_BR pt_PT nl_NL nl_BE pl_PL sv_SE da_DK nb_NO fi_FI cs_CZ sk_SK hu_HU ro_RO el_GR tr_TR ru_RU uk_UA ja_JP ko_KR zh_CN zh_TW id_ID".split(" ");
function localeNames() {
  const [regions, languages] = ["region", "language"].map((type) => new Intl.DisplayNames("en", { type }));
  const twice = (region) => LOCALES.filter((code) => code.endsWith(region)).length > 1;
  const named = LOCALES.map((code) => code.split("_")).map(([language, region]) => [`${language}_${region}`, regions.of(region) + (twice(region) ? ` (${languages.of(language)})` : "")]);
  return named.sort((one, other) => one[1].localeCompare(other[1], "en"));
}
export function settings() {
  const zones = ["America/Los_Angeles", "America/New_York", "Asia/Kolkata", "Asia/Singapore", "Asia/Tokyo", "Australia/Sydney", "Etc/GMT", "Europe/Berlin", "Europe/London"];
  dialog("Settings for this spreadsheet", [{ name: "locale", label: "Locale", options: localeNames(), value: model.locale }, { name: "timeZone", label: "Time zone", options: [["", "As it is"], ...zones.map((zone) => [zone, zone])] }],
    [{ label: "Save and reload", main: true, run: async (values) => {
      const given = { locale: values.locale, ...(values.timeZone ? { timeZone: values.timeZone } : {}) };
      if (await send("web.change", { requests: [{ updateSpreadsheetProperties: { properties: given, fields: Object.keys(given).join(",") } }] })) location.reload();
      return "";
    } }]);
}
export async function functionList() {
  const found = (await part("functions")) || [];
  const box = dialog("Function list", [{ name: "q", label: "Filter" }], [{ label: "Done", main: true }]);
  const list = make("ul", "fn-all", { "aria-label": "Functions", tabindex: "0" });
  const draw = (q) => list.replaceChildren(...found.filter(([name]) => name.includes(q.toUpperCase())).map(([name, sign, help]) => { const item = make("li"); item.append(make("b", "", {}, sign || name), ` ${help}`); return item; }));
  draw("");
  box.querySelector("input").addEventListener("input", (event) => draw(event.target.value));
  box.querySelector(".dialog-said").before(list);
}

export function chart() {
  const area = range();
  dialog("Chart", [{ name: "type", label: "Chart type", options: [["COLUMN", "Column chart"], ["BAR", "Bar chart"], ["LINE", "Line chart"], ["AREA", "Area chart"], ["PIE", "Pie chart"]] }, { name: "title", label: "Chart title" }, { name: "range", label: "Data range", value: rangeName(area) }], [{ label: "Insert", main: true, run: (values) => {
    const data = parseRange(values.range);
    if (!data || data.right - data.left < 2) return "Choose at least two columns: names, then numbers.";
    const numeric = Array.from({ length: data.right - data.left - 1 }, (_, index) => data.left + 1 + index).filter((column) => cellAt(data.top + 1, column)?.kind === "n");
    if (!numeric.length) return "None of these columns has numbers.";
    const source = (column) => ({ sourceRange: { sources: [gridRange({ ...data, left: column, right: column + 1 })] } });
    const spec = values.type === "PIE" ? { pieChart: { legendPosition: "RIGHT_LEGEND", domain: source(data.left), series: source(numeric[0]) } }
      : { basicChart: { chartType: values.type, legendPosition: "BOTTOM_LEGEND", headerCount: 1, domains: [{ domain: source(data.left) }], series: numeric.map((column) => ({ series: source(column), targetAxis: values.type === "BAR" ? "BOTTOM_AXIS" : "LEFT_AXIS" })) } };
    change([{ addChart: { chart: { spec: { title: values.title, ...spec }, position: { overlayPosition: { anchorCell: { sheetId: model.gid, rowIndex: Math.min(data.bottom + 1, model.sheet.rows - 1), columnIndex: data.left }, widthPixels: 480, heightPixels: 300 } } } } }]);
    return "";
  } }]);
}

export { begin, format, inside, page };
