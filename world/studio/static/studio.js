// The studio's pages: parts that come late, and the page of a run.
import { loadLate } from "./late.js";
import { openRun } from "./run.js";
import { followWorld } from "./world.js";

const time = document.querySelector("#time[data-run]");
if (time) openRun(time);
else loadLate(document);

const now = document.querySelector("#now[data-now]");
if (now) followWorld(now);

const onward = document.querySelector("a[data-go]"); // a form's answer may not lead to another origin, a page may
if (onward) location.replace(onward.href);
