import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { type FoundPages, chunkSize } from "./model/found-pages.ts";
import type { PageHits } from "./model/hits.ts";
import { type ViewerState } from "./state/viewer-state.ts";
import { hitsInWords } from "./state/document-search.ts";
import { closeWhereNarrow } from "./model/narrow.ts";
import { texts } from "./texts/texts.ts";

/** The pages that match the search, with the text around the hits. */
export function HitList({ viewer }: { viewer: ViewerState }) {
  const search = viewer.search.current.value;
  if (search === null) return <p class="quiet">{texts.searchForWords}</p>;
  if (search.state === "running") return <p class="quiet">{texts.searching}</p>;
  if (search.found === null)
    return (
      <>
        <p class="problem">{texts.searchFailed}.</p>
        <p class="buttons">
          <button type="button" class="button small" onClick={() => void viewer.search.find(search.query)}>
            {texts.tryAgain}
          </button>
        </p>
      </>
    );
  if (search.found.count === 0) return <p class="quiet">{texts.nothingFound}.</p>;
  return (
    <>
      <p class="quiet">{hitsInWords(search.found)}</p>
      <Chunks key={search.found} viewer={viewer} found={search.found} />
    </>
  );
}

/** The maximum number of chunks in the list: 10,000 matching pages would be too many for the DOM. */
const maxListed = 4;

/**
 * The chunks in the list, and the function that shows another one: the reader sees the same hits as before at the same
 * place.
 */
function useChunks(viewer: ViewerState, found: FoundPages) {
  const rank = Math.max(0, viewer.search.hitPageNumber.peek() - 1);
  const first = useSignal(Math.floor(rank / chunkSize));
  const last = useSignal(first.peek());
  const hasFailed = useSignal(false);
  const end = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  /** An element that stays in the list, and its position before others were added or removed. */
  const anchor = useRef<{ element: Element; top: number } | null>(null);

  const show = async (chunk: number): Promise<void> => {
    hasFailed.value = false;
    try {
      await found.getChunk(chunk);
    } catch {
      hasFailed.value = true;
      return;
    }
    const isLater = chunk > last.peek();
    const from = isLater ? Math.max(first.peek(), chunk - maxListed + 1) : chunk;
    const to = isLater ? chunk : Math.min(last.peek(), chunk + maxListed - 1);
    const stays = list.current?.querySelector(`[data-chunk="${Math.max(from, first.peek())}"]`) ?? null;
    anchor.current = stays && { element: stays, top: stays.getBoundingClientRect().top };
    first.value = from;
    last.value = to;
  };
  useLayoutEffect(() => {
    if (anchor.current === null) return;
    const { element, top } = anchor.current;
    anchor.current = null;
    const scroller = element.closest(".viewer-panel");
    if (scroller !== null) scroller.scrollTop += element.getBoundingClientRect().top - top;
  }, [first.value, last.value]);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting) && last.peek() + 1 < found.chunkCount)
          void show(last.peek() + 1);
      },
      { rootMargin: "50% 0px" },
    );
    if (end.current !== null) observer.observe(end.current);
    return () => observer.disconnect();
    // Observing again after each addition triggers the next one if the end is still near.
  }, [last.value]);
  return { first, last, hasFailed, list, end, show };
}

/** The list, from the current hit on. As the reader scrolls, it fetches the next pages and drops the first ones. */
function Chunks({ viewer, found }: { viewer: ViewerState; found: FoundPages }) {
  const { first, last, hasFailed, list, end, show } = useChunks(viewer, found);
  // A chunk that the cache has dropped is fetched again.
  const chunks = Array.from({ length: last.value - first.value + 1 }, (_, index) => first.value + index);
  useEffect(() => {
    for (const chunk of chunks) if (found.findChunk(chunk) === undefined) void found.getChunk(chunk);
  });
  return (
    <>
      {first.value > 0 && (
        <p class="buttons">
          <button type="button" class="button small" onClick={() => void show(first.value - 1)}>
            {texts.earlierPages}
          </button>
        </p>
      )}
      <ol class="hit-list" ref={list} start={first.value * chunkSize + 1}>
        {chunks.flatMap((chunk) =>
          (found.findChunk(chunk) ?? []).map((hits, index) => (
            <HitsOfPage key={hits.page} viewer={viewer} hits={hits} {...(index === 0 ? { chunk } : {})} />
          )),
        )}
      </ol>
      {hasFailed.value && (
        <p class="buttons">
          <button type="button" class="button small" onClick={() => void show(last.value + 1)}>
            {texts.morePages}
          </button>
        </p>
      )}
      <div ref={end}>{last.value + 1 < found.chunkCount && <p class="quiet">{texts.loading}</p>}</div>
    </>
  );
}

/** `chunk` is set only for the first page of a chunk. */
function HitsOfPage({ viewer, hits, chunk }: { viewer: ViewerState; hits: PageHits; chunk?: number }) {
  let index = 0;
  // A page may match without a hit in its text.
  const fragments = hits.fragments.length === 0 ? [[]] : hits.fragments;
  return (
    <li data-chunk={chunk}>
      {fragments.map((pieces, number) => {
        const first = index;
        index += pieces.filter(({ isHit }) => isHit).length;
        const current = viewer.search.currentHit.value;
        const isCurrent =
          current?.page === hits.page &&
          current.index >= first &&
          (current.index < index || fragments.length === 1);
        return (
          <a
            key={number}
            href={`#document/p${hits.page}`}
            aria-current={isCurrent ? "true" : undefined}
            dir="auto"
            onClick={(event) => {
              event.preventDefault();
              viewer.search.goToHit({ page: hits.page, index: first });
              closeWhereNarrow(viewer);
            }}
          >
            {number === 0 && <strong>{texts.page(hits.page)} </strong>}
            {pieces.map(({ text, isHit }) => (isHit ? <mark>{text}</mark> : text))}
          </a>
        );
      })}
    </li>
  );
}
