import { render } from "preact";
import { Api } from "./model/api.ts";
import { App } from "./app.tsx";
import { localiseTimes } from "./local-times.ts";
import { followProgress } from "./progress.ts";
import { Reading } from "./model/reading.ts";

/*
 * The page has an `article.document` with `data-document` (the document's id), `data-api` (the address of the API) and
 * `data-images` (the type of page images, if there are any), and in it the element that the viewer fills.
 */

const found = document.querySelector<HTMLElement>("article.document");
const empty = document.querySelector<HTMLElement>("[data-viewer]");
if (found !== null && empty !== null) void open(found, empty);

async function open(article: HTMLElement, place: HTMLElement): Promise<void> {
  const { document: id, api: root = "/api/", images } = article.dataset;
  const api = new Api(root, Number(id), images ?? null);
  try {
    const isEmbedded = place.dataset["viewer"] === "embedded";
    const reading = new Reading(api, await api.record(), { isEmbedded });
    const about = article.querySelector<HTMLElement>(".details");
    const parts = Array.from(article.querySelectorAll<HTMLElement>("[data-part]"));
    for (const part of parts) localiseTimes(part);
    document.body.classList.add("has-viewer");
    about?.remove();
    place.replaceChildren();
    render(<App reading={reading} about={about} />, place);
    followProgress(article, parts, reading);
  } catch (error) {
    const notice = document.createElement("p");
    notice.className = "notice";
    notice.setAttribute("role", "alert");
    notice.textContent = "The document could not be loaded. Check the connection and reload the page.";
    place.replaceChildren(notice);
    throw error;
  }
}
