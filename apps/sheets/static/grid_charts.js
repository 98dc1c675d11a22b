// Charts on the sheet, drawn as SVG from the cells they stand for: columns, bars, lines, areas, pies.
import { model } from "./grid_model.js";
import { grid, make } from "./grid_view.js";

const SVG = "http://www.w3.org/2000/svg";
const HUES = ["#4374c8", "#d64b34", "#e9a820", "#3a9a52", "#8e5bb5", "#2a9aa8", "#d9772e", "#6b8e3a"];
const layer = make("div", "charts");
grid.firstElementChild.append(layer);
let shown = "";

function svg(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

export function drawCharts() {
  const key = JSON.stringify(model.sheet.charts) + model.rows.total + model.columns.total;
  if (key === shown) return;
  shown = key;
  layer.replaceChildren(...model.sheet.charts.map(draw).filter(Boolean));
}

function draw({ id, title, kind, place, names, series }) {
  if (!kind) return null;
  const { rowIndex = 0, columnIndex = 0 } = place.anchorCell || {}, wide = place.widthPixels || 600, high = place.heightPixels || 371;
  const box = make("figure", "chart", { "aria-label": `Chart ${title}`.trim(), "data-chart": id });
  Object.assign(box.style, { left: `${46 + model.columns.start(columnIndex) + (place.offsetXPixels || 0)}px`, top: `${24 + model.rows.start(rowIndex) + (place.offsetYPixels || 0)}px`, width: `${wide}px`, height: `${high}px` });
  const picture = svg("svg", { width: wide, height: high, viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": title || "Chart" });
  if (title) picture.append(svg("text", { x: 16, y: 26, class: "chart-title" }, title));
  if (kind === "PIE") pie(picture, { names, series }, wide, high); else axes(picture, { names, series }, kind, wide, high);
  box.append(picture);
  if (model.canEdit) box.append(make("button", "chart-menu", { type: "button", "aria-label": `Chart options ${title}`.trim(), "aria-haspopup": "menu", "data-chart-menu": id }, "⋮"));
  return box;
}

function pie(picture, { names, series }, wide, high) {
  const values = series[0].values, total = values.reduce((sum, one) => sum + Math.max(0, one), 0) || 1, radius = Math.min(wide, high - 60) / 2 - 16, x = wide * 0.38, y = high / 2 + 14;
  let at = -Math.PI / 2;
  values.forEach((one, index) => {
    const next = at + (Math.max(0, one) / total) * Math.PI * 2 * 0.99999;
    const [x1, y1, x2, y2] = [x + radius * Math.cos(at), y + radius * Math.sin(at), x + radius * Math.cos(next), y + radius * Math.sin(next)];
    picture.append(svg("path", { d: `M${x} ${y}L${x1} ${y1}A${radius} ${radius} 0 ${next - at > Math.PI ? 1 : 0} 1 ${x2} ${y2}Z`, fill: HUES[index % 8] }));
    picture.append(svg("rect", { x: wide * 0.72, y: 60 + index * 20, width: 10, height: 10, fill: HUES[index % 8] }), svg("text", { x: wide * 0.72 + 16, y: 69 + index * 20, class: "chart-text" }, `${names[index]} ${Math.round((Math.max(0, one) / total) * 1000) / 10}%`));
    at = next;
  });
}

function scaleOf(all) {
  const most = Math.max(0, ...all), least = Math.min(0, ...all), rough = (most - least || 1) / 4, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough);
  return { low: Math.floor(least / step) * step, high: Math.ceil(most / step) * step || step, step };
}

function axes(picture, { names, series }, type, wide, high) {
  const flat = type === "BAR", left = flat ? 96 : 56, right = wide - 16, top = 44, bottom = high - 54;
  const { low, high: peak, step } = scaleOf(series.flatMap((one) => one.values));
  const along = (amount) => (flat ? left + ((amount - low) / (peak - low)) * (right - left) : bottom - ((amount - low) / (peak - low)) * (bottom - top));
  for (let tick = low; tick <= peak + step / 2; tick += step) {
    const at = along(tick), label = String(Math.round(tick * 1e6) / 1e6).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
    picture.append(svg("line", flat ? { x1: at, x2: at, y1: top, y2: bottom, class: "chart-line" } : { x1: left, x2: right, y1: at, y2: at, class: "chart-line" }));
    picture.append(svg("text", flat ? { x: at, y: bottom + 16, class: "chart-text middle" } : { x: left - 6, y: at + 4, class: "chart-text end" }, label));
  }
  const room = (flat ? bottom - top : right - left) / Math.max(names.length, 1), every = Math.ceil((names.length * 60) / (right - left));
  names.forEach((name, index) => {
    const middle = (flat ? top : left) + room * (index + 0.5);
    if (flat) picture.append(svg("text", { x: left - 6, y: middle + 4, class: "chart-text end" }, name.slice(0, 14)));
    else if (index % every === 0) picture.append(svg("text", { x: middle, y: bottom + 16, class: "chart-text middle" }, name.slice(0, 12)));
  });
  series.forEach((one, which) => {
    const hue = HUES[which % 8], points = one.values.map((amount, index) => [left + room * (index + 0.5), along(amount)]);
    if (type === "COLUMN" || flat || type === "COMBO") one.values.forEach((amount, index) => {
      const thick = (room * 0.7) / series.length, start = (flat ? top : left) + room * index + room * 0.15 + thick * which, from = along(0), to = along(amount);
      picture.append(svg("rect", flat ? { x: Math.min(from, to), y: start, width: Math.abs(to - from), height: thick, fill: hue } : { x: start, y: Math.min(from, to), width: thick, height: Math.abs(to - from), fill: hue }));
    });
    else if (type === "SCATTER") points.forEach(([x, y]) => picture.append(svg("circle", { cx: x, cy: y, r: 4, fill: hue })));
    else {
      const path = points.map(([x, y]) => `${x},${y}`).join(" ");
      if (/AREA/.test(type) && points.length) picture.append(svg("polygon", { points: `${points[0][0]},${along(0)} ${path} ${points[points.length - 1][0]},${along(0)}`, fill: hue, "fill-opacity": 0.3 }));
      picture.append(svg("polyline", { points: path, fill: "none", stroke: hue, "stroke-width": 2 }));
    }
    picture.append(svg("rect", { x: left + which * 110, y: high - 22, width: 10, height: 10, fill: hue }), svg("text", { x: left + which * 110 + 15, y: high - 13, class: "chart-text" }, one.name.slice(0, 14)));
  });
}
