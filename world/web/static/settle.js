// Keeps the settle signals on <html>: requests in flight, the world version shown, and what each answer says about the page.
const root = document.documentElement;
let inFlight = 0;

export function busy(change) {
  inFlight = Math.max(0, inFlight + change);
  root.dataset.busy = String(inFlight);
}

export function learn(header) {
  const version = header("X-World-Version");
  if (version && Number(version) >= Number(root.dataset.worldVersion)) {
    root.dataset.worldVersion = version;
    renewTokens();
    setClocks(header);
  }
  const title = header("X-Page-Title");
  if (title) document.title = decodeURIComponent(title);
}

// The clocks of a page go on with every part of it that is fetched.
function setClocks(header) {
  for (const clock of document.querySelectorAll("[data-clock]")) {
    const told = header(`X-Page-Clock-${clock.dataset.clock}`);
    if (told) clock.innerHTML = decodeURIComponent(told);
  }
}

// A form that stays on the page while the world moves on is a new form: its token carries the version it was seen at.
function renewTokens() {
  for (const field of document.querySelectorAll('input[name="_token"]')) {
    field.value = field.value.replace(/\.\d+$/, "." + root.dataset.worldVersion);
  }
}

// Counted by the request, not by htmx's last event: an element that was swapped away meanwhile tells the page nothing more.
document.addEventListener("htmx:beforeSend", (event) => {
  busy(1);
  event.detail.xhr.addEventListener("loadend", () => busy(-1), { once: true });
});
document.addEventListener("htmx:beforeOnLoad", (event) => learn((name) => event.detail.xhr.getResponseHeader(name)));
document.addEventListener("htmx:afterRequest", (event) => {
  renewTokens();
  const form = event.detail.elt;
  if (event.detail.successful && form instanceof HTMLFormElement && form.isConnected) {
    form.querySelectorAll(".form-error").forEach((slot) => slot.replaceChildren());
  }
});
