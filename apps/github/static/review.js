// Reviews and written text: a comment box under a line, its suggestion, task lists that can be ticked, texts to copy.
document.addEventListener("click", (event) => {
  const note = event.target.closest("a[data-note]");
  if (note && !event.ctrlKey && !event.metaKey && document.getElementById("note-template")?.content.firstElementChild) {
    event.preventDefault();
    begin(note, event.shiftKey);
  }
  if (event.target.closest("[data-closes-note]") && document.querySelector("tr.note-row, .file-notes.note-row")) {
    event.preventDefault();
    end();
  }
  if (event.target.closest("[data-suggests]")) suggest(event.target.closest("form"));
  const copy = event.target.closest("[data-copies-text]");
  if (copy) navigator.clipboard?.writeText(copy.dataset.copiesText);
});

function end() {
  document.querySelectorAll(".note-row").forEach((row) => row.remove());
  document.querySelectorAll(".diff .chosen").forEach((row) => row.classList.remove("chosen"));
}

function begin(note, extend) {
  const path = note.closest(".file-diff").dataset.path;
  const key = note.dataset.note;
  const old = document.querySelector(".note-row form");
  const first = extend && old && old.elements.path.value === path && old.elements.key.value[0] === key[0] ? Number(old.elements.key.value.slice(1)) : null;
  const text = first === null ? "" : old.elements.body.value;
  end();
  const box = document.getElementById("note-template").content.cloneNode(true);
  const form = box.querySelector("form");
  form.elements.path.value = path;
  form.elements._token.value = document.querySelector('input[name="_token"]').value;
  const row = stand(note, key);
  row.append(box);
  window.htmx?.process(row.closest(".note-row"));
  const last = key === "file" ? 0 : Number(key.slice(1));
  const from = first === null ? last : Math.min(first, last);
  const upto = first === null ? last : Math.max(first, last);
  form.elements.key.value = key === "file" ? key : `${key[0]}${upto}`;
  if (key === "file") form.querySelector(".line-span").textContent = "Comment on the whole file";
  else {
    form.elements.start_line.value = from;
    form.elements.start_line.max = upto;
    form.querySelector("[data-line-end]").textContent = form.elements.key.value;
    mark(note.closest(".file-diff").id, key[0], from, upto);
  }
  form.elements.body.value = text;
  form.elements.body.focus();
}

function stand(note, key) {
  if (key === "file") {
    const place = Object.assign(document.createElement("div"), { className: "file-notes note-row" });
    note.closest(".file-diff").querySelector("details").open = true;
    note.closest(".file-diff").querySelector(".file-head").after(place);
    return place;
  }
  const line = note.closest("tr");
  const row = document.createElement("tr");
  row.className = "notes note-row";
  const cell = row.insertCell();
  cell.colSpan = line.cells.length;
  line.after(row);
  return cell;
}

function mark(file, side, from, upto) {
  for (let n = from; n <= upto; n += 1) document.getElementById(`${file}${side}${n}`)?.closest("tr").classList.add("chosen");
}

// The suggestion begins as the lines it is about.
function suggest(form) {
  const path = form.elements.path.value;
  const file = [...document.querySelectorAll(".file-diff")].find((one) => one.dataset.path === path);
  const upto = Number(form.elements.key.value.slice(1));
  const from = Number(form.elements.start_line.value) || upto;
  const lines = [];
  for (let n = from; n <= upto; n += 1) {
    const line = document.getElementById(`${file.id}R${n}`);
    if (line) lines.push((line.querySelector(".text") || line).textContent);
  }
  const box = form.elements.body;
  const before = box.value && !box.value.endsWith("\n") ? `${box.value}\n` : box.value;
  box.value = `${before}\`\`\`suggestion\n${lines.join("\n")}\n\`\`\`\n`;
  const at = before.length + 14;
  box.focus();
  box.setSelectionRange(at, at + lines.join("\n").length);
}

// Boxes of a task list, for those who may edit the text.
function tasks() {
  for (const text of document.querySelectorAll(".prose[data-tasks]")) text.querySelectorAll(".task-list-item-checkbox").forEach((box) => { box.disabled = false; });
}

document.addEventListener("change", (event) => {
  const text = event.target.matches(".task-list-item-checkbox") && event.target.closest(".prose[data-tasks]");
  if (!text) return;
  const place = [...text.querySelectorAll(".task-list-item-checkbox")].indexOf(event.target);
  const form = document.getElementById(text.dataset.tasks);
  let count = -1;
  form.elements.body.value = text.dataset.source.replace(/^(\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s+\[)([ xX])(\])/gm, (whole, start, sign, rest) => {
    count += 1;
    return count === place ? `${start}${event.target.checked ? "x" : " "}${rest}` : whole;
  });
  form.requestSubmit();
});

document.addEventListener("htmx:afterSwap", tasks);
new MutationObserver(tasks).observe(document.body, { childList: true, subtree: true });
tasks();

// A box that ticks all others; choices that are sent as soon as they are made.
document.addEventListener("change", (event) => {
  const all = event.target.closest("[data-selects]");
  if (all) document.querySelectorAll(`input[name="${all.dataset.selects}"]`).forEach((box) => { box.checked = all.checked; });
  if (event.target.matches("[data-submits]")) event.target.form.requestSubmit();
});

// What a menu's own button did is done: the menu goes.
document.addEventListener("click", (event) => {
  const done = event.target.closest(".menu-panel button[type=button][data-copies], .menu-panel button[data-quotes], .menu-panel button[data-copies-text]");
  if (done) done.closest("details").open = false;
});
