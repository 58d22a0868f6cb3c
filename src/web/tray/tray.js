// The tray of running work, and the page of an import. Pages of people for whom nothing runs do not load it. It reads what
// the server shows at an address again while something runs and the page is visible, less often the longer nothing
// changes, and announces only what ends or needs the person.

const tray = document.querySelector("[data-tray]");
const isPage = tray.closest("main") !== null;
const announced = document.createElement("p");
announced.className = "visually-hidden";
announced.setAttribute("role", "status");
tray.after(announced);

const briefly = 3000;
const long = 20_000;
let pause = briefly;
let shown = "";

async function refresh() {
  if (document.hidden) return later();
  const held = sessionStorage.getItem("held-back") ?? "0";
  const answer = await fetch(`${tray.dataset.tray}?part=${isPage ? "page" : "tray"}&held=${held}`, {
    redirect: "error",
  }).catch(() => null);
  if (answer === null || !answer.ok) return later();
  const text = await answer.text();
  pause = text === shown ? Math.min(pause * 1.5, long) : briefly;
  if (text !== shown) show(text);
  shown = text;
  if (tray.querySelector("[data-ended]") === null) later();
  else sessionStorage.removeItem("held-back");
}

function later() {
  setTimeout(refresh, pause);
}

function show(text) {
  const before = tray.querySelector("[data-news]");
  const next = new DOMParser().parseFromString(text, "text/html").querySelector("[data-news]");
  next.open = isPage || sessionStorage.getItem("tray") === "open";
  next.addEventListener("toggle", () => {
    if (next.isConnected) sessionStorage.setItem("tray", next.open ? "open" : "closed");
  });
  // The focus stays where it is, although its element is replaced.
  const focused = before?.contains(document.activeElement) ? document.activeElement : null;
  const isNews = before !== null && before.dataset.news !== next.dataset.news;
  tray.replaceChildren(next);
  const isSame = (one) =>
    one.href === focused?.href && (one.href ?? one.textContent === focused?.textContent);
  const same = [...next.querySelectorAll("a, button")].find(isSame);
  if (focused !== null) (same ?? next.querySelector("summary, a, button"))?.focus();
  if (isNews) announced.textContent = next.querySelector(".work-head").textContent;
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) pause = briefly;
});
void refresh();
