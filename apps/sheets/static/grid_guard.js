// Ranges that shouldn't be changed by accident: before a change of theirs the page asks, as the vendor's does.
import { has, model } from "./grid_model.js";
import { dialog } from "./grid_popup.js";
import { gate } from "./grid_send.js";

const KINDS = new Set(["addBanding", "addTable", "autoFill", "copyPaste", "cutPaste", "deleteDimension", "deleteDuplicates", "deleteRange", "findReplace", "insertRange", "mergeCells",
  "moveDimension", "pasteData", "randomizeRange", "repeatCell", "setDataValidation", "sortRange", "textToColumns", "trimWhitespace", "unmergeCells", "updateBorders", "updateCells"]);
const ALL = [0, 0, 1e9, 1e9];

// The cells that a request says it changes, as top, left, bottom, right.
function touched(kind, given) {
  if (kind === "findReplace") return given.range ? [area(given.range)] : [ALL];
  if (kind === "copyPaste") return [area(given.destination)];
  if (kind === "pasteData") {
    const lines = given.data.split("\n").map((line) => line.split(given.delimiter || "\t").length);
    return [sized(given.coordinate, lines.length, Math.max(...lines))];
  }
  if (kind === "autoFill") return [filled(given)];
  return Object.values(given).flatMap((one) => (one && typeof one === "object" ? [area(one)] : [])).filter(Boolean);
}
function sized({ sheetId = 0, rowIndex = 0, columnIndex = 0 }, rows, columns) {
  return sheetId === model.gid ? [rowIndex, columnIndex, rowIndex + rows, columnIndex + columns] : null;
}
function filled({ range, sourceAndDestination: spread }) {
  const found = area(range || spread.source);
  if (!found || range) return found;
  const by = spread.fillLength, [low, high] = spread.dimension === "ROWS" ? [0, 2] : [1, 3];
  if (by > 0) found[high] += by; else found[low] += by;
  return found;
}
function area(one) {
  if ((one.sheetId ?? 0) !== model.gid) return null;
  if ("rowIndex" in one) return sized(one, 1, 1);
  if (one.dimension) return one.dimension === "ROWS" ? [one.startIndex, 0, one.endIndex, 1e9] : [0, one.startIndex, 1e9, one.endIndex];
  return "endRowIndex" in one || "startRowIndex" in one ? [one.startRowIndex ?? 0, one.startColumnIndex ?? 0, one.endRowIndex ?? 1e9, one.endColumnIndex ?? 1e9] : null;
}

function warns(op, args) {
  if (!model.sheet.warned.length) return false;
  if (op === "web.enter") return args.cells.some(([row, column]) => model.sheet.warned.some((one) => has(one, row, column)));
  const areas = (args.requests || []).flatMap((one) => Object.entries(one)).filter(([kind]) => KINDS.has(kind)).flatMap(([kind, given]) => touched(kind, given)).filter(Boolean);
  return areas.some(([top, left, bottom, right]) => model.sheet.warned.some(({ area: [t, l, b, r] }) => t < bottom && top < (b ?? 1e9) && l < right && left < (r ?? 1e9)));
}

// A promise of whether to go on; nothing where there is nothing to ask.
gate.ask = (op, args) => {
  if (!warns(op, args)) return null;
  return new Promise((done) => {
    const box = dialog("Heads up!", [], [{ label: "OK", main: true, run: () => { done(true); return ""; } }]);
    box.querySelector(".dialog-said").textContent = "You’re trying to edit part of this sheet that shouldn’t be changed accidentally. Edit anyway?";
    box.querySelector(".button-primary").focus();
    box.addEventListener("close", () => done(false));
  });
};
