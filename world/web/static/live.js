// One socket per tab: told that something changed, it fetches the shown regions again. Looking again costs no time in the world.
import { busy, learn } from "./settle.js";
import { keep, restore } from "./scroll.js";
import { arrange } from "./dialogs.js";

const root = document.documentElement;
const DELAYS = [500, 1000, 2000, 5000, 10000];
let failures = 0;
let queued = false;
let running = false;

function editing(region) {
  const active = document.activeElement;
  if (region.contains(active) && active.matches("input, textarea, select, [contenteditable=true]")) return true;
  if (region.querySelector("details[open], select[aria-expanded]")) return true;
  return [...region.querySelectorAll("input:not([type=hidden]), textarea")].some((field) =>
    field.type === "checkbox" || field.type === "radio" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue);
}

function holdBack(region) {
  if (region.querySelector(":scope > .held-back")) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "held-back";
  button.textContent = region.dataset.heldBack || "New messages";
  button.addEventListener("click", () => { button.remove(); refreshOne(region.id, true); });
  region.prepend(button);
}

function sameThing(fresh, old) {
  if (!old) return null;
  if (old.id) return fresh.querySelector("#" + CSS.escape(old.id));
  const href = old.getAttribute("href");
  if (href) return [...fresh.querySelectorAll(old.tagName)].find((e) => e.getAttribute("href") === href);
  const label = old.getAttribute("aria-label") || old.textContent;
  return [...fresh.querySelectorAll(old.tagName)].find((e) => (e.getAttribute("aria-label") || e.textContent) === label);
}

function put(region, text) {
  const holder = document.createElement("template");
  holder.innerHTML = text.trim();
  const fresh = holder.content.firstElementChild;
  if (!fresh || fresh.id !== region.id || fresh.outerHTML === region.outerHTML) return;
  const focused = region.contains(document.activeElement) ? sameThing(fresh, document.activeElement) : null;
  keep(region);
  region.replaceWith(fresh);
  window.htmx?.process(fresh);
  restore(fresh);
  arrange();
  fresh.dispatchEvent(new CustomEvent("firm:put", { bubbles: true }));
  focused?.focus({ preventScroll: true });
}

// A region that says by data-state what it shows is left alone, with what is typed in it, while that stays the same.
function isSame(region, text) {
  if (!region.dataset.state) return false;
  const holder = document.createElement("template");
  holder.innerHTML = text.trim();
  return holder.content.firstElementChild?.dataset.state === region.dataset.state;
}

async function refreshOne(id, forced) {
  const region = document.getElementById(id);
  if (!region) return;
  const address = location.href;
  busy(1);
  try {
    const answer = await fetch(address, { headers: { "HX-Request": "true", "HX-Target": id, "Firm-Live": "1" } });
    if (!answer.ok || answer.headers.get("HX-Retarget")) return;
    const text = await answer.text();
    learn((name) => answer.headers.get(name));
    const now = document.getElementById(id);
    if (!now || location.href !== address) return;
    if (document.querySelector(".htmx-request")) {
      // Replacing what a request under way is about to swap would lose its answer: look again when it is done.
      document.addEventListener("htmx:afterRequest", () => refreshOne(id, forced), { once: true });
      return;
    }
    if (isSame(now, text)) return Number(answer.headers.get("X-World-Version")) || undefined;
    if (!forced && editing(now)) holdBack(now);
    else put(now, text);
    return Number(answer.headers.get("X-World-Version")) || undefined;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  } finally {
    busy(-1);
  }
}

// Until all regions show one version: what the world did between two answers is told only once. `shown` is the version
// of the part that is fresh already.
export async function refresh(except, shown) {
  const regions = [...document.querySelectorAll("[data-region]")];
  const versions = new Map(regions.map((region) => [region.id, except?.contains(region) ? shown || Infinity : 0]));
  for (;;) {
    const latest = Math.max(0, ...[...versions.values()].filter(Number.isFinite));
    const stale = [...versions.keys()].filter((id) => versions.get(id) === 0 || versions.get(id) < latest);
    if (!stale.length) return;
    await Promise.all(stale.map(async (id) => versions.set(id, (await refreshOne(id, false)) || Infinity)));
  }
}

async function soon() {
  queued = true;
  if (running) return;
  running = true;
  while (queued) {
    queued = false;
    await refresh(null);
  }
  running = false;
}

// What a form of this tab changed shows in the other regions too, with or without a socket.
document.addEventListener("htmx:afterRequest", (event) => {
  const { requestConfig, successful, target } = event.detail;
  const { xhr } = event.detail;
  if (successful && requestConfig && requestConfig.verb !== "get" && !xhr.getResponseHeader("HX-Redirect")) {
    refresh(target.isConnected ? target : document.getElementById(target.id), Number(xhr.getResponseHeader("X-World-Version")));
  }
});

function connect() {
  const address = new URL(root.dataset.socket, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const socket = new WebSocket(address);
  socket.addEventListener("open", () => {
    root.dataset.live = "open";
    if (failures) soon();
    failures = 0;
  });
  socket.addEventListener("message", (event) => {
    const { topic, version } = JSON.parse(event.data);
    if (topic === root.dataset.app && version > Number(root.dataset.worldVersion)) soon();
  });
  socket.addEventListener("close", (event) => {
    root.dataset.live = "closed";
    if (event.code === 1008) return;
    if (event.code === 4000) {
      // The episode ended: the page, fetched again, says why. A form that ended it leads elsewhere before.
      const reload = setTimeout(() => location.reload(), 1000);
      addEventListener("pagehide", () => clearTimeout(reload), { once: true });
      return;
    }
    setTimeout(connect, DELAYS[Math.min(failures, DELAYS.length - 1)]);
    failures += 1;
  });
  addEventListener("pagehide", () => socket.close(), { once: true });
}

if (root.dataset.live === "connecting") connect();
