import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Reading } from "./model/reading.ts";
import { px } from "./model/style-values.ts";

const cell = { width: 172, height: 236 };

/** Small images of all pages, as links to them. Only the rows near the window are in the DOM. */
export function Thumbnails({ reading }: { reading: Reading }) {
  const scroller = useRef<HTMLDivElement>(null);
  const size = useSignal({ width: 0, height: 0 });
  const top = useSignal(0);
  const record = reading.record.value;
  const count = record.page_count;
  const columns = Math.max(1, Math.floor(size.value.width / cell.width));
  const here = reading.page.peek();
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const measure = (): void => {
      size.value = { width: element.clientWidth, height: element.clientHeight };
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (size.value.width > 0 && scroller.current !== null)
      scroller.current.scrollTop = Math.floor((here - 1) / columns) * cell.height - cell.height;
  }, [columns]);
  const firstRow = Math.max(0, Math.floor(top.value / cell.height) - 1);
  const lastRow = Math.ceil((top.value + size.value.height) / cell.height);
  const first = firstRow * columns;
  const numbers = Array.from(
    { length: Math.max(0, Math.min(count, (lastRow + 1) * columns) - first) },
    (_, index) => first + index + 1,
  );
  return (
    <div
      class="thumbnails"
      ref={scroller}
      role="region"
      aria-label="Thumbnails"
      tabIndex={0}
      onScroll={(event) => {
        top.value = event.currentTarget.scrollTop;
      }}
    >
      <ol class="thumbnail-grid" style={{ height: px(Math.ceil(count / columns) * cell.height) }}>
        {numbers.map((page) => {
          const index = page - 1;
          const width = reading.sizes.value.widths[index] ?? 1;
          const height = reading.sizes.value.heights[index] ?? 1;
          const scale = Math.min((cell.width - 24) / width, (cell.height - 40) / height);
          const address = reading.api.imageAddress(record, index, 180);
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
                  reading.showPages(page);
                }}
              >
                {address === null ? (
                  <span class="thumbnail" style={{ width: px(width * scale), height: px(height * scale) }} />
                ) : (
                  <img
                    class="thumbnail"
                    src={address}
                    alt=""
                    width={Math.round(width * scale)}
                    height={Math.round(height * scale)}
                  />
                )}
                <span>Page {page}</span>
              </a>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
