// Keys for lists of facts, dragging and zooming of the graph, and words for screen readers. Pages work without it.
"use strict";

const rows = () => [...document.querySelectorAll("[data-keys] .fact")];
let at = -1;

function walk(step) {
  const all = rows();
  if (!all.length) return;
  at = Math.max(0, Math.min(all.length - 1, at + step));
  all.forEach((row, number) => row.classList.toggle("at", number === at));
  all[at].querySelector("a").focus();
  all[at].scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  if (event.key === "j") walk(1);
  else if (event.key === "k") walk(-1);
  else if (event.key === "x" && at >= 0 && rows()[at]) rows()[at].querySelector(".moves form[action$=\"/forget\"] button, .moves form[action$=\"/restore\"] button")?.click();
  else if (event.key === "a" && at >= 0 && rows()[at]) rows()[at].querySelector(".moves form[action$=\"/accept\"] button")?.click();
  else if (event.key === "/" && document.querySelector("form[role=search] input")) {
    event.preventDefault();
    document.querySelector("form[role=search] input").focus();
  }
});

document.addEventListener("htmx:beforeSwap", (event) => {
  // What went wrong is shown where it was asked for, and the row stays.
  const status = event.detail.xhr.status;
  if (status >= 400 && status !== 401) {
    event.detail.shouldSwap = true;
    event.detail.isError = false;
    event.detail.target = document.getElementById("told");
    event.detail.swapOverride = "innerHTML";
  }
});

document.addEventListener("htmx:afterSwap", (event) => {
  // Only of what a person did; a part that loads by itself is no news.
  if (event.detail.target.id !== "told" && event.detail.requestConfig?.verb === "post") document.getElementById("told").textContent = "Done.";
});

for (const graph of document.querySelectorAll(".graph svg")) {
  const box = graph.viewBox.baseVal;
  let held = null;
  // The whole box is shown, in the middle: the side that has less room decides.
  const scale = () => Math.max(box.width / graph.clientWidth, box.height / graph.clientHeight);
  graph.addEventListener("wheel", (event) => {
    event.preventDefault();
    const factor = event.deltaY > 0 ? 1.15 : 1 / 1.15;
    const place = graph.getBoundingClientRect();
    const x = box.x + box.width / 2 + (event.clientX - place.left - place.width / 2) * scale();
    const y = box.y + box.height / 2 + (event.clientY - place.top - place.height / 2) * scale();
    box.x = x - (x - box.x) * factor;
    box.y = y - (y - box.y) * factor;
    box.width *= factor;
    box.height *= factor;
  }, { passive: false });
  graph.addEventListener("pointerdown", (event) => { held = event; });
  graph.addEventListener("pointermove", (event) => {
    if (!held || !event.buttons) return;
    box.x -= (event.clientX - held.clientX) * scale();
    box.y -= (event.clientY - held.clientY) * scale();
    held = event;
  });
  graph.addEventListener("pointerup", () => { held = null; });
}
