import { useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { maxQueryLength } from "../contract/limits.ts";
import { hasRoomForPanel } from "./model/narrow.ts";
import type { ViewerState } from "./state/viewer-state.ts";
import { texts } from "./texts/texts.ts";

/** The search within the document. */
export function SearchBox({ viewer }: { viewer: ViewerState }) {
  const input = useRef<HTMLInputElement>(null);
  const search = viewer.search.current.value;
  // The box also shows a search that started elsewhere, such as one from the address.
  useSignalEffect(() => {
    const query = viewer.search.current.value?.query;
    if (query !== undefined && input.current !== null && document.activeElement !== input.current)
      input.current.value = query;
  });
  const hasHits = (search?.found?.count ?? 0) > 0;
  const run = (): void => {
    const query = input.current?.value ?? "";
    if (query === search?.query && hasHits) void viewer.search.step(1);
    else void searchFor(viewer, query);
  };
  return (
    <form
      class="viewer-search"
      role="search"
      aria-label={texts.searchRegion}
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <input
        id="viewer-search"
        ref={input}
        type="search"
        maxLength={maxQueryLength}
        autocomplete="off"
        enterkeyhint="search"
        aria-label={texts.searchHere}
        placeholder={texts.searchHere}
        defaultValue={search?.query ?? ""}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.isComposing) return;
          event.preventDefault();
          if (event.shiftKey && hasHits) void viewer.search.step(-1);
          else run();
        }}
        onInput={(event) => {
          if (event.currentTarget.value === "") void viewer.search.find("");
        }}
      />
      <button type="button" class="button small search-button" onClick={run}>
        {texts.search}
      </button>
      <Hits viewer={viewer} />
    </form>
  );
}

/** How many hits there are, and the way to the next one. */
function Hits({ viewer }: { viewer: ViewerState }) {
  const search = viewer.search.current.value;
  if (search === null) return null;
  const isListed = viewer.panel.value === "search";
  const { found } = search;
  return (
    <>
      <button
        type="button"
        class="button small hit-count"
        aria-expanded={isListed}
        aria-controls="viewer-panel"
        onClick={() => (viewer.panel.value = isListed ? null : "search")}
      >
        {countInWords(viewer)}
        <span class="visually-hidden">
          {found !== null && found.hitCount === null ? texts.listPages : texts.listHits}
        </span>
      </button>
      {(found?.count ?? 0) > 0 && (
        <span class="button-group">
          <button
            type="button"
            class="button small"
            aria-label={texts.previousHit}
            onClick={() => void viewer.search.step(-1)}
          >
            ↑
          </button>
          <button
            type="button"
            class="button small"
            aria-label={texts.nextHit}
            onClick={() => void viewer.search.step(1)}
          >
            ↓
          </button>
        </span>
      )}
    </>
  );
}

/** Searches, and opens the list of hits beside the pages if there is room. */
export async function searchFor(viewer: ViewerState, query: string, fromPage?: number): Promise<void> {
  await viewer.search.find(query, fromPage);
  const hasRoom = matchMedia(hasRoomForPanel).matches && !viewer.isEmbedded;
  const { search, panel } = viewer;
  if (search.current.value === null && panel.value === "search") panel.value = null;
  else if (search.current.value !== null && hasRoom) panel.value = "search";
}

function countInWords(viewer: ViewerState): string {
  const search = viewer.search.current.value;
  if (search === null || search.state === "running") return "…";
  const { found } = search;
  const { formats } = texts;
  if (found === null) return "0 / 0";
  if (found.hitCount !== null)
    return `${formats.number(viewer.search.hitNumber.value)} / ${formats.number(found.hitCount)}`;
  return `${formats.number(viewer.search.hitPageNumber.value)} / ${formats.number(found.count)}`;
}
