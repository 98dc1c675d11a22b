// Talks to the server: each gesture is one operation, in order; what could not be saved stays on the page, marked, until it is tried again.
import { absorb, asRange, isLoaded, model, rangeName, shape } from "./grid_model.js";
import { draw, hooks, make, redraw } from "./grid_view.js";

// The shell's own module, under the address the shell uses: it is there already, and nothing here waits for it.
let settle = null;
const coming = import(document.querySelector('script[src$="/main.js"]').src.replace(/main\.js$/, "settle.js")).then((found) => { settle = found; });
function busy(change) { if (settle) settle.busy(change); else coming.then(() => settle.busy(change)); }
function learn(header) {
  const version = header("X-World-Version"), told = (name) => (name === "X-World-Version" ? version : null);
  if (settle) settle.learn(told); else coming.then(() => settle.learn(told));
}
export const page = document.getElementById("page");
const saved = document.getElementById("doc-saved"), cloud = saved.querySelector("svg");
const banner = document.getElementById("banner");
const queue = [];
let running = false, held = false, fetching = "";
export const after = [];

// While the service takes no changes the page is there to look at; those who draw it are told.
export const shutting = [];
function shut(now) {
  if (model.shut === now) return;
  model.shut = now;
  model.canEdit = model.mayEdit && !now;
  shutting.forEach((run) => run(now));
}
export function begun(closed) {
  model.mayEdit = model.canEdit;
  model.shut = false;
  held = closed;
  if (closed) shut(true);
}

export function windowWanted() {
  const { seen } = hooks;
  return seen ? [Math.max(0, seen.top - 30), Math.max(0, seen.left - 6), seen.bottom + 50, seen.right + 8] : [0, 0, 60, 20];
}

function say(text, name) {
  saved.dataset.saved = name;
  saved.replaceChildren(...[name === "saved" && cloud].filter(Boolean), make("span", "", {}, text));
}

export const gate = { ask: null };
// Returns a promise of the answer; null when it was refused, could not be sent, or somebody thought better of it.
export function send(op, args, undo) {
  const asked = gate.ask?.(op, args);
  return asked ? asked.then((goes) => (goes ? queued(op, args, undo) : (undo?.(), null))) : queued(op, args, undo);
}

// Whether something that was done here is still on its way: what the page knows of it is not the last word.
export function isSending() { return queue.length > 0; }

function queued(op, args, undo) {
  return new Promise((done) => {
    queue.push({ op, args, undo, done });
    say("Saving…", "saving");
    busy(1);
    run();
  });
}

async function run() {
  if (running || held) return;
  running = true;
  while (queue.length && !held) {
    const one = queue[0];
    const answer = await post(one);
    if (answer === undefined) break;
    queue.shift();
    one.done(answer);
    busy(-1);
  }
  running = false;
  if (!queue.length) { say("Saved to Drive", "saved"); await look(); }
}

async function post({ op, args, undo }) {
  const form = new FormData();
  const own = op.startsWith("web.") ? { spreadsheetId: model.key, gid: model.gid, view: windowWanted(), ...(model.view ? { filterView: model.view } : {}), ...args } : args;
  form.set("_token", page.querySelector('input[name="_token"]').value);
  form.set("op", op);
  form.set("args:json", JSON.stringify(own));
  let told;
  try {
    const response = await fetch(page.dataset.do, { method: "POST", body: form, headers: { "HX-Request": "true", "HX-Current-URL": location.href } });
    learn((name) => response.headers.get(name));
    if (!response.headers.get("content-type")?.includes("json")) { location.reload(); return undefined; }
    told = await response.json();
    if (!told.outage) shut(false);
    if (response.ok) return arrived(op, told);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    told = { outage: true, title: "Trying to reconnect", refused: "" };
  }
  if (told.outage) { hold(told); return undefined; }
  undo?.();
  problem(told.refused);
  return null;
}

function arrived(op, told) {
  if (!op.startsWith("web.")) return told;
  model.unsaved.clear();
  const other = told.window.gid !== model.gid;
  absorb(told, true);
  redraw();
  after.forEach((run) => run(told));
  if (other) location.assign(told.touched ? `${addressOf(model.gid)}&range=${rangeName(asRange(told.touched))}` : addressOf(model.gid));
  return told;
}

export function addressOf(gid) { return `${page.dataset.address}?gid=${gid}`; }

// An outage: the gesture stays first in line, the page says so, and tries again when somebody asks it to.
function hold(told) {
  held = true;
  say("Trying to reconnect…", "unsaved");
  for (let left = 0; left < queue.length; left += 1) busy(-1);
  const again = make("button", "button button-small", { type: "button" }, "Retry now");
  again.addEventListener("click", resume);
  const text = make("p", "");
  text.append(make("strong", "", {}, "Trying to reconnect."), ` ${told.refused || "Your changes will be saved once you are back online."} Edits are kept on this page until then.`);
  const box = make("div", "", { role: "alert" });
  box.append(text);
  banner.replaceChildren(box, again);
  banner.className = "banner banner-outage";
  banner.hidden = false;
  shut(true);
}

export function resume() {
  if (!held) return;
  held = false;
  banner.hidden = true;
  queue.forEach(() => busy(1));
  run();
}
export function isHeld() { return held; }

export function problem(text) {
  const box = make("div", "toast toast-error", { role: "alert" });
  const close = make("button", "toast-close", { type: "button", "data-dismiss": "", "aria-label": "Dismiss" }, "×");
  box.append(make("span", "", {}, text), close);
  document.querySelectorAll("#toasts .toast-error").forEach((old) => old.remove());
  document.getElementById("toasts").append(box);
}
export function tell(text) {
  const box = make("div", "toast");
  box.append(make("span", "", {}, text), make("button", "toast-close", { type: "button", "data-dismiss": "", "aria-label": "Dismiss" }, "×"));
  document.getElementById("toasts").replaceChildren(box);
}

// A part of this page, by its own address: looking costs no time in the world.
export async function part(name, query = {}) {
  busy(1);
  try {
    const address = `${page.dataset.address}?${new URLSearchParams({ gid: model.gid, ...(model.view ? { fvid: model.view } : {}), ...query })}`;
    const response = await fetch(address, { headers: { "HX-Request": "true", "HX-Target": name, "Firm-Live": "1" } });
    if (!response.ok) return null;
    const holder = document.createElement("template");
    holder.innerHTML = await response.text();
    learn((header) => response.headers.get(header));
    const text = holder.content.getElementById(name)?.textContent;
    return text ? JSON.parse(text) : null;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return null;
  } finally {
    busy(-1);
  }
}

async function take(fresh) {
  const [top, left, bottom, right] = windowWanted();
  const told = await part("cells", { top, left, bottom, right });
  if (!told || queue.length) return;
  absorb(told, fresh);
  redraw();
  after.forEach((run) => run(told));
}

export function refetch() { return take(true); }

// Scrolled to where nothing is known yet: a window around the view is fetched, with some spare on every side.
hooks.needs = async (seen) => {
  hooks.seen = seen;
  const { rows, columns } = model;
  const wanted = { top: Math.max(rows.frozen, seen.top - 10), left: seen.left, bottom: Math.min(seen.bottom + 14, rows.count), right: Math.min(seen.right + 1, columns.count) };
  const key = `${wanted.top}:${wanted.left}`;
  if (isLoaded(wanted) || fetching === key || wanted.bottom <= wanted.top) return;
  fetching = key;
  await take(false);
  fetching = "";
  if (hooks.seen !== seen) draw();
};

// Somebody else changed something: the live region of the page has another state now.
const region = page.querySelector(".live-state");
async function look() {
  const state = region.querySelector("#state")?.dataset.state;
  if (state && state !== model.state && changedState && !queue.length) { changedState = false; await take(true); }
}
let changedState = false;
new MutationObserver(() => { changedState = true; look(); }).observe(region, { childList: true });
export { shape };
