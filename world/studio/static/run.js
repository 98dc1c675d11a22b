// The page of a run: choosing a step without loading the page, a list that scrolls over any number of steps, scores
// that come as they are graded, and a run that goes on.
import { fetchPart, loadLate } from "./late.js";

const IDLE = 200; // ms at a step before its late panels are fetched
const POLL = 1000; // ms between looks at a run that goes on
const BEFORE = 60; // rows of a window above the ones in sight

export function openRun(time) {
  const base = time.dataset.run;
  const wanted = time.dataset.q;
  const ask = wanted ? `&q=${encodeURIComponent(wanted)}` : "";
  const scrub = document.querySelector("#scrub");
  const list = document.querySelector("#rows");
  const panel = document.querySelector("#step");
  let current = Number(time.dataset.step);
  let last = Number(time.dataset.last);
  let loading = new AbortController();
  let idle = 0;

  async function show(step) {
    current = Math.min(Math.max(0, step), last);
    scrub.value = current;
    markRow();
    loading.abort();
    loading = new AbortController();
    const { signal } = loading;
    try {
      const { body } = await fetchPart(`${base}/steps/${current}/content?${ask.slice(1)}`, signal);
      panel.replaceChildren(...body.childNodes);
    } catch (error) {
      if (error.name !== "AbortError") throw error;
      return;
    }
    history.replaceState(null, "", `${base}?step=${current}${ask}`);
    settle(signal);
  }

  function settle(signal) {
    moveCursor();
    panel.scrollTop = 0;
    clearTimeout(idle);
    idle = setTimeout(() => loadLate(panel, signal), IDLE);
    const row = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (row) row.scrollIntoView();
  }

  function moveCursor() {
    const x = panel.querySelector("[data-x]")?.dataset.x ?? 0;
    for (const line of time.querySelectorAll(".cursor")) {
      line.setAttribute("x1", x);
      line.setAttribute("x2", x);
    }
  }

  function rows() { return list.querySelector(".rows"); }

  function rowHeight() { return rows().querySelector("li")?.offsetHeight || 30; }

  function markRow(block = "nearest") {
    rows().querySelector("[aria-current]")?.removeAttribute("aria-current");
    const row = rows().querySelector(`[data-step="${current}"]`);
    if (row) {
      row.setAttribute("aria-current", "true");
      row.scrollIntoView({ block });
    } else if (!wanted && current) loadRows(current - 1, true);
  }

  function pad() {
    const inner = rows();
    const first = Number(inner.dataset.first);
    const after = Number(inner.dataset.found) - first - inner.children.length;
    inner.style.paddingTop = `${first * rowHeight()}px`;
    inner.style.paddingBottom = `${Math.max(0, after) * rowHeight()}px`;
  }

  let window_ = 0;
  async function loadRows(place, isChosen = false) {
    const asked = (window_ += 1);
    const { body } = await fetchPart(`${base}/rows?from=${Math.max(0, place - BEFORE) + 1}${ask}`);
    if (asked !== window_) return;
    const { scrollTop } = list;
    list.replaceChildren(...body.childNodes);
    pad();
    list.scrollTop = scrollTop;
    const row = rows().querySelector(`[data-step="${current}"]`);
    if (!row) return;
    row.setAttribute("aria-current", "true");
    if (isChosen) row.scrollIntoView({ block: "center" });
  }

  function follow() {
    const inner = rows();
    const place = Math.floor(Math.max(0, list.scrollTop - inner.offsetTop) / rowHeight());
    const first = Number(inner.dataset.first);
    const seen = place + Math.ceil(list.clientHeight / rowHeight());
    const end = first + inner.children.length;
    if (place < first || (seen > end && end < Number(inner.dataset.found))) loadRows(place);
  }

  async function replace(id, address) {
    const { ok, body } = await fetchPart(address);
    if (ok) document.querySelector(id).replaceChildren(...body.childNodes);
    moveCursor();
    return { ok, body };
  }

  async function grade() {
    const place = document.querySelector("#score-line");
    const { ok, body } = await replace("#score-line", place.dataset.scores);
    if (!ok) place.querySelector(".lane-wait").replaceChildren(...body.childNodes);
    else if (place.querySelector("[data-unfinished]")) setTimeout(grade, IDLE);
  }

  async function poll() {
    const answer = await fetch(`${base}/state`, { credentials: "same-origin" });
    const state = await answer.json();
    if (state.steps > last) await grow(state.steps);
    if (state.live) setTimeout(poll, POLL);
    else location.reload();
  }

  async function grow(steps) {
    last = steps;
    scrub.max = steps;
    document.querySelector("#step-count").textContent = steps;
    const isFollowed = document.querySelector("#follow").checked;
    await Promise.all([replace("#time-line", `${base}/time-line`), loadRows(isFollowed ? steps - 1 : Number(rows().dataset.first) + BEFORE)]);
    if (isFollowed) await show(steps);
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-step]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const isMove = link.rel && !wanted;
    show(isMove ? current + (link.rel === "next" ? 1 : -1) : Number(link.dataset.step));
  });
  document.addEventListener("submit", (event) => {
    const span = event.target.querySelector?.('[name="span"]');
    if (span) span.value = span.dataset.chosen || "";
  });
  const keepSpan = () => {
    const span = panel.querySelector('[name="span"]');
    const chosen = span && readSpan(getSelection());
    if (chosen) span.dataset.chosen = chosen;
  };
  document.addEventListener("selectionchange", keepSpan);
  document.addEventListener("keydown", keepSpan, true);  // a key may come before the change is told
  scrub.addEventListener("input", () => show(Number(scrub.value)));
  list.addEventListener("scroll", follow, { passive: true });
  pad();
  markRow("center");
  settle(loading.signal);
  document.querySelector(".lane-wait").textContent = time.dataset.live === "no" ? "The steps are being graded." : "Graded when the run has ended.";
  replace("#time-line", `${base}/time-line`).finally(() => { if (time.dataset.live === "no") grade(); });
  if (time.dataset.live === "yes") setTimeout(poll, POLL);
}

// The range of characters of a text that is marked in what the agent saw, such as 12-40.
function readSpan(selection) {
  if (!selection.rangeCount || selection.isCollapsed) return "";
  const range = selection.getRangeAt(0);
  const text = range.startContainer.parentElement?.closest("pre[data-sent]");
  if (!text || range.startContainer !== range.endContainer) return "";
  return `${range.startOffset}-${range.endOffset}`;
}
