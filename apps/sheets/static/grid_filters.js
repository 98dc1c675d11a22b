// Filters: the panel of a filtered column, filter views that only change what one person sees, and slicers that lie on the sheet.
import { asRange, cellAt, grid as gridRange, letters, model, parseRange, rangeName } from "./grid_model.js";
import { grid, make } from "./grid_view.js";
import { range } from "./grid_select.js";
import { focusGrid } from "./grid_edit.js";
import { after, page, part, refetch, tell } from "./grid_send.js";
import { block, change } from "./grid_tools.js";
import { dialog, menu } from "./grid_popup.js";
import { CONDITIONS, conditionOf } from "./grid_dialogs.js";

export function criteriaOf(spec) {
  return { ...spec.criteria, ...Object.fromEntries((spec.filterSpecs || []).map((one) => [one.columnIndex || 0, one.filterCriteria])) };
}

// the panel of a column

let panel = null;
export function closePanel() {
  panel?.remove();
  panel = null;
}
document.addEventListener("pointerdown", (event) => { if (panel && !panel.contains(event.target)) closePanel(); }, true);

function section(title, open, ...inner) {
  const box = make("details", "filter-part");
  box.open = open;
  box.append(make("summary", "", {}, title), ...inner);
  return box;
}

function conditionPart(own) {
  const kind = make("select", "", { "aria-label": "Filter by condition" }), value = make("input", "", { "aria-label": "Value or formula", placeholder: "Value or formula", autocomplete: "off" });
  for (const [name, text] of [["", "None"], ...CONDITIONS]) kind.append(make("option", "", { value: name }, text));
  kind.value = own.condition?.type || "";
  value.value = own.condition?.values?.map((one) => one.userEnteredValue).join(", ") || "";
  const fit = () => { value.hidden = !kind.value || /BLANK/.test(kind.value); };
  kind.addEventListener("change", fit);
  fit();
  return { box: section("Filter by condition", Boolean(kind.value), kind, value), read: () => (kind.value ? conditionOf({ kind: kind.value, value: value.value }) : null) };
}

function valuesPart(own, texts) {
  const off = new Set(own.hiddenValues || []), list = make("div", "filter-values", { role: "group", "aria-label": "Filter by values" });
  const search = make("input", "", { type: "search", "aria-label": "Search values", placeholder: "Search", autocomplete: "off" });
  const seen = make("span", "filter-seen"), tell_ = () => { seen.textContent = `Displaying ${list.querySelectorAll("input:checked").length}`; };
  for (const text of texts) {
    const row = make("label"), input = make("input", "", { type: "checkbox", value: text });
    input.checked = !off.has(text);
    row.append(input, text || "(Blanks)");
    list.append(row);
  }
  const both = make("div", "filter-both");
  for (const [label, on] of [[`Select all ${texts.length}`, true], ["Clear", false]]) {
    const button = make("button", "link-button", { type: "button" }, label);
    button.addEventListener("click", () => { list.querySelectorAll("label:not([hidden]) input").forEach((input) => { input.checked = on; }); tell_(); });
    both.append(button);
  }
  both.append(seen);
  search.addEventListener("input", () => { for (const row of list.children) row.hidden = !row.textContent.toLowerCase().includes(search.value.toLowerCase()); });
  list.addEventListener("change", tell_);
  tell_();
  const known = new Set(texts);
  return { box: section("Filter by values", true, both, search, list), read: () => [...[...off].filter((text) => !known.has(text)), ...[...list.querySelectorAll("input:not(:checked)")].map((input) => input.value)] };
}

// `at` is what it hangs on; `apply` gets the criteria of the column, or null; `sort` an order, where it can be sorted.
export async function openPanel(at, { column, area: [top, , bottom], own, apply, sort, title }) {
  closePanel();
  const found = (await part("summary", { top: top + 1, left: column, bottom, right: column + 1 })) || { texts: [] };
  const box = make("div", "filter-panel", { role: "dialog", "aria-label": title });
  const condition = conditionPart(own), values = valuesPart(own, found.texts);
  if (sort) for (const [label, order] of [["Sort A to Z", "ASCENDING"], ["Sort Z to A", "DESCENDING"]]) {
    const button = make("button", "filter-sort", { type: "button" }, label);
    button.addEventListener("click", () => { closePanel(); sort(order); focusGrid(); });
    box.append(button);
  }
  const foot = make("div", "dialog-foot"), ok = make("button", "button button-primary", { type: "button" }, "OK"), cancel = make("button", "button", { type: "button" }, "Cancel");
  ok.addEventListener("click", () => {
    const hidden = values.read(), asked = condition.read(), given = { ...(hidden.length ? { hiddenValues: hidden } : {}), ...(asked ? { condition: asked } : {}) };
    closePanel();
    apply(Object.keys(given).length ? given : null);
    focusGrid();
  });
  cancel.addEventListener("click", () => { closePanel(); focusGrid(); });
  foot.append(cancel, ok);
  box.append(condition.box, values.box, foot);
  box.addEventListener("keydown", (event) => { event.stopPropagation(); if (event.key === "Escape") cancel.click(); if (event.key === "Enter" && event.target.matches("input")) { event.preventDefault(); ok.click(); } });
  document.body.append(box);
  const place = at.getBoundingClientRect(), { height } = box.getBoundingClientRect();
  Object.assign(box.style, { left: `${Math.max(4, Math.min(place.left, innerWidth - 280))}px`, top: `${Math.max(4, Math.min(place.bottom + 2, innerHeight - height - 4))}px` });
  panel = box;
  box.querySelector("summary").focus();
}

function withColumn(criteria, column, given) {
  const next = { ...criteria };
  if (given) next[column] = given; else delete next[column];
  return next;
}

// The button of a column in the sheet's filter, or in that of the view somebody looks through.
export function filterList(column, at) {
  const { area, spec } = model.sheet.filter[0], criteria = criteriaOf(spec), own = criteria[column] || {};
  const title = `Filter column ${letters(column)}`;
  if (model.sheet.view) {
    openPanel(at, { column, area, own, title, apply: (given) => update({ criteria: withColumn(criteria, column, given) }, "criteria") });
    return;
  }
  const set = (given, more = {}) => change([{ setBasicFilter: { filter: { range: gridRange(asRange(area)), criteria: given, ...more } } }]);
  openPanel(at, { column, area, own, title, apply: (given) => set(withColumn(criteria, column, given)), sort: (order) => set(criteria, { sortSpecs: [{ dimensionIndex: column, sortOrder: order }] }) });
}
// Rows are hidden anew: what was typed since the filter was set counts from now on.
export function reapply() {
  const { area, spec } = model.sheet.filter[0];
  return change([{ setBasicFilter: { filter: { range: gridRange(asRange(area)), criteria: criteriaOf(spec) } } }]);
}

// filter views

const bar = make("div", "view-bar", { role: "region", "aria-label": "Filter view" });
bar.hidden = true;
const name = make("input", "", { "aria-label": "Filter view name", autocomplete: "off" }), where = make("input", "", { "aria-label": "Filter view range", autocomplete: "off" });
const options = make("button", "view-button", { type: "button", "aria-label": "Filter view options", "aria-haspopup": "menu" }, "⚙"), leave = make("button", "view-button", { type: "button", "aria-label": "Close filter view" }, "×");
bar.append(make("span", "", {}, "Name:"), name, make("span", "", {}, "Range:"), where, options, leave);
page.querySelector(".grid-side").before(bar);
const now = () => model.sheet.views.find((one) => one.id === model.sheet.view);

function update(given, fields) { return change([{ updateFilterView: { filter: { filterViewId: model.sheet.view, ...given }, fields } }]); }

export async function lookThrough(id) {
  model.view = id;
  const address = new URL(location.href);
  if (id) address.searchParams.set("fvid", id); else address.searchParams.delete("fvid");
  history.replaceState(history.state, "", address);
  await refetch();
  focusGrid();
}

function drawViews() {
  const used = now();
  if (!used) model.view = null;
  bar.hidden = !used;
  page.classList.toggle("in-view", Boolean(used));
  for (const input of [name, where]) input.readOnly = !model.canEdit;
  options.hidden = !model.canEdit;
  if (!used) return;
  if (document.activeElement !== name) name.value = used.title;
  if (document.activeElement !== where) where.value = rangeName(asRange(used.area));
}
name.addEventListener("change", () => { if (name.value.trim()) update({ title: name.value.trim() }, "title"); });
where.addEventListener("change", () => {
  const area = parseRange(where.value);
  if (area) update({ range: gridRange(area) }, "range"); else { tell("Enter a valid range."); where.value = rangeName(asRange(now().area)); }
});
bar.addEventListener("keydown", (event) => { if (event.key === "Enter" && event.target.matches("input")) { event.preventDefault(); event.target.blur(); focusGrid(); } if (event.key === "Escape") focusGrid(); });
leave.addEventListener("click", () => lookThrough(null));
const optionItems = () => [{ label: "Rename", run: () => name.select() }, { label: "Update range", run: () => where.select() },
  { label: "Duplicate", run: () => change([{ duplicateFilterView: { filterId: model.sheet.view } }], (answer) => lookThrough(answer.replies[0].duplicateFilterView.filter.filterViewId)) },
  { label: "Delete", run: () => change([{ deleteFilterView: { filterId: model.sheet.view } }], () => lookThrough(null)) }];
options.addEventListener("click", () => { const at = options.getBoundingClientRect(); menu(optionItems(), { x: at.left, y: at.bottom + 2 }, { label: "Filter view options" }); });

function create(given) { return change([{ addFilterView: { filter: given } }], (answer) => lookThrough(answer.replies[0].addFilterView.filter.filterViewId)); }
const filled = () => { const one = range(); return one.bottom - one.top > 1 || one.right - one.left > 1 ? one : block(); };
export function viewItems() {
  const { filter, view, views } = model.sheet, own = model.canEdit;
  return [own && { label: "Create new filter view", run: () => create({ range: gridRange(filled()) }) },
    own && !view && filter.length > 0 && { label: "Save as filter view", run: () => create({ range: gridRange(asRange(filter[0].area)), criteria: criteriaOf(filter[0].spec) }) }, null,
    { label: "None", on: !view, run: () => lookThrough(null) }, ...views.map((one) => ({ label: one.title, on: one.id === view, run: () => lookThrough(one.id) })), null,
    own && { label: "Filter view options", off: !view, items: () => (view ? optionItems() : []) }];
}

// slicers

const layer = make("div", "charts");
grid.firstElementChild.append(layer);
let shown = "";
const slicerOf = (id) => model.sheet.slicers.find((one) => one.id === Number(id));
const titleOf = (one) => one.named || (one.column < 0 ? one.title : cellAt(one.area[0], one.column)?.text || one.title);
function stateOf({ criteria }) {
  return criteria.condition ? CONDITIONS.find(([kind]) => kind === criteria.condition.type)?.[1] || "Filtered" : criteria.hiddenValues?.length ? `All but ${criteria.hiddenValues.length}` : "All";
}
export function drawSlicers() {
  const key = JSON.stringify(model.sheet.slicers.map((one) => [one, titleOf(one)])) + model.rows.total + model.columns.total;
  if (key === shown) return;
  shown = key;
  layer.replaceChildren(...model.sheet.slicers.map((one) => {
    const { rowIndex = 0, columnIndex = 0 } = one.place.anchorCell || {}, title = titleOf(one);
    const box = make("div", "slicer", { role: "group", "aria-label": `Slicer ${title}`, "data-slicer": one.id });
    Object.assign(box.style, { left: `${46 + model.columns.start(columnIndex) + (one.place.offsetXPixels || 0)}px`, top: `${24 + model.rows.start(rowIndex) + (one.place.offsetYPixels || 0)}px` });
    const open = make("button", "slicer-open", { type: "button", "aria-haspopup": "dialog", tabindex: "-1", title: `${title}: ${stateOf(one)}` });
    open.append(make("b", "", {}, title), make("span", "", {}, stateOf(one)));
    box.append(open);
    if (model.canEdit) box.append(make("button", "slicer-menu", { type: "button", "aria-label": `Slicer options ${title}`, "aria-haspopup": "menu", tabindex: "-1" }, "⋮"));
    return box;
  }));
}
layer.addEventListener("click", (event) => {
  const box = event.target.closest(".slicer"), one = box && slicerOf(box.dataset.slicer);
  if (!one || !model.canEdit) return;
  if (event.target.closest(".slicer-menu")) {
    const at = event.target.getBoundingClientRect();
    menu([{ label: "Edit slicer", run: () => editSlicer(one) }, { label: "Delete slicer", run: () => change([{ deleteEmbeddedObject: { objectId: one.id } }]) }], { x: at.left, y: at.bottom }, { label: "Slicer" });
  } else if (box.dataset.moved) delete box.dataset.moved;
  else if (one.column < 0) editSlicer(one);
  else openPanel(box, { column: one.column, area: one.area, own: one.criteria, title: `Slicer ${titleOf(one)}`, apply: (given) => change([{ updateSlicerSpec: { slicerId: one.id, spec: { filterCriteria: given || {} }, fields: "filterCriteria" } }]) });
});

export function editSlicer(one) {
  const [top, left, , right] = one.area;
  const columns = Array.from({ length: right - left }, (_, at) => [String(at), cellAt(top, left + at)?.text || `Column ${letters(left + at)}`]);
  dialog("Slicer", [{ name: "range", label: "Data range", value: rangeName(asRange(one.area)) }, { name: "column", label: "Column", options: columns, value: String(Math.max(0, one.column - left)) }, { name: "title", label: "Title", value: one.named }], [{ label: "Done", main: true, run: (values) => {
    const area = parseRange(values.range), column = Number(values.column);
    if (!area || column >= area.right - area.left) return "Enter a valid range.";
    const same = column === one.column - left;
    change([{ updateSlicerSpec: { slicerId: one.id, spec: { dataRange: gridRange(area), columnIndex: column, title: values.title, filterCriteria: same ? one.criteria : {} }, fields: "dataRange,columnIndex,title,filterCriteria" } }]);
    return "";
  } }], { side: true });
}
export function addSlicer() {
  const area = filled(), overlayPosition = { anchorCell: { sheetId: model.gid, rowIndex: Math.min(model.rows.at(grid.scrollTop + model.rows.still) + 1, model.sheet.rows - 1), columnIndex: Math.min(area.right, model.sheet.columns - 1) }, widthPixels: 200, heightPixels: 40 };
  return change([{ addSlicer: { slicer: { spec: { dataRange: gridRange(area) }, position: { overlayPosition } } } }], (answer) => editSlicer(slicerOf(answer.replies[0].addSlicer.slicer.slicerId)));
}

after.push(drawViews);
export { drawViews };
