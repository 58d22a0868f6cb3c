import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { KeySheet, useKeys } from "./keys.tsx";
import { NoteStrip } from "./notes.tsx";
import { Pages } from "./pages.tsx";
import { Panel } from "./panel.tsx";
import { closeWhereNarrow, keepToolUncovered } from "./model/narrow.ts";
import { readPlace } from "./model/place.ts";
import type { ViewerState } from "./state/viewer-state.ts";
import { followAddress } from "./state/follow-address.ts";
import { SelectionTools } from "./selection.tsx";
import { ShareDialog } from "./share.tsx";
import { type DocumentRecord, isTable } from "./model/api.ts";
import { TableView } from "./table-view.tsx";
import { TextView } from "./text-view.tsx";
import { Thumbnails } from "./thumbnails.tsx";
import { searchFor } from "./search-box.tsx";
import { Toolbar } from "./toolbar.tsx";
import { findWithoutPages } from "./tools.ts";
import { texts } from "./texts/texts.ts";

/** The viewer. `about` is the part of the page with the facts about the document. */
export function App({ reading, about }: { reading: ViewerState; about: HTMLElement | null }) {
  const dialog = useSignal<"keys" | "share" | null>(null);
  const [dialogs] = useState(() => ({
    onKeys: () => (dialog.value = "keys"),
    onShare: () => (dialog.value = "share"),
  }));
  const close = (): void => {
    dialog.value = null;
  };
  useKeys(reading, dialogs);
  useEffect(() => start(reading), [reading]);
  const hasPages = reading.record.value.page_count > 0;
  const view = reading.view.value;
  const OpenTool = reading.tool.value;
  return (
    <div class={`viewer${reading.isEmbedded ? " embedded" : ""}`}>
      <p class="visually-hidden" role="status">
        {reading.announcement.value}
      </p>
      <Toolbar reading={reading} {...dialogs} />
      <div class="viewer-body">
        <Panel reading={reading} about={about} />
        {reading.isEmbedded && view === "pages" && <NoteStrip reading={reading} />}
        {hasPages && view === "pages" && <Pages reading={reading} />}
        {hasPages && view === "grid" && <Thumbnails reading={reading} />}
        {hasPages && view === "text" && <TextView reading={reading} />}
        {view === "table" && <TableView reading={reading} />}
        {!hasPages && view !== "table" && reading.isEmbedded && (
          <p class="quiet no-pages">{texts.noPagesYet}</p>
        )}
        {!hasPages && view !== "table" && !reading.isEmbedded && <NoPages reading={reading} />}
        {OpenTool !== null && <OpenTool />}
      </div>
      {view === "pages" && <SelectionTools reading={reading} />}
      {dialog.value === "keys" && <KeySheet reading={reading} onClose={close} />}
      {dialog.value === "share" && <ShareDialog reading={reading} onClose={close} />}
    </div>
  );
}

/** Whether no page could be read, and the file itself is the reason. */
const isBroken = ({ status }: DocumentRecord): boolean => status === "error" || status === "nofile";

const mayMend = ({ api, record }: ViewerState): boolean => api.mayWrite && record.value.edit_access;

/** What people who may change a document without pages can do about that, once its chunk has been loaded. */
function NoPages({ reading }: { reading: ViewerState }) {
  const [Part, setPart] = useState<ComponentType<{ reading: ViewerState }> | null>(null);
  const isNeeded = mayMend(reading);
  useEffect(() => {
    if (isNeeded) void findWithoutPages(reading).then((part) => setPart(() => part));
  }, [reading, isNeeded]);
  return Part === null ? null : <Part key={reading.record.value.status} reading={reading} />;
}

/**
 * Goes to the place in the page's address, and runs the search in it. Returns a function that stops following these,
 * and the width of the window.
 */
function start(reading: ViewerState): (() => void) | undefined {
  const place = readPlace(location.hash) ?? reading.start;
  if (place !== null) reading.goToPlace(place);
  const query = new URLSearchParams(location.search).get("q") ?? "";
  if (query.trim() !== "" && reading.record.value.page_count > 0)
    void searchFor(reading, query, place?.page ?? 1);
  else if (reading.record.value.page_count === 0) {
    if (isTable(reading.record.value)) reading.view.value = "table";
    else if (!reading.isEmbedded) {
      reading.panel.value = "about";
      // What can be done about such a file stands where the pages would be.
      if (mayMend(reading) && isBroken(reading.record.value)) closeWhereNarrow(reading);
    }
  }
  const stops = [followAddress(reading), reading.search.lightHits(), keepToolUncovered(reading)];
  return () => {
    for (const stop of stops) stop();
  };
}
