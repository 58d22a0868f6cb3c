import { render } from "preact";
import { effect } from "@preact/signals";
import { readViewerOptions } from "../contract/page-options.ts";
import { Api, type DocumentRecord } from "./model/api.ts";
import { App } from "./app.tsx";
import { localiseTimes } from "./local-times.ts";
import { formatPlace, readPlace } from "./model/place.ts";
import { followProgress } from "./progress.ts";
import { ViewerState } from "./state/viewer-state.ts";
import { texts } from "./texts/texts.ts";

// The page has an `article.document` with the viewer's options. It contains the element that the viewer fills.
const found = document.querySelector<HTMLElement>("article.document");
const empty = document.querySelector<HTMLElement>("[data-viewer]");
if (found !== null && empty !== null) void open(found, empty);

async function open(article: HTMLElement, place: HTMLElement): Promise<void> {
  try {
    const options = readViewerOptions(article.dataset);
    const { document: id, api: root, files, images: imageType, csrf: csrfToken } = options;
    const start = options.place ?? "";
    const api = new Api({ root, files, id, imageType, csrfToken });
    const isEmbedded = place.dataset["viewer"] === "embedded";
    const reading = new ViewerState(api, await api.record(), {
      isEmbedded,
      start: readPlace(start),
    });
    if (start !== "" && !isEmbedded) takeAddressOf(reading.record.value, start);
    const about = article.querySelector<HTMLElement>(".details");
    const parts = Array.from(article.querySelectorAll<HTMLElement>("[data-part]"));
    for (const part of parts) localiseTimes(part);
    document.body.classList.add("has-viewer");
    about?.remove();
    place.replaceChildren();
    render(<App reading={reading} about={about} />, place);
    followProgress(options, parts, reading);
    const origin = article.querySelector<HTMLAnchorElement>("[data-origin]");
    if (origin !== null) leadToPlace(origin, reading);
  } catch (error) {
    const notice = document.createElement("p");
    notice.className = "notice";
    notice.setAttribute("role", "alert");
    notice.textContent = texts.documentNotLoaded;
    place.replaceChildren(notice);
    throw error;
  }
}

/** Replaces the address of a part of the document by the canonical one: the document's, with the part as fragment. */
function takeAddressOf({ canonical_url }: DocumentRecord, start: string): void {
  const address = new URL(canonical_url);
  if (address.origin !== location.origin) return;
  address.search = location.search;
  address.hash = readPlace(location.hash) === null ? start : location.hash;
  history.replaceState(history.state, "", address);
}

/** Keeps the link below an embedded document pointing at the place and the search of its reader. */
function leadToPlace(link: HTMLAnchorElement, reading: ViewerState): void {
  effect(() => {
    const note = reading.openNote.value;
    const page = note === null ? undefined : reading.noteById.value.get(note)?.page_number;
    const address = new URL(reading.record.value.canonical_url);
    const query = reading.search.current.value?.query;
    if (query !== undefined) address.searchParams.set("q", query);
    address.hash =
      page === undefined
        ? formatPlace({ page: reading.scrolling.page.value, note: null })
        : formatPlace({ page: page + 1, note });
    link.href = address.href;
  });
}
