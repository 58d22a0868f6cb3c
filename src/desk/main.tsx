import { type VNode, render } from "preact";
import { type DeskPage, firstAnswerId, readDeskPage } from "../contract/page-options.ts";
import type { SearchResults } from "../contract/search.ts";
import { DocumentsPage } from "./documents-page.tsx";
import { keepFocus } from "./kept-focus.ts";
import { DeskApi } from "./model/desk-api.ts";
import { DocumentList } from "./model/document-list.ts";
import { SavedSearches } from "./model/saved-searches.ts";
import { texts as viewerTexts } from "../viewer/texts/texts.ts";

const found = document.querySelector<HTMLElement>("[data-desk]");
if (found !== null) void open(found);

async function open(element: HTMLElement): Promise<void> {
  const { page, options } = readDeskPage(element.dataset);
  try {
    const content = await contentOf(page, new DeskApi(options));
    element.replaceChildren();
    keepFocus(element);
    render(content, element);
  } catch (error) {
    element.replaceChildren();
    const notice = (
      <p class="notice" role="alert">
        {viewerTexts.partNotLoaded}
      </p>
    );
    render(notice, element);
    throw error;
  }
}

/** What the page has brought along for its list; null if it has not. */
function readFirstAnswer(): SearchResults | null {
  const json = document.getElementById(firstAnswerId)?.textContent;
  return json === undefined || json === null ? null : (JSON.parse(json) as SearchResults);
}

/** The list of documents is in the first script, and each other page in a chunk of its own. */
async function contentOf(page: DeskPage, api: DeskApi): Promise<VNode> {
  switch (page.name) {
    case "admin": {
      const { AdminApp } = await import("./admin/admin-app.tsx");
      return <AdminApp api={api} page={page.own} />;
    }
    case "documents":
      return (
        <DocumentsPage
          api={api}
          list={new DocumentList(api, window, readFirstAnswer())}
          saved={new SavedSearches(api)}
        />
      );
    case "redact":
      return (await import("./redacting/redact-page.tsx")).redactPageOf(api);
    case "spreadsheet":
      return (await import("./spreadsheet-page.tsx")).spreadsheetPageOf(api);
    case "trash":
      return (await import("./trash-page.tsx")).trashPageOf(api);
    case "replace":
      return (await import("./replace-page.tsx")).replacePageOf(api, page.own);
    case "project":
      return (await import("./project-page.tsx")).projectPageOf(api, page.own);
    case "upload":
      return (await import("./upload-page.tsx")).uploadPageOf(api);
  }
}
