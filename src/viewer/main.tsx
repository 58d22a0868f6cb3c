import { render } from "preact";
import { effect } from "@preact/signals";
import { readViewerOptions } from "../contract/page-options.ts";
import { Api, type DocumentRecord } from "./model/api.ts";
import { App } from "./app.tsx";
import { localiseTimes } from "./local-times.ts";
import { formatFragment, readFragment } from "./model/destination.ts";
import { followProgress } from "./progress.ts";
import { ViewerState } from "./state/viewer-state.ts";
import { texts } from "./texts/texts.ts";

// The page has an `article.document` with the viewer's options. It contains the element that the viewer fills.
const found = document.querySelector<HTMLElement>("article.document");
const empty = document.querySelector<HTMLElement>("[data-viewer]");
if (found !== null && empty !== null) void open(found, empty);

async function open(article: HTMLElement, container: HTMLElement): Promise<void> {
  try {
    const options = readViewerOptions(article.dataset);
    const { document: id, api: root, files, images: imageType, csrf: csrfToken, addons } = options;
    const isOnlyRead = options.reading;
    const start = options.fragment ?? "";
    const api = new Api({ root, files, id, imageType, isOnlyRead, addons, csrfToken });
    const isEmbedded = container.dataset["viewer"] === "embedded";
    const viewer = new ViewerState(api, await api.record(), {
      isEmbedded,
      start: readFragment(start),
      language: options.language,
    });
    if (start !== "" && !isEmbedded) takeAddressOf(viewer.record.value, start);
    const about = article.querySelector<HTMLElement>(".details");
    const parts = Array.from(document.querySelectorAll<HTMLElement>("[data-part]"));
    for (const part of parts) localiseTimes(part);
    document.body.classList.add("has-viewer");
    about?.remove();
    container.replaceChildren();
    render(<App viewer={viewer} about={about} />, container);
    followProgress(options, parts, viewer);
    const origin = article.querySelector<HTMLAnchorElement>("[data-origin]");
    if (origin !== null) leadToDestination(origin, viewer);
  } catch (error) {
    const notice = document.createElement("p");
    notice.className = "notice";
    notice.setAttribute("role", "alert");
    notice.textContent = texts.documentNotLoaded;
    container.replaceChildren(notice);
    throw error;
  }
}

/** Replaces the address of a part of the document by the canonical one: the document's, with the part as fragment. */
function takeAddressOf({ canonical_url }: DocumentRecord, start: string): void {
  const address = new URL(canonical_url);
  if (address.origin !== location.origin) return;
  address.search = location.search;
  address.hash = readFragment(location.hash) === null ? start : location.hash;
  history.replaceState(history.state, "", address);
}

/** Keeps the link below an embedded document pointing at the place and the search of its reader. */
function leadToDestination(link: HTMLAnchorElement, viewer: ViewerState): void {
  effect(() => {
    const note = viewer.openNote.value;
    const page = note === null ? undefined : viewer.noteById.value.get(note)?.page_number;
    const address = new URL(viewer.record.value.canonical_url);
    const query = viewer.search.current.value?.query;
    if (query !== undefined) address.searchParams.set("q", query);
    address.hash =
      page === undefined
        ? formatFragment({ page: viewer.scrolling.page.value, note: null })
        : formatFragment({ page: page + 1, note });
    link.href = address.href;
  });
}
