import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { KeySheet, useKeys } from "./keys.tsx";
import { NoteStrip } from "./notes.tsx";
import { Pages } from "./pages.tsx";
import { Panel } from "./panel.tsx";
import { closeWhereNarrow, keepToolUncovered } from "./model/narrow.ts";
import { readAction, readFragment } from "./model/destination.ts";
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
import { findWithoutPages, openDocumentAction } from "./tools.ts";
import { texts } from "./texts/texts.ts";

/** The viewer. `about` is the part of the page with the facts about the document. */
export function App({ viewer, about }: { viewer: ViewerState; about: HTMLElement | null }) {
  const dialog = useSignal<"keys" | "share" | null>(null);
  const [dialogs] = useState(() => ({
    onKeys: () => (dialog.value = "keys"),
    onShare: () => (dialog.value = "share"),
  }));
  const close = (): void => {
    dialog.value = null;
  };
  useKeys(viewer, dialogs);
  useEffect(() => start(viewer), [viewer]);
  const hasPages = viewer.record.value.page_count > 0;
  const view = viewer.view.value;
  const OpenTool = viewer.tool.value;
  return (
    <div class={`viewer${viewer.isEmbedded ? " embedded" : ""}`}>
      <p class="visually-hidden" role="status">
        {viewer.announcement.value}
      </p>
      <Toolbar viewer={viewer} {...dialogs} />
      <div class="viewer-body">
        <Panel viewer={viewer} about={about} />
        {viewer.isEmbedded && view === "pages" && <NoteStrip viewer={viewer} />}
        {hasPages && view === "pages" && <Pages viewer={viewer} />}
        {hasPages && view === "grid" && <Thumbnails viewer={viewer} />}
        {hasPages && view === "text" && <TextView viewer={viewer} />}
        {view === "table" && <TableView viewer={viewer} />}
        {!hasPages && view !== "table" && viewer.isEmbedded && (
          <p class="quiet no-pages">{texts.noPagesYet}</p>
        )}
        {!hasPages && view !== "table" && !viewer.isEmbedded && <NoPages viewer={viewer} />}
        {OpenTool !== null && <OpenTool />}
      </div>
      {view === "pages" && <SelectionTools viewer={viewer} />}
      {dialog.value === "keys" && <KeySheet viewer={viewer} onClose={close} />}
      {dialog.value === "share" && <ShareDialog viewer={viewer} onClose={close} />}
    </div>
  );
}

/** Whether no page could be read, and the file itself is the reason. */
const isBroken = ({ status }: DocumentRecord): boolean => status === "error" || status === "nofile";

/** What people who may change a document without pages can do about that, once its chunk has been loaded. */
function NoPages({ viewer }: { viewer: ViewerState }) {
  const [Part, setPart] = useState<ComponentType<{ viewer: ViewerState }> | null>(null);
  const isNeeded = viewer.mayEdit;
  useEffect(() => {
    if (isNeeded) void findWithoutPages(viewer).then((part) => setPart(() => part));
  }, [viewer, isNeeded]);
  return Part === null ? null : <Part key={viewer.record.value.status} viewer={viewer} />;
}

/**
 * Goes to the place in the page's address, and runs the search in it. Returns a function that stops following these,
 * and the width of the window.
 */
function start(viewer: ViewerState): (() => void) | undefined {
  const destination = readFragment(location.hash) ?? viewer.start;
  if (destination !== null) viewer.goTo(destination);
  const query = new URLSearchParams(location.search).get("q") ?? "";
  if (query.trim() !== "" && viewer.record.value.page_count > 0)
    void searchFor(viewer, query, destination?.page ?? 1);
  else if (viewer.record.value.page_count === 0) {
    if (isTable(viewer.record.value)) viewer.view.value = "table";
    else if (!viewer.isEmbedded) {
      viewer.panel.value = "about";
      // What can be done about such a file stands where the pages would be.
      if (viewer.mayEdit && isBroken(viewer.record.value)) closeWhereNarrow(viewer);
    }
  }
  const action = readAction(location.hash);
  if (action !== null && viewer.mayEdit && !viewer.isEmbedded) void openDocumentAction(action, viewer);
  const stops = [followAddress(viewer), viewer.search.lightHits(), keepToolUncovered(viewer)];
  return () => {
    for (const stop of stops) stop();
  };
}
