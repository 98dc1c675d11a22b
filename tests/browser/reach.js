// The controls whose middle belongs to something else: those in view as they are, or each scrolled into view.
(scrolls) => {
  const CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role=menuitem], [role=option], [contenteditable=true]";
  const belongs = (found, control) => {
    if (!found) return false;
    if (control.contains(found) || found.contains(control) && found.matches("label, a, button, summary")) return true;
    return [...(control.labels || [])].some((label) => label.contains(found));
  };
  const seen = (control, x, y) => {
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
    for (let one = control.parentElement; one; one = one.parentElement) {
      const box = one.getBoundingClientRect();
      if (getComputedStyle(one).overflow !== "visible" && (x < box.left || x > box.right || y < box.top || y > box.bottom)) return false;
    }
    return true;
  };
  // What stands at the edge of a pane hides what is scrolled below it.
  const edge = (found) => {
    for (let one = found; one; one = one.parentElement) if (getComputedStyle(one).position === "sticky") return one;
    return null;
  };
  const told = (one) => `${one.tagName.toLowerCase()}${one.id ? "#" + one.id : ""}.${String(one.className.baseVal ?? one.className).replace(/\s+/g, ".")} "${(one.getAttribute("aria-label") || one.textContent || one.name || "").trim().replace(/\s+/g, " ").slice(0, 60)}"`;
  const over = document.querySelector("dialog:modal, #overlay .overlay") || document;
  const covered = [];
  for (const control of over.querySelectorAll(CONTROLS)) {
    if (!control.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) || control.disabled || control.closest("[inert]")) continue;
    if (control.closest("[aria-hidden=true], .skip-link, .visually-hidden") || control.matches(".skip-link, .visually-hidden, [tabindex='-1'][aria-hidden]")) continue;
    if (scrolls) control.scrollIntoView({ block: "center", inline: "nearest" });
    const boxes = [...control.getClientRects()].filter((box) => box.width > 1 && box.height > 1);
    if (!boxes.length) continue;
    const box = boxes[0];
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (!scrolls && !seen(control, x, y)) continue;
    const found = document.elementFromPoint(x, y);
    if (!scrolls && edge(found) && !edge(found).contains(control)) continue;
    if (found?.closest("[role=dialog]") && !found.closest("[role=dialog]").contains(control)) continue;
    if (!belongs(found, control)) covered.push(`${told(control)} at ${Math.round(x)},${Math.round(y)} under ${found ? told(found) : "nothing"}`);
  }
  return covered;
}
