// Writing mail: the editor, recipients as chips, files, and a draft kept while one writes. Reading: frames as high as their mail.
const shell = document.querySelector('script[src$="/main.js"]').src;
const { busy, learn } = await import(new URL("settle.js", shell));
const { choose } = await import(new URL("combobox.js", shell));
const { refresh } = await import(new URL("live.js", shell));

const PAUSE = 2000; // milliseconds without typing after which a draft is kept
const CONTROL = ["_toast", "_undo", "_undo_args", "_see", "_see_text", "_form", "undo"];
const states = new WeakMap(); // form -> { clean, dirty, saving, posting, leaving, timer }

document.documentElement.classList.add("scripts");

function here(changes) {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return (url.pathname + url.search).replace("%24id", "$id");
}

const CLOSED = { compose: null, to: null, cc: null, bcc: null, subject: null, body: null };
const isWindow = (form) => form.dataset.composeForm === "compose";
const parts = (form) => ({
  editor: form.querySelector("[data-editor]"), html: form.querySelector("[data-html]"), plain: form.querySelector("[data-plain-body]"),
  status: document.getElementById(`${form.id}-status`), draft: form.querySelector("[data-draft]"), files: form.querySelector("[data-attach]"),
});

// what was written

function sync(form) {
  const { editor, html } = parts(form);
  html.value = editor.textContent.trim() || editor.querySelector("li") ? editor.innerHTML : "";
}

function written(form) {
  sync(form);
  const skipped = new Set(["_token", "_next", "draftId", "kept", "attachments", "at", "own_time", ...CONTROL]);
  return JSON.stringify([...new FormData(form).entries()].filter(([name]) => !skipped.has(name)));
}

function isDirty(form) {
  const state = states.get(form);
  return Boolean(state) && !state.leaving && (state.dirty || parts(form).files.files.length > 0 || written(form) !== state.clean);
}

function say(form, text, failed) {
  const { status } = parts(form);
  if (status) { status.textContent = text; status.classList.toggle("failed", Boolean(failed)); }
  const head = document.getElementById("compose-status");
  if (head && isWindow(form)) head.textContent = failed ? text : "";
}

// a draft, kept while one writes

function draftData(form) {
  sync(form);
  const data = new FormData(form);
  CONTROL.forEach((name) => data.delete(name));
  data.set("_next", here(isWindow(form) ? { ...CLOSED, compose: "$id" } : { answer: "draft.$id" }));
  return data;
}

function save(form) {
  const state = states.get(form);
  if (!state) return Promise.resolve(true);
  clearTimeout(state.timer);
  state.saving = (state.saving || Promise.resolve(true)).then(() => (isDirty(form) && form.isConnected ? post(form, state) : true));
  return state.saving;
}

async function post(form, state) {
  const now = written(form);
  const block = isWindow(form) ? "compose" : "answer";
  say(form, "Saving…");
  busy(1);
  state.posting = true;
  try {
    const headers = { "HX-Request": "true", "HX-Target": block, "HX-Current-URL": location.href };
    const answer = await fetch(form.dataset.save, { method: "POST", body: draftData(form), headers });
    const text = await answer.text();
    if (!answer.ok) return failed(form, answer, text);
    kept(form, text);
    learn((name) => answer.headers.get(name));
    Object.assign(state, { clean: now, dirty: false });
    say(form, "Draft saved");
    refresh(null);
    return true;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return failed(form, null, "");
  } finally {
    state.posting = false;
    busy(-1);
  }
}

function kept(form, text) {
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById(`${form.id}-state`);
  if (!fresh) return;
  document.getElementById(fresh.id).replaceWith(fresh);
  const { files, draft } = parts(form);
  files.value = "";
  document.getElementById(`${form.id}-going`).replaceChildren();
  form.querySelector(".form-error")?.replaceChildren();
  history.replaceState(history.state, "", here(isWindow(form) ? { ...CLOSED, compose: draft.value } : { answer: `draft.${draft.value}` }));
}

function failed(form, answer, text) {
  say(form, answer && answer.status < 500 ? "Not saved" : "Couldn't save. Your text is kept here.", true);
  const slot = form.querySelector(".form-error");
  if (slot && answer && answer.status === 422) slot.innerHTML = text;
  return false;
}

function soon(form) {
  const state = states.get(form);
  if (!state || document.documentElement.dataset.live === "off") return;
  clearTimeout(state.timer);
  state.timer = setTimeout(() => save(form), PAUSE);
}

const formOf = (element) => element.closest?.("form[data-compose-form]") || null;
const forms = () => [...document.querySelectorAll("form[data-compose-form]")];

document.addEventListener("input", (event) => { const form = formOf(event.target); if (form) soon(form); });
document.addEventListener("firm:chosen", (event) => { const form = formOf(event.target); if (form) soon(form); });
document.addEventListener("focusout", (event) => {
  const form = formOf(event.target);
  const next = event.relatedTarget;
  if (!form || form.inert || !event.isTrusted || (next && (form.contains(next) || next.closest(".suggestions, [data-compose], .link-box")))) return;
  setTimeout(() => { if (form.isConnected && document.hasFocus() && !form.contains(document.activeElement)) save(form); }, 0);
});
addEventListener("pagehide", () => {
  for (const form of forms()) if (isDirty(form) && !parts(form).files.files.length) navigator.sendBeacon(form.dataset.save, draftData(form));
});

// beginning to write

function people(text) { return [...text.matchAll(/(?:"(?:[^"\\]|\\.)*"|[^,;"])+/g)].map((found) => found[0].trim()).filter(Boolean); }

function chips(field) {
  const listed = people(field.value);
  field.value = "";
  for (const one of listed) {
    const name = one.replace(/<[^<>]*>\s*$/, "").trim().replace(/^"|"$/g, "");
    choose(field, { dataset: { value: one, label: name || one.replace(/[<>]/g, "") }, textContent: one });
  }
}

function begin(form) {
  if (states.has(form)) return;
  const { editor, html, plain } = parts(form);
  plain.hidden = plain.disabled = true;
  editor.hidden = html.disabled = false;
  editor.setAttribute("aria-label", plain.getAttribute("aria-label"));
  plain.removeAttribute("aria-label");
  form.querySelectorAll("input[data-people]").forEach(chips);
  form.querySelectorAll("[data-optional]").forEach((row) => row.classList.toggle("shown", Boolean(row.querySelector(".chip")) && !row.classList.contains("compose-subject")));
  states.set(form, { clean: written(form), dirty: false, saving: null, posting: false, leaving: false, timer: 0 });
  const to = form.querySelector('[data-name="to"]');
  if (form.querySelector('[data-name="to"] ~ .none, .compose-people .chip')) start(editor);
  else to.focus();
  if (!isWindow(form)) form.closest("#answer")?.scrollIntoView({ block: "end" });
}

function start(editor) {
  editor.focus({ preventScroll: true });
  getSelection()?.setPosition(editor, 0);
}

// pressing things

function command(name) {
  document.execCommand("styleWithCSS", false, "false");
  if (name === "createLink") linkBox();
  else document.execCommand(name, false);
}

function linkBox() {
  const selection = getSelection();
  const range = selection.rangeCount ? selection.getRangeAt(0) : null;
  const editor = range && (range.startContainer.parentElement?.closest("[data-editor]") || (range.startContainer.matches?.("[data-editor]") ? range.startContainer : null));
  if (!editor) return;
  const box = document.createElement("div");
  box.className = "link-box";
  box.innerHTML = '<input type="url" aria-label="Link address" placeholder="https://"><button type="button" class="button button-small button-primary">Apply</button>';
  const field = box.querySelector("input");
  const apply = () => {
    const address = field.value.trim();
    box.remove();
    editor.focus();
    selection.removeAllRanges();
    selection.addRange(range);
    if (!address) return;
    const full = /^[a-z]+:/i.test(address) ? address : `https://${address}`;
    if (range.collapsed) document.execCommand("insertText", false, address);
    if (range.collapsed) selection.modify?.("extend", "backward", "word");
    document.execCommand("createLink", false, full);
    soon(formOf(editor));
  };
  box.querySelector("button").addEventListener("click", apply);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { event.preventDefault(); apply(); }
    if (event.key === "Escape") { event.preventDefault(); event.stopPropagation(); box.remove(); editor.focus(); }
  });
  const at = (range.collapsed ? editor : range).getBoundingClientRect();
  Object.assign(box.style, { left: `${at.left}px`, top: `${Math.max(8, at.top - 58)}px` });
  document.body.append(box);
  field.focus();
}

function closeWindow() {
  document.getElementById("compose").replaceChildren();
  history.replaceState(history.state, "", here(CLOSED));
  refresh(null);
}

async function closeAfterSaving(form) { if (!form || await save(form)) closeWindow(); }

function resize(how) {
  const box = document.querySelector(".compose-window");
  const on = !box.classList.contains(how);
  box.classList.remove("min", "full");
  box.classList.toggle(how, on);
}

function unquote(form) {
  const quote = form.querySelector("[data-quote]");
  const { editor } = parts(form);
  const holder = document.createElement("div");
  holder.append(document.createElement("br"), ...quote.querySelector("[data-quoted]").childNodes);
  editor.append(holder);
  quote.outerHTML = '<input type="hidden" name="quote" value="false">';
  start(editor);
  soon(form);
}

document.addEventListener("mousedown", (event) => { if (event.target.closest("[data-command]")) event.preventDefault(); });
document.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest(selector);
  const form = formOf(event.target);
  if (on("[data-command]")) { parts(form).editor.focus(); command(on("[data-command]").dataset.command); soon(form); }
  else if (on("[data-compose-size]")) resize(on("[data-compose-size]").dataset.composeSize);
  else if (on("[data-compose-close]")) { event.preventDefault(); closeAfterSaving(document.getElementById("compose-form")); }
  else if (on("[data-shows-row]")) showRow(on("[data-shows-row]").dataset.showsRow);
  else if (on("[data-unquote]")) unquote(form);
  else if (on("[data-unattach]")) { on("li").remove(); states.get(form).dirty = true; save(form); }
  else if (on("[data-compose-discard]")) discard(form, event);
  else if (on("[data-to-answer]")) on("details.menu")?.removeAttribute("open");
  else if (on(".compose-head") && document.querySelector(".compose-window.min")) resize("min");
});

function showRow(id) {
  const row = document.getElementById(id);
  row.classList.add("shown");
  row.querySelector("input").focus();
  document.querySelector(`[data-shows-row="${id}"]`)?.remove();
}

function discard(form, event) {
  const state = states.get(form);
  clearTimeout(state.timer);
  state.leaving = true;
  if (parts(form).draft.value) return;
  event.preventDefault();
  event.stopPropagation();
  if (isWindow(form)) closeWindow();
  else document.querySelector("[data-answer-closed]")?.click();
}

document.addEventListener("change", (event) => {
  const field = event.target;
  const form = formOf(field);
  if (!form || !field.matches("[data-attach]") || !field.files.length) return;
  const chip = (file) => Object.assign(document.createElement("li"), { className: "chip file-chip", textContent: `${file.name} …` });
  document.getElementById(`${form.id}-going`).replaceChildren(...[...field.files].map(chip));
  save(form);
});

document.addEventListener("paste", (event) => {
  if (!event.target.closest?.("[data-editor]")) return;
  event.preventDefault();
  document.execCommand("insertText", false, event.clipboardData.getData("text/plain"));
});

function settle(field) { field.dispatchEvent(new FocusEvent("focusout", { bubbles: true })); }

document.addEventListener("keydown", (event) => {
  const form = formOf(event.target);
  if (!form || event.isComposing) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit(form.querySelector("[data-send]"));
    return;
  }
  if (event.defaultPrevented) return;
  const row = event.ctrlKey && event.shiftKey && { c: "cc", b: "bcc" }[event.key.toLowerCase()];
  if (row) { event.preventDefault(); showRow(`${form.id}-${row}-row`); return; }
  const field = event.target;
  if (event.key.toLowerCase() === "k" && event.ctrlKey && field.matches("[data-editor]")) { event.preventDefault(); linkBox(); }
  if (!field.matches("input:not([type=checkbox]):not([type=file])")) return;
  const separates = event.key === "Enter" || (field.dataset.choose && (event.key === ";" || (event.key === "," && field.value.includes("@"))));
  if (!separates) return;
  event.preventDefault();
  if (field.dataset.choose && field.value.trim()) settle(field);
});

// sending

// From the moment of sending on nothing more gets into the mail, however long it takes.
function freeze(form, on) {
  if (form.inert === on) return;
  const state = states.get(form);
  const selection = getSelection();
  if (on) state.caret = selection.rangeCount && parts(form).editor.contains(selection.anchorNode) ? selection.getRangeAt(0) : null;
  form.inert = on;
  say(form, on ? "Sending…" : "");
  if (on || !form.isConnected) return;
  parts(form).editor.focus({ preventScroll: true });
  if (state.caret) { selection.removeAllRanges(); selection.addRange(state.caret); }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  const state = states.get(form);
  if (!state) return;
  sync(form);
  freeze(form, true);
  if (isWindow(form)) form.querySelector('input[name="_next"]').value = here(CLOSED);
  clearTimeout(state.timer);
  if (state.posting) {
    const button = event.submitter;
    event.preventDefault();
    event.stopImmediatePropagation();
    state.saving.then(() => setTimeout(() => form.requestSubmit(button), 0));
    return;
  }
  state.leaving = true;
}, true);
document.addEventListener("htmx:afterRequest", (event) => {
  const state = states.get(event.detail.elt);
  if (!state || event.detail.successful) return;
  state.leaving = false;
  freeze(event.detail.elt, false);
});

// A window stays open while one goes from list to list, and so does its place in the address.
document.addEventListener("htmx:pushedIntoHistory", () => {
  const form = document.getElementById("compose-form");
  const url = new URL(location.href);
  if (form && !states.get(form)?.leaving && !url.searchParams.has("compose")) {
    history.replaceState(history.state, "", here({ compose: parts(form).draft.value || "new" }));
  }
});
// What would be swapped away half-written is kept first. Coming back to the same conversation, the answer goes on as its draft.
const stays = (address) => new URL(address, location.href).pathname === location.pathname;
document.addEventListener("htmx:confirm", (event) => {
  const { elt, target, path, issueRequest } = event.detail;
  const form = forms().find((one) => one !== elt && target?.contains(one) && isDirty(one));
  if (!form) return;
  event.preventDefault();
  save(form).then((done) => { if (done || !stays(elt.elements?._next?.value || path)) issueRequest(true); });
});

function goesOn(address, draft) {
  if (!stays(address)) return address;
  const url = new URL(address, location.href);
  url.searchParams.set("answer", `draft.${draft}`);
  return url.pathname + url.search;
}
document.addEventListener("htmx:configRequest", (event) => {
  const { elt, target, parameters } = event.detail;
  const form = document.getElementById("answer-form");
  const draft = form && elt !== form && target.id !== "answer" && target.contains(form) && !states.get(form)?.leaving && parts(form).draft.value;
  if (!draft) return;
  event.detail.path = goesOn(event.detail.path, draft);
  if (parameters._next) parameters._next = goesOn(parameters._next, draft);
});

// reading

// A form that changes one thing on the page swaps that thing alone, so that frames and folded messages stay as they are.
document.addEventListener("htmx:beforeSwap", (event) => {
  const id = event.detail.requestConfig?.elt?.dataset?.only;
  if (!id || !event.detail.shouldSwap || event.detail.isError) return;
  const answer = new DOMParser().parseFromString(event.detail.serverResponse, "text/html");
  const fresh = answer.getElementById(id);
  const old = document.getElementById(id);
  if (!fresh || !old) return;
  const toast = answer.querySelector("[hx-swap-oob]");
  event.detail.target = old;
  event.detail.serverResponse = fresh.outerHTML + (toast ? toast.outerHTML : "");
});

function fit(frame) {
  const inside = frame.contentDocument;
  if (!inside?.body || !frame.clientWidth || inside.URL === "about:blank") return;
  const wide = inside.documentElement.scrollWidth > inside.documentElement.clientWidth;
  frame.style.height = `${Math.ceil(inside.body.getBoundingClientRect().height) + (wide ? 18 : 2)}px`;
  if (frame.dataset.fitted) return;
  frame.dataset.fitted = "1";
  inside.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, metaKey, altKey, shiftKey, bubbles: true, cancelable: true }));
  });
}
const fitAll = () => document.querySelectorAll("iframe[data-frame]").forEach(fit);
document.addEventListener("load", (event) => { if (event.target.matches?.("iframe[data-frame]")) { delete event.target.dataset.fitted; fit(event.target); } }, true);
document.addEventListener("toggle", fitAll, true);
addEventListener("resize", fitAll);

function markRead() {
  for (const form of document.querySelectorAll("form[data-mark-read]:not([data-done])")) {
    form.dataset.done = "1";
    form.requestSubmit();
  }
}

function news() {
  const region = document.getElementById("thread-news");
  const shown = document.getElementById("thread")?.dataset.count;
  const link = region?.querySelector("[data-news]");
  if (link && link.hidden && Number(region.dataset.count) > Number(shown)) link.hidden = false;
}
new MutationObserver(news).observe(document.body, { childList: true, subtree: true });

function scrollToNew() {
  const pane = document.getElementById("thread");
  const mark = pane?.querySelector("[data-new]");
  if (!mark || pane.dataset.placed) return;
  pane.dataset.placed = "1";
  if (!document.querySelector("#answer-form")) pane.scrollTop = mark.offsetTop - pane.offsetTop - 8;
}

function look() { fitAll(); scrollToNew(); forms().forEach(begin); markRead(); }
document.addEventListener("htmx:afterSettle", look);
if (document.readyState === "complete") look();
else addEventListener("load", look);
