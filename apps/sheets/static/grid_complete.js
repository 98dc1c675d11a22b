// Help while a formula is typed: functions that begin with the word, and the signature of the one the caret is in.
import { make } from "./grid_view.js";
import { part } from "./grid_send.js";

const box = make("div", "fn-help", { hidden: "" });
const list = make("ul", "fn-list", { role: "listbox", "aria-label": "Functions" });
const sign = make("div", "fn-sign", { role: "status", "aria-label": "Signature" });
box.append(list, sign);
document.body.append(box);
const COMMON = "SUM IF AVERAGE COUNT COUNTA COUNTIF COUNTIFS SUMIF SUMIFS VLOOKUP XLOOKUP INDEX MATCH FILTER SORT UNIQUE QUERY ARRAYFORMULA IFERROR IFS MAX MIN ROUND TEXT TODAY NOW DATE LEFT RIGHT MID LEN AND OR SPLIT JOIN CONCATENATE AVERAGEIF PRODUCT MEDIAN HLOOKUP IMPORTRANGE REGEXMATCH TRIM UPPER LOWER ISBLANK SUMPRODUCT".split(" ");
let functions = null, asked = false, chosen = -1, word = "";
let choose = () => {};

async function load() {
  asked = true;
  const rank = (name) => (COMMON.includes(name) ? COMMON.indexOf(name) : COMMON.length);
  functions = (await part("functions"))?.sort((one, other) => rank(one[0]) - rank(other[0])) || null;
  asked = functions !== null;
}

export function completing() { return !box.hidden && !list.hidden; }
export function hideHelp() { box.hidden = true; }

export function complete(field) {
  const text = field.value.slice(0, field.selectionStart);
  if (!text.startsWith("=")) { hideHelp(); return; }
  if (!functions) { if (!asked) load().then(() => { if (document.activeElement === field) complete(field); }); return; }
  const open = text.replace(/"[^"]*"?/g, (quoted) => "_".repeat(quoted.length));
  word = /(?:^=|[(,+\-*/^&<>=;{\s])([A-Za-z][A-Za-z0-9.]*)$/.exec(open)?.[1] || "";
  const upper = word.toUpperCase();
  const found = word ? functions.filter(([name]) => name.startsWith(upper)).slice(0, 10) : [];
  chosen = -1;
  list.replaceChildren(...found.map(([name, , help]) => {
    const item = make("li", "fn-item", { role: "option", "aria-selected": "false", "data-fn": name });
    item.append(make("b", "", {}, name), make("span", "", {}, help));
    return item;
  }));
  list.hidden = !found.length || (found.length === 1 && found[0][0] === upper);
  signature(open);
  box.hidden = list.hidden && sign.hidden;
  if (!box.hidden) stand(field);
}

// The innermost function whose bracket is open, and which argument the caret is at.
function signature(text) {
  const stack = [];
  for (const match of text.matchAll(/([A-Za-z][A-Za-z0-9.]*)?\(|\)|,/g)) {
    if (match[0] === ")") stack.pop();
    else if (match[0] === ",") { if (stack.length) stack[stack.length - 1].at += 1; } else stack.push({ name: (match[1] || "").toUpperCase(), at: 0 });
  }
  const inner = stack.reverse().find((one) => one.name);
  const found = inner && functions.find(([name]) => name === inner.name);
  sign.hidden = !found || !list.hidden;
  if (!found) return;
  const [name, written, help] = found;
  const parts = written.slice(written.indexOf("(") + 1, written.lastIndexOf(")")).split(/,\s*/);
  const line = make("div", "fn-line", {}, `${name}(`);
  parts.forEach((part_, index) => line.append(index ? ", " : "", make(index === Math.min(inner.at, parts.length - 1) ? "b" : "span", "", {}, part_)));
  line.append(")");
  sign.replaceChildren(line, make("p", "", {}, help));
}

function stand(field) {
  const at = field.getBoundingClientRect();
  box.style.left = `${Math.min(at.left, innerWidth - 380)}px`;
  const below = at.bottom + 3, { height } = box.getBoundingClientRect();
  box.style.top = `${below + height > innerHeight - 8 ? Math.max(8, at.top - height - 3) : below}px`;
}

export function pick(key, field, typed) {
  const items = [...list.children];
  if (key === "chosen" || key === "Tab") {
    if (key === "chosen" && chosen < 0) return false;
    insert(items[Math.max(chosen, 0)].dataset.fn, field, typed);
    return true;
  }
  chosen = (chosen + (key === "ArrowDown" ? 1 : items.length - 1 + (chosen < 0 ? 1 : 0))) % items.length;
  items.forEach((item, index) => item.setAttribute("aria-selected", String(index === chosen)));
  return true;
}

function insert(name, field, typed) {
  const end = field.selectionStart;
  field.setRangeText(`${name}(`, end - word.length, end, "end");
  typed(field);
}

export function completeWith(run) { choose = run; }
list.addEventListener("mousedown", (event) => {
  event.preventDefault();
  const item = event.target.closest("[data-fn]");
  if (item) choose((field, typed) => insert(item.dataset.fn, field, typed));
});
