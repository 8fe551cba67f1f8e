"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const days = new Map();
const day = (name) => {
  if (!days.has(name)) days.set(name, { summary: "", messages: [] });
  return days.get(name);
};
for (const [name, text] of data.summaries) day(name).summary = text;
for (const row of data.messages) day(row[0]).messages.push(row);
const names = [...days.keys()].sort();
const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
let words = [];
let month = (names[names.length - 1] || data.made).slice(0, 7);
let current = "";

// Texts are only ever set as text, never as HTML.
function make(tag, text, parent) {
  const element = document.createElement(tag);
  if (text) element.textContent = text;
  if (parent) parent.append(element);
  return element;
}
function marked(text, parent) {
  const pattern = words.map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  if (!pattern) return parent.append(text);
  let at = 0;
  for (const found of text.matchAll(new RegExp(pattern, "giu"))) {
    parent.append(text.slice(at, found.index));
    make("mark", found[0], parent);
    at = found.index + found[0].length;
  }
  parent.append(text.slice(at));
}
function entry(title, text) {
  const article = make("article", "", byId("shown"));
  make("small", title, article);
  marked(text, article);
}
function begin(title) {
  document.body.classList.toggle("searching", words.length > 0);
  byId("shown").replaceChildren();
  make("h2", title, byId("shown"));
}
function show(name) {
  current = name;
  begin(name);
  const found = day(name);
  if (found.summary) entry("Summary", found.summary);
  for (const [, time, who, text] of found.messages) entry(`${time} ${who}`, text);
  calendar();
}
function known() {
  current = "";
  begin("What Sam knows");
  let before = "";
  for (const [category, text, since] of data.facts) {
    if (category !== before) make("h3", (before = category), byId("shown"));
    entry(since ? `since ${since}` : "", text);
  }
  if (!data.facts.length) make("p", "Nothing yet.", byId("shown"));
  calendar();
}
function search() {
  words = byId("words").value.trim().split(/\s+/).filter(Boolean);
  const wanted = words.map(fold);
  if (!wanted.length) return current ? show(current) : latest();
  const fits = (text) => { const there = fold(text); return wanted.every((w) => there.includes(w)); };
  const found = [];
  for (const [category, text] of data.facts) if (fits(text)) found.push([category, text]);
  for (const name of [...names].reverse()) {
    const { summary, messages } = days.get(name);
    for (const line of summary.split("\n")) if (fits(line)) found.push([`${name}, summary`, line]);
    for (const [, time, who, text] of messages) if (fits(text)) found.push([`${name} ${time} ${who}`, text]);
    if (found.length > 200) break;
  }
  begin(found.length ? "Found" : "Nothing has these words");
  for (const [title, text] of found.slice(0, 200)) entry(title, text);
  if (found.length > 200) make("p", "More is found than is shown: add a word.", byId("shown"));
}
function calendar() {
  const [year, number] = month.split("-").map(Number);
  byId("month").textContent = month;
  const table = byId("calendar");
  table.replaceChildren();
  const head = make("tr", "", table);
  for (const name of ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]) make("th", name, head);
  const first = new Date(Date.UTC(year, number - 1, 1));
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  let row = make("tr", "", table);
  for (let empty = (first.getUTCDay() + 6) % 7; empty; empty--) make("td", "", row);
  for (let at = 1; at <= count; at++) {
    if (row.children.length === 7) row = make("tr", "", table);
    const name = `${month}-${String(at).padStart(2, "0")}`;
    const cell = make("td", days.has(name) ? "" : String(at), row);
    if (!days.has(name)) continue;
    const button = make("button", String(at), cell);
    if (name === current) button.setAttribute("aria-current", "date");
    button.addEventListener("click", () => choose(() => show(name)));
  }
  const months = [...new Set(names.map((name) => name.slice(0, 7)))];
  byId("back").disabled = !months.some((name) => name < month);
  byId("on").disabled = !months.some((name) => name > month);
  byId("back").onclick = () => turn(months.filter((name) => name < month).pop());
  byId("on").onclick = () => turn(months.find((name) => name > month));
}
function choose(showing) {
  words = [];
  byId("words").value = "";
  showing();
  // On a phone it is below the calendar.
  const list = byId("shown");
  if (list.offsetTop > byId("days").offsetTop) list.scrollIntoView();
}
function turn(name) { month = name; calendar(); }
function latest() { if (names.length) show(names[names.length - 1]); else known(); }
let waiting = 0;
byId("words").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 150); });
byId("known").addEventListener("click", () => choose(known));
byId("about").textContent = data.about;
latest();
