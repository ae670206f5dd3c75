// Makes pages quicker; every page works without it.
"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const main = document.getElementById("main");

  // What was looked up last is kept in the phone, nowhere else.
  const KEY = "saitei.last";
  const last = () => {
    try { return JSON.parse(localStorage.getItem(KEY)) || []; } catch { return []; }
  };
  const keep = (list) => {
    try { localStorage.setItem(KEY, JSON.stringify(list)); } catch { /* not allowed here: nothing is kept */ }
  };
  const here = location.pathname + location.search;
  const title = main ? main.dataset.title : "";
  if (title && location.pathname !== "/" && !document.querySelector("[role=alert]") && location.pathname !== "/board") {
    keep([{ to: here, title }, ...last().filter((x) => x.to !== here)].slice(0, 12));
  }
  const box = document.getElementById("last");
  if (box) {
    const list = last();
    for (const item of list) {
      if (typeof item.to !== "string" || !item.to.startsWith("/") || item.to.startsWith("//")) continue;
      const a = document.createElement("a");
      a.href = item.to;
      a.textContent = item.title;
      const li = document.createElement("li");
      li.append(a);
      box.querySelector("ul").append(li);
    }
    box.hidden = list.length === 0;
    box.querySelector("[data-forget]").addEventListener("click", () => { keep([]); box.hidden = true; });
  }

  // Copying.
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    field.select();
    try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); }
    const before = button.textContent;
    button.textContent = "写しました";
    setTimeout(() => { button.textContent = before; }, 1500);
  });

  // Results while typing, on the pages that show results.
  const typed = document.getElementById("q");
  const game = document.getElementById("g");
  if (typed && document.getElementById("found")) {
    let timer = 0, asked = 0;
    const first = document.getElementById("found");
    const start = first.cloneNode(true);
    const look = async () => {
      const words = typed.value.trim();
      const mine = ++asked;
      if (!words) { document.getElementById("found").replaceWith(start.cloneNode(true)); return; }
      const query = new URLSearchParams({ q: words });
      if (game.value) query.set("g", game.value);
      const answer = await fetch("/find?" + query);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (mine !== asked) return;
      const found = page.getElementById("found");
      if (found) { document.getElementById("found").replaceWith(found); return; }
      // One clause was meant: a way to it.
      const a = document.createElement("a");
      a.href = new URL(answer.url).pathname;
      a.textContent = page.getElementById("main").dataset.title;
      const div = document.createElement("div");
      div.id = "found";
      div.append(a);
      document.getElementById("found").replaceWith(div);
    };
    const soon = () => { clearTimeout(timer); timer = setTimeout(() => look().catch(() => {}), 180); };
    typed.addEventListener("input", (event) => { if (!event.isComposing) soon(); });
    typed.addEventListener("compositionend", soon);
    game.addEventListener("change", soon);
    if (location.pathname === "/" && matchMedia("(min-width: 44rem)").matches) typed.focus();
  }

  // Sliding through the trace: the table as it was at each line, with the line and its clause.
  const slide = (section) => {
    const bar = section.querySelector("[data-slider]");
    if (!bar) return;
    const range = document.createElement("input");
    range.type = "range"; range.min = 1; range.max = bar.dataset.most; range.value = bar.dataset.slider;
    range.setAttribute("aria-label", "跡の何行目か");
    bar.append(range);
    let asked = 0;
    const show = async () => {
      const mine = ++asked;
      const to = new URL(location.href);
      to.searchParams.delete("at");
      to.searchParams.set("line", range.value);
      const page = new DOMParser().parseFromString(await (await fetch(to)).text(), "text/html");
      const found = page.getElementById("board");
      if (mine !== asked || !found) return;
      const held = document.activeElement === range;
      section.replaceWith(found);
      history.replaceState(null, "", to);
      slide(found);
      if (held) found.querySelector("[data-slider] input").focus({ preventScroll: true });
    };
    range.addEventListener("change", () => show().catch(() => {}));
  };
  const table = document.getElementById("board");
  if (table) slide(table);

  // The phone's own way to share, where it has one.
  const share = document.querySelector(".share");
  if (share && navigator.share) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "送る";
    button.addEventListener("click", () => navigator.share({ title: document.title, url: location.href }).catch(() => {}));
    share.append(button);
  }
})();
