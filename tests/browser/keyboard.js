// What is wrong with the controls that are seen: without a name, out of the order of Tab, called like another of their row.
() => {
  const CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [contenteditable=true]";
  // Arrow keys move within these; Tab passes over all members but one.
  const GROUPS = "[role=menu], [role=listbox], [role=grid], [role=toolbar], [role=tablist], [role=radiogroup], [role=tree]";
  const ROWS = "tr, li, article, [role=row], [role=listitem]";
  const over = document.querySelector("dialog:modal, #overlay .overlay") || document;
  const seen = (one) => one.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && one.getBoundingClientRect().width > 1;
  const spoken = (node) => {
    if (node.nodeType === 3) return node.data;
    if (node.nodeType !== 1 || node.getAttribute("aria-hidden") === "true") return "";
    return node.getAttribute("aria-label") || node.alt || [...node.childNodes].map(spoken).join(" ");
  };
  const nameOf = (one) => {
    const labels = [...(one.labels || [])].map(spoken).join(" ").trim();
    return (one.getAttribute("aria-label") || labels || spoken(one).trim() || one.title || one.placeholder || "").trim().replace(/\s+/g, " ");
  };
  const told = (one) => `${one.tagName.toLowerCase()}.${String(one.className).trim().replace(/\s+/g, ".")} "${nameOf(one).slice(0, 50)}"`;
  const controls = [...over.querySelectorAll(CONTROLS)].filter((one) => !one.disabled && seen(one));
  // A second link to one place is for pointers alone, and hidden from everybody else.
  const repeats = (one) => one.tabIndex < 0 && one.getAttribute("aria-hidden") === "true"
    && controls.some((other) => other !== one && other.tabIndex >= 0 && other.href === one.href);
  const wrong = [], rows = new Map();
  for (const one of controls.filter((control) => !repeats(control))) {
    const name = nameOf(one), row = one.closest(ROWS);
    if (!name) wrong.push(`no name: ${told(one)}`);
    if ((one.tabIndex < 0 && !one.closest(GROUPS)) || one.closest("[inert]")) wrong.push(`out of the order of Tab: ${told(one)}`);
    if (!row) continue;
    if (!rows.has(row)) rows.set(row, new Map());
    const other = rows.get(row).get(name);
    if (other && (!one.href || other.href !== one.href)) wrong.push(`twice in a row: ${told(one)}`);
    rows.get(row).set(name, one);
  }
  return wrong;
}
