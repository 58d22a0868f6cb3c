import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ViewerState } from "./state/viewer-state.ts";
import { texts } from "./texts/texts.ts";

const pagesAtOnce = 5;

/** The document as flowing text, with a heading for each page, starting at the current page. */
export function TextView({ viewer }: { viewer: ViewerState }) {
  const scroller = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const first = useSignal(viewer.scrolling.page.peek());
  const last = useSignal(Math.min(viewer.record.peek().page_count, first.peek() + pagesAtOnce - 1));
  const count = viewer.record.value.page_count;
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting))
          last.value = Math.min(viewer.record.peek().page_count, last.value + pagesAtOnce);
      },
      { root: scroller.current, rootMargin: "100% 0px" },
    );
    if (end.current !== null) observer.observe(end.current);
    return () => observer.disconnect();
    // Observing again after each addition triggers the next one if the end is still near.
  }, [last.value]);
  useLayoutEffect(() => scroller.current?.focus({ preventScroll: true }), []);
  const numbers = Array.from({ length: last.value - first.value + 1 }, (_, index) => first.value + index);
  return (
    <div class="text-view" ref={scroller} role="region" aria-label={texts.views.text} tabIndex={0}>
      {first.value > 1 && (
        <p class="buttons">
          <button
            type="button"
            class="button small"
            onClick={() => (first.value = Math.max(1, first.value - pagesAtOnce))}
          >
            {texts.earlierPages}
          </button>
        </p>
      )}
      {numbers.map((page) => (
        <TextOfPage key={page} viewer={viewer} page={page} />
      ))}
      <div ref={end}>{last.value === count && <p class="quiet">{texts.endOfDocument}</p>}</div>
    </div>
  );
}

function TextOfPage({ viewer, page }: { viewer: ViewerState; page: number }) {
  const text = useText(viewer, page);
  return (
    <section aria-label={texts.page(page)} aria-busy={text === null}>
      <h2>
        <a
          href={`#document/p${page}`}
          onClick={(event) => {
            event.preventDefault();
            viewer.showPages(page);
          }}
        >
          {texts.page(page)}
        </a>
      </h2>
      {text !== null && (
        <p class="page-text" lang={viewer.languageTag} dir="auto">
          {text.trim() === "" ? texts.noText : text}
        </p>
      )}
    </section>
  );
}

/** The text of a page; null until it is loaded, and empty if there is none or it cannot be loaded. */
export function useText(viewer: ViewerState, page: number): string | null {
  const [text, setText] = useState<string | null>(null);
  const record = viewer.record.value;
  useEffect(() => {
    const leaving = new AbortController();
    viewer.api.text(record, page - 1, leaving.signal).then(setText, () => {
      if (!leaving.signal.aborted) setText("");
    });
    return () => leaving.abort();
  }, [record, page]);
  return text;
}
