// The colours of an older version's cells, which no sheet of styles knows.
for (const cell of document.querySelectorAll(".old-sheet [data-ink], .old-sheet [data-paper]")) {
  if (cell.dataset.ink) cell.style.color = cell.dataset.ink;
  if (cell.dataset.paper && !cell.matches(".marked .changed")) cell.style.background = cell.dataset.paper;
}
document.querySelector(".version.open")?.scrollIntoView({ block: "nearest" });
