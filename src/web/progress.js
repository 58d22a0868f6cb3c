/*
 * Keeps the page of a document that is being processed up to date, in place. Page counts come from the server's
 * events; when the next step begins, the page is fetched again and its changed parts replace the old ones. Nothing
 * else moves: not the scroll position, not the focus, not a PDF that a person is reading.
 */

const retryMilliseconds = 10_000;

const article = document.querySelector("article[data-events]");
if (article !== null) follow(article.dataset.events);

/** The browser reconnects by itself when the server ends the stream, but not when the server refuses it. */
function follow(address) {
  const source = new EventSource(address);
  source.addEventListener("progress", ({ data }) => void onProgress(JSON.parse(data), source));
  source.addEventListener("error", () => {
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(() => {
      void refresh().then((isBusy) => isBusy && follow(address));
    }, retryMilliseconds);
  });
}

let isRefreshing = false;

async function onProgress({ status, step, pages_done: done, pages }, source) {
  if (article.dataset.stage === `${status} ${step ?? ""}`) {
    if (done !== null && pages !== null) count(done, pages);
    return;
  }
  if (isRefreshing) return;
  isRefreshing = true;
  const isBusy = await refresh();
  isRefreshing = false;
  if (!isBusy) source.close();
}

function count(done, pages) {
  const bar = article.querySelector("progress");
  const words = article.querySelector("[data-count]");
  if (bar === null || words === null) return;
  bar.max = pages;
  bar.value = done;
  words.textContent = `, ${done} of ${pages} pages done`;
}

/** Whether the document is still being processed; also true if the page cannot be fetched now. */
async function refresh() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
  if (answer === null || answer.status >= 500) return true;
  if (!answer.ok) return false;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelector("article.document");
  if (fresh === null) return false;
  for (const part of article.querySelectorAll("[data-part]")) {
    const changed = fresh.querySelector(`[data-part="${part.dataset.part}"]`);
    if (changed !== null && changed.innerHTML !== part.innerHTML) replaceContent(part, changed);
  }
  const { stage, said, events } = fresh.dataset;
  if (article.dataset.said !== said) article.querySelector("[data-announcement]").textContent = said;
  Object.assign(article.dataset, { stage, said });
  return events !== undefined;
}

/** Restores the focus if the focused element still exists. */
function replaceContent(part, changed) {
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  part.replaceChildren(...document.importNode(changed, true).childNodes);
  if (focused === null) return;
  const alike = Array.from(part.querySelectorAll(focused.localName));
  const same =
    alike.find(({ textContent }) => textContent === focused.textContent) ??
    alike.find((element) => element.className === focused.className);
  same?.focus({ preventScroll: true });
}
