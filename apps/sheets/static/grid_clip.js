// The clipboard: cells go out as tab-separated text and come back as copies with their references shifted, or as text from elsewhere.
import { cellAt, grid as gridRange, inside, model } from "./grid_model.js";
import { hooks, make, over, stand } from "./grid_view.js";
import { range, sel, selectRange } from "./grid_select.js";
import { edit, editor, enter } from "./grid_edit.js";
import { problem, send } from "./grid_send.js";

const KEPT = "sheets-copied";
const ants = make("div", "ants");
ants.hidden = true;
over.append(ants);
let copied = read();

function read() {
  const text = sessionStorage.getItem(KEPT);
  return text ? JSON.parse(text) : null;
}

function keep(value) {
  copied = value;
  if (value) sessionStorage.setItem(KEPT, JSON.stringify(value)); else sessionStorage.removeItem(KEPT);
  showAnts();
}

export function showAnts() {
  ants.hidden = !copied || copied.key !== model.key || copied.gid !== model.gid;
  if (!ants.hidden) stand(ants, copied.range);
}
hooks.drawn.push(showAnts);
export function forget() { const had = !ants.hidden; keep(null); return had; }

function quoted(text) { return /[\t\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text; }

function textOf(one) {
  const lines = [];
  for (let row = one.top; row < Math.min(one.bottom, one.top + 20000); row += 1) {
    if (model.rows.size(row) === 0) continue;
    const line = [];
    for (let column = one.left; column < one.right; column += 1) line.push(quoted(cellAt(row, column)?.text || ""));
    lines.push(line.join("\t"));
  }
  while (lines.length > 1 && one.bottom === model.sheet.rows && !lines[lines.length - 1].trim()) lines.pop();
  return lines.join("\n");
}

function tableOf(text) {
  const table = make("table");
  for (const line of text.split("\n")) {
    const row = make("tr");
    for (const cell of line.split("\t")) row.append(make("td", "", {}, cell));
    table.append(row);
  }
  return table.outerHTML;
}

function copy(event, cut) {
  if (edit.on || document.activeElement !== editor) return;
  event.preventDefault();
  editor.value = "";
  const one = range(), text = textOf(one);
  event.clipboardData?.setData("text/plain", text);
  event.clipboardData?.setData("text/html", tableOf(text));
  keep({ key: model.key, gid: model.gid, range: one, cut: cut && model.canEdit, text });
}

// Chromium tells of Ctrl+C in a field only if something is selected there.
export function prepare() {
  editor.value = " ";
  editor.select();
}

document.addEventListener("copy", (event) => copy(event, false));
document.addEventListener("cut", (event) => copy(event, true));
document.addEventListener("paste", (event) => {
  if (edit.on || document.activeElement !== editor) return;
  event.preventDefault();
  const { clipboardData } = event;
  paste(clipboardData?.getData("text/plain") || lined(clipboardData?.getData("text/html") ?? ""), "PASTE_NORMAL");
});

// The cells of a table that came without plain text.
function lined(html) {
  const rows = [...new DOMParser().parseFromString(html, "text/html").querySelectorAll("tr")];
  return rows.map((row) => [...row.cells].map((one) => one.textContent.trim().replace(/\s+/g, " ")).join("\t")).join("\n");
}

export function paste(text, type) {
  if (!model.canEdit) return;
  if (copied && copied.key === model.key && (text === copied.text || text.replaceAll("\r\n", "\n") === copied.text)) pasteOwn(type);
  else if (text) pasteText(text);
}

// As often as the copied range fits into the selection, at least once.
function target(high, wide) {
  const one = range();
  const tall = one.bottom - one.top, broad = one.right - one.left;
  const fits = tall % high === 0 && broad % wide === 0;
  return { top: one.top, left: one.left, bottom: one.top + (fits ? tall : high), right: one.left + (fits ? broad : wide) };
}

function pasteOwn(type) {
  const { range: from, gid, cut } = copied;
  const source = { ...gridRange(from), sheetId: gid };
  const high = from.bottom - from.top, wide = from.right - from.left;
  const to = cut ? { top: sel.row, left: sel.column, bottom: sel.row + high, right: sel.column + wide } : target(high, wide);
  const request = cut
    ? { cutPaste: { source, destination: { sheetId: model.gid, rowIndex: sel.row, columnIndex: sel.column }, pasteType: type } }
    : { copyPaste: { source, destination: gridRange({ ...to, bottom: Math.min(to.bottom, model.sheet.rows), right: Math.min(to.right, model.sheet.columns) }), pasteType: type } };
  if (cut) keep(null);
  send("web.paste", { requests: [request] }).then((answer) => { if (answer) selectRange({ ...to, bottom: Math.min(to.bottom, model.sheet.rows), right: Math.min(to.right, model.sheet.columns) }, { show: false }); });
}

function pasteText(text) {
  const one = range();
  const data = text.replaceAll("\r\n", "\n").replace(/\n$/, "");
  if (!/[\t\n]/.test(data) && (one.bottom - one.top) * (one.right - one.left) > 1 && (one.bottom - one.top) * (one.right - one.left) <= 5000) {
    const cells = [];
    for (let row = one.top; row < one.bottom; row += 1) for (let column = one.left; column < one.right; column += 1) cells.push([row, column, data]);
    enter(cells);
    return;
  }
  const coordinate = { sheetId: model.gid, rowIndex: sel.row, columnIndex: sel.column };
  const lines = data.split("\n");
  send("web.paste", { requests: [{ pasteData: { coordinate, data, delimiter: "\t", type: "PASTE_NORMAL" } }] }).then((answer) => {
    if (answer) selectRange({ top: sel.row, left: sel.column, bottom: Math.min(sel.row + lines.length, model.sheet.rows), right: Math.min(sel.column + Math.max(...lines.map((line) => line.split("\t").length)), model.sheet.columns) }, { show: false });
  });
}

// From a menu: the page may ask the browser for the clipboard, which may say no.
export async function fromMenu(what, type = "PASTE_NORMAL") {
  editor.focus({ preventScroll: true });
  if (what !== "paste") { prepare(); document.execCommand(what); editor.value = ""; return; }
  if (copied && copied.key === model.key) { pasteOwn(type); return; }
  const text = await navigator.clipboard?.readText().catch(() => null);
  if (text) pasteText(text);
  else problem("To paste from outside, use Ctrl+V.");
}
export { inside };
