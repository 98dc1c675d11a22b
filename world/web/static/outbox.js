// Forms that send one text after the other (data-reset). Their fields are free as soon as a text is sent; what is sent
// before the answer came waits its turn; what failed stands in the field again, before what was typed since.
import { busy, learn } from "./settle.js";
import { keep, texts, write } from "./drafts.js";

const lines = new Map(); // the form's id -> { going, waiting }

function line(form) {
  if (!lines.has(form.id)) lines.set(form.id, { going: null, waiting: [] });
  return lines.get(form.id);
}

function take(form, path, by) {
  const words = texts(form).map((field) => [field.name, field.value]);
  const marks = [...form.querySelectorAll("select[name]")].map((list) => [list.name, list.value]);
  return { path, by: by?.value || "", data: new FormData(form), words, marks, place: form.dataset.keeps || "" };
}

function clear(form) {
  form.reset();
  form.querySelectorAll("[data-added]").forEach((field) => field.remove());
  for (const field of texts(form)) write(field, "");
  form.dispatchEvent(new CustomEvent("firm:reset", { bubbles: true }));
  if (form.contains(document.activeElement)) form.querySelector("textarea[data-enter-sends]")?.focus();
}

function keepFor(form, place, name, text) {
  keep({ elements: form.elements, dataset: { keeps: place } }, name, text);
}

function giveBack(form, failed) {
  for (const [name] of failed[0].words) {
    const field = texts(form).find((one) => one.name === name);
    const said = failed.map((one) => one.words.find(([other]) => other === name)?.[1]);
    const separator = field?.matches("textarea") ? "\n" : " ";
    const here = field && form.dataset.keeps === (failed[0].place || undefined);
    const text = [...said, here ? field.value : ""].filter((one) => one?.trim()).join(separator);
    if (here) write(field, text);
    else if (field) keepFor(form, failed[0].place, name, text);
  }
  for (const [name, value] of failed[0].marks) if (form.elements[name]) form.elements[name].value = value;
}

// The form may have been drawn again since, even for another place, or be gone: what is sent is what was written then.
function send(id) {
  const form = document.getElementById(id);
  const next = lines.get(id).waiting.shift();
  if (!next) return;
  next.data.set("_token", document.querySelector('input[name="_token"]').value);
  if (form) sendFrom(form, next);
  else post(id, next);
  busy(-1);
}

function sendFrom(form, next) {
  line(form).going = next;
  const strict = form.noValidate;
  form.noValidate = true;
  window.htmx.ajax("POST", next.path, { source: form });
  form.noValidate = strict;
}

async function post(id, next) {
  busy(1);
  const headers = { "HX-Request": "true", "HX-Target": "page" };
  const answer = await fetch(next.path, { method: "POST", body: next.data, headers }).catch(() => null);
  if (answer) learn((name) => answer.headers.get(name));
  if (!answer?.ok) for (const [name, text] of next.words) keepFor(document.querySelector("form:has([name=_token])"), next.place, name, text);
  send(id);
  busy(-1);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("form[data-reset]") || !line(form).going) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const by = event.submitter;
  const sent = take(form, by?.getAttribute("formaction") || form.getAttribute("action"), by);
  if (by?.name) sent.data.append(by.name, by.value);
  if (sent.by === line(form).going.by && !sent.words.some(([, text]) => text.trim())) return;
  line(form).waiting.push(sent);
  busy(1);
  clear(form);
}, true);

document.addEventListener("htmx:configRequest", (event) => {
  const form = event.detail.elt;
  const next = form.matches("form[data-reset]") && line(form).going;
  if (next) event.detail.parameters = next.data;
});

document.addEventListener("htmx:beforeSend", (event) => {
  const { pathInfo, requestConfig, xhr } = event.detail;
  const form = requestConfig.elt;
  if (!form.matches("form[data-reset]")) return;
  const state = line(form);
  const id = form.id;
  if (!state.going) {
    state.going = take(form, pathInfo.requestPath, requestConfig.triggeringEvent?.submitter);
    clear(form);
  }
  xhr.addEventListener("loadend", () => { state.going = null; send(id); });
});

document.addEventListener("htmx:afterRequest", (event) => {
  const { requestConfig, successful } = event.detail;
  const form = requestConfig.elt;
  const state = form.matches("form[data-reset]") && lines.get(form.id);
  if (!state?.going || successful) return;
  const now = document.getElementById(form.id) || form;
  giveBack(now, [state.going, ...state.waiting]);
  state.waiting.forEach(() => busy(-1));
  state.waiting.length = 0;
});

// An answer that comes when another page is shown already changes nothing there.
const asked = new WeakMap();
document.addEventListener("htmx:beforeSend", (event) => asked.set(event.detail.xhr, location.pathname));
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr, isError, requestConfig } = event.detail;
  if (isError || requestConfig.verb === "get" || requestConfig.elt.isConnected) return;
  if (asked.has(xhr) && asked.get(xhr) !== location.pathname) event.detail.shouldSwap = false;
});

addEventListener("pagehide", () => {
  for (const { waiting } of lines.values()) for (const one of waiting.splice(0)) navigator.sendBeacon(one.path, one.data);
});
