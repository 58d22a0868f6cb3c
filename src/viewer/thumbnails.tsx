import { useLayoutEffect, useRef } from "preact/hooks";
import { PageImage } from "./page.tsx";
import { useGridWindow } from "./model/grid-window.ts";
import type { ViewerState } from "./state/viewer-state.ts";
import { px } from "./model/style-values.ts";
import { texts } from "./texts/texts.ts";

const cell = { width: 172, height: 236 };

/** Small images of all pages, as links to them. Only the rows near the window are in the DOM. */
export function Thumbnails({ viewer }: { viewer: ViewerState }) {
  const scroller = useRef<HTMLDivElement>(null);
  const record = viewer.record.value;
  const count = record.page_count;
  const { columns, first, past, onScroll } = useGridWindow(scroller, cell, count);
  const here = viewer.scrolling.page.peek();
  useLayoutEffect(() => {
    if (columns > 0 && scroller.current !== null)
      scroller.current.scrollTop = Math.floor((here - 1) / columns) * cell.height - cell.height;
  }, [columns]);
  const numbers = Array.from({ length: Math.max(0, past - first) }, (_, index) => first + index + 1);
  return (
    <div
      class="thumbnails"
      ref={scroller}
      role="region"
      aria-label={texts.views.grid}
      tabIndex={0}
      onScroll={onScroll}
    >
      <ol
        class="thumbnail-grid"
        style={{ height: px(Math.ceil(count / Math.max(1, columns)) * cell.height) }}
      >
        {numbers.map((page) => {
          const index = page - 1;
          const width = viewer.scrolling.sizes.value.widths[index] ?? 1;
          const height = viewer.scrolling.sizes.value.heights[index] ?? 1;
          const scale = Math.min((cell.width - 24) / width, (cell.height - 40) / height);
          const address = viewer.api.imageAddress(record, index, 180);
          return (
            <li
              key={page}
              style={{
                top: px(Math.floor(index / columns) * cell.height),
                left: px((index % columns) * cell.width),
                width: px(cell.width),
                height: px(cell.height),
              }}
            >
              <a
                href={`#document/p${page}`}
                aria-current={page === here ? "page" : undefined}
                onClick={(event) => {
                  event.preventDefault();
                  viewer.showPages(page);
                }}
              >
                {address === null ? (
                  <span class="thumbnail" style={{ width: px(width * scale), height: px(height * scale) }} />
                ) : (
                  <PageImage
                    address={address}
                    class="thumbnail"
                    width={Math.round(width * scale)}
                    height={Math.round(height * scale)}
                  />
                )}
                <span>{texts.page(page)}</span>
              </a>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
