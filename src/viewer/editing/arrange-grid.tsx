import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { ArrangedPage, Arrangement } from "../model/arrangement.ts";
import { useGridWindow } from "../model/grid-window.ts";
import { pageSizesOf } from "../model/page-sizes.ts";
import type { ViewerState } from "../state/viewer-state.ts";
import { px } from "../model/style-values.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";

const cell = { width: 150, height: 214 };

/** The pages in their new order. Only those near the window are in the DOM. */
export function ArrangeGrid({
  viewer,
  arrangement,
  onRemove,
}: {
  viewer: ViewerState;
  arrangement: Arrangement;
  onRemove: () => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const pages = arrangement.pages.value;
  const { columns, first, past, onScroll } = useGridWindow(scroller, cell, pages.length);
  const dragging = useDragging(arrangement);
  const onKeyDown = useKeys({ viewer, arrangement, scroller, columns, onRemove });
  return (
    <div
      class="arrange-grid"
      ref={scroller}
      role="region"
      aria-label={texts.arrange.newOrder}
      onScroll={onScroll}
      {...dragging.overEnd}
    >
      <ol
        class="thumbnail-grid"
        style={{ height: px(Math.ceil(pages.length / Math.max(1, columns)) * cell.height) }}
      >
        {pages.slice(first, past).map((page, offset) => {
          const index = first + offset;
          return (
            <li
              key={page.key}
              data-key={page.key}
              class={dragging.target.value === page.key ? "drop-before" : ""}
              style={{
                top: px(Math.floor(index / columns) * cell.height),
                left: px((index % columns) * cell.width),
                width: px(cell.width),
                height: px(cell.height),
              }}
              draggable
              {...dragging.overPage(page)}
            >
              <Arranged
                viewer={viewer}
                arrangement={arrangement}
                page={page}
                index={index}
                onKeyDown={(event) => onKeyDown(event, page, index)}
              />
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** One page: its image, and a box that selects it. */
function Arranged({
  viewer,
  arrangement,
  page,
  index,
  onKeyDown,
}: {
  viewer: ViewerState;
  arrangement: Arrangement;
  page: ArrangedPage;
  index: number;
  onKeyDown: (event: KeyboardEvent) => void;
}) {
  const isSelected = arrangement.selected.value.has(page.key);
  return (
    <label class={isSelected ? "arranged selected" : "arranged"}>
      <Thumbnail viewer={viewer} page={page} />
      <span>
        <input
          type="checkbox"
          checked={isSelected}
          onChange={() => arrangement.toggle(page.key)}
          onKeyDown={onKeyDown}
        />{" "}
        {index + 1}
        <span class="quiet"> {wasInWords(arrangement, page, index)}</span>
      </span>
    </label>
  );
}

/** The page, or all selected ones if it is one of them. */
const withSelected = ({ selected }: Arrangement, { key }: ArrangedPage): ReadonlySet<number> =>
  selected.value.has(key) ? selected.value : new Set([key]);

/** Pages are dragged before another one, or to the end: the event handlers for a page, and for the rest of the grid. */
function useDragging(arrangement: Arrangement) {
  /** The keys of the pages that are dragged. */
  const dragged = useRef<ReadonlySet<number> | null>(null);
  /** The key of the page before which they would be dropped. */
  const target = useSignal<number | "end" | null>(null);
  const end = (): void => {
    dragged.current = null;
    target.value = null;
  };
  useEffect(() => {
    // A drag that ends outside the grid drops nothing.
    document.addEventListener("dragend", end);
    return () => document.removeEventListener("dragend", end);
  }, []);
  const over = (key: number | null) => ({
    onDragOver: (event: DragEvent): void => {
      if (dragged.current === null) return;
      event.preventDefault();
      event.stopPropagation();
      target.value = key ?? "end";
    },
    onDrop: (event: DragEvent): void => {
      event.preventDefault();
      event.stopPropagation();
      if (dragged.current !== null) arrangement.moveBefore(dragged.current, key);
      end();
    },
  });
  const overPage = (page: ArrangedPage) => ({
    onDragStart: (event: DragEvent): void => {
      dragged.current = withSelected(arrangement, page);
      event.dataTransfer?.setData("text/plain", nameOf(arrangement, page));
    },
    ...over(page.key),
  });
  return { target, overEnd: over(null), overPage };
}

const directions: Readonly<Record<string, 1 | -1>> = {
  ArrowLeft: -1,
  ArrowUp: -1,
  ArrowRight: 1,
  ArrowDown: 1,
};

/** Arrow keys go to another page; with Alt they move the page, which keeps the focus. Delete removes it. */
function useKeys({
  viewer,
  arrangement,
  scroller,
  columns,
  onRemove,
}: {
  viewer: ViewerState;
  arrangement: Arrangement;
  scroller: RefObject<HTMLElement | null>;
  columns: number;
  onRemove: () => void;
}): (event: KeyboardEvent, page: ArrangedPage, index: number) => void {
  const pages = arrangement.pages.value;
  /** The key of the page that keeps the focus when it moves. */
  const focused = useRef<number | null>(null);
  const focus = (key: number | undefined): void =>
    scroller.current?.querySelector<HTMLElement>(`[data-key="${key}"] input`)?.focus();
  useLayoutEffect(() => {
    if (focused.current !== null) focus(focused.current);
    focused.current = null;
  }, [pages]);
  const move = (page: ArrangedPage, by: 1 | -1): void => {
    focused.current = page.key;
    arrangement.step(withSelected(arrangement, page), by);
    const number = arrangement.pages.value.findIndex(({ key }) => key === page.key) + 1;
    viewer.announcement.value = texts.arrange.isNow(nameOf(arrangement, page), number);
  };
  return (event, page, index) => {
    const by = directions[event.key];
    const isRemoval = event.key === "Delete" || event.key === "Backspace";
    if (by === undefined && !isRemoval) return;
    event.preventDefault();
    if (by === undefined) {
      if (!arrangement.selected.value.has(page.key)) arrangement.selected.value = new Set([page.key]);
      focused.current = (pages[index + 1] ?? pages[index - 1])?.key ?? null;
      onRemove();
    } else if (event.altKey) move(page, by);
    else {
      const isVertical = event.key === "ArrowUp" || event.key === "ArrowDown";
      focus(pages[index + by * (isVertical ? columns : 1)]?.key);
    }
  };
}

function nameOf({ own }: Arrangement, { source, page }: ArrangedPage): string {
  return source.id === own.id
    ? texts.arrange.formerPage(page + 1)
    : texts.arrange.pageOf(page + 1, source.title);
}

function wasInWords(arrangement: Arrangement, page: ArrangedPage, index: number): string {
  const isOwn = page.source.id === arrangement.own.id;
  const { insertedFrom, was, turns } = texts.arrange;
  const origin = isOwn
    ? page.page === index
      ? ""
      : was(page.page + 1)
    : insertedFrom(page.page + 1, page.source.title);
  return [origin, turns[page.turns] ?? ""].filter((part) => part !== "").join(", ");
}

function Thumbnail({ viewer, page: { source, page, turns } }: { viewer: ViewerState; page: ArrangedPage }) {
  const sizes = pageSizesOf(source.page_spec, source.page_count);
  const [width, height] = [sizes.widths[page] ?? 1, sizes.heights[page] ?? 1];
  const [shownWidth, shownHeight] = turns % 2 === 1 ? [height, width] : [width, height];
  const scale = Math.min((cell.width - 24) / shownWidth, (cell.height - 54) / shownHeight);
  const style = {
    width: px(width * scale),
    height: px(height * scale),
    transform: turns === 0 ? "none" : `rotate(${turns * 90}deg)`,
  };
  const address = viewer.api.imageAddress(source, page, 180);
  return (
    <span class="arranged-image">
      {address === null ? (
        <span class="thumbnail" style={style} />
      ) : (
        <img class="thumbnail" src={address} alt="" draggable={false} loading="lazy" style={style} />
      )}
    </span>
  );
}
