// The tabs below the grid: drawn, named, carried to another place, each with its menu; and the list of all sheets.
import { model } from "./grid_model.js";
import { make } from "./grid_view.js";
import { focusGrid } from "./grid_edit.js";
import { addressOf } from "./grid_send.js";
import * as tools from "./grid_tools.js";
import { menu } from "./grid_popup.js";
import { tabMenu } from "./grid_menus.js";

const tabs = document.getElementById("tabs");
export function drawTabs() {
  tabs.replaceChildren(...model.tabs.filter((tab) => !tab.hidden).map((tab) => {
    const element = make("a", "tab", { href: addressOf(tab.gid), "data-gid": tab.gid, draggable: "false" }, tab.title);
    if (tab.gid === model.gid) element.setAttribute("aria-current", "page");
    if (tab.colour) element.style.boxShadow = `inset 0 -3px ${tab.colour}`;
    if (tab.gid === model.gid && model.canEdit) { const more = make("button", "tab-more", { type: "button", "aria-label": `Sheet menu of ${tab.title}`, "aria-haspopup": "menu" }, "▾"); element.append(more); }
    return element;
  }));
}
function renameTab(gid) {
  const tab = model.tabs.find((one) => one.gid === gid), element = tabs.querySelector(`[data-gid="${gid}"]`);
  const input = make("input", "tab-name", { "aria-label": "Sheet name", value: tab.title });
  element.replaceWith(input);
  input.focus();
  input.select();
  let done = false;
  const end = (keep) => {
    if (done) return;
    done = true;
    const title = input.value.trim();
    drawTabs();
    if (keep && title && title !== tab.title) tools.sheetProperties({ title }, "title", gid);
    focusGrid();
  };
  input.addEventListener("blur", () => end(true));
  // The key that ends the naming ends there: the grid, which has the focus from then on, would write a line break.
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    end(event.key === "Enter");
  });
}
function openTabMenu(gid, element) {
  const at = element.getBoundingClientRect();
  menu(tabMenu(gid, () => renameTab(gid)), { x: at.left, y: at.top - 260 < 4 ? 4 : at.top - 262 }, { label: "Sheet" });
}
tabs.addEventListener("click", (event) => {
  const tab = event.target.closest(".tab");
  if (!tab || event.ctrlKey || event.metaKey) return;
  const gid = Number(tab.dataset.gid);
  if (event.target.closest(".tab-more")) { event.preventDefault(); openTabMenu(gid, tab); return; }
  if (gid === model.gid) { event.preventDefault(); focusGrid(); }
});
tabs.addEventListener("dblclick", (event) => { const tab = event.target.closest(".tab"); if (tab && model.canEdit) { event.preventDefault(); renameTab(Number(tab.dataset.gid)); } });
tabs.addEventListener("contextmenu", (event) => { const tab = event.target.closest(".tab"); if (tab && model.canEdit) { event.preventDefault(); openTabMenu(Number(tab.dataset.gid), tab); } });
let carried = null;
tabs.addEventListener("pointerdown", (event) => { const tab = event.target.closest(".tab"); if (tab && model.canEdit && event.button === 0 && !event.target.closest(".tab-more")) carried = { gid: Number(tab.dataset.gid), x: event.clientX }; });
document.addEventListener("pointerup", (event) => {
  const held_ = carried;
  carried = null;
  if (!held_ || Math.abs(event.clientX - held_.x) < 12) return;
  const others = [...tabs.querySelectorAll(".tab")].filter((tab) => Number(tab.dataset.gid) !== held_.gid);
  const next = others.find((tab) => { const at = tab.getBoundingClientRect(); return event.clientX < at.left + at.width / 2; });
  const to = next ? model.tabs.findIndex((tab) => tab.gid === Number(next.dataset.gid)) : model.tabs.length, from = model.tabs.findIndex((tab) => tab.gid === held_.gid);
  tabs.addEventListener("click", (click) => click.preventDefault(), { capture: true, once: true });
  if (to !== from && to !== from + 1) tools.sheetProperties({ index: to }, "index", held_.gid);
});
document.getElementById("tab-add")?.addEventListener("click", tools.addSheet);
document.getElementById("tab-all").addEventListener("click", (event) => {
  const at = event.currentTarget.getBoundingClientRect();
  menu(model.tabs.map((tab) => ({ label: tab.hidden ? `${tab.title} (hidden)` : tab.title, on: tab.gid === model.gid, run: () => (tab.hidden ? model.canEdit && tools.sheetProperties({ hidden: false }, "hidden", tab.gid) : location.assign(addressOf(tab.gid))) })), { x: at.left, y: at.top - 12 - 30 * model.tabs.length }, { label: "All sheets" });
});
