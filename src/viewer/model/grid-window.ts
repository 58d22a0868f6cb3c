import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

export interface GridWindow {
  /** 0 until the element is measured. */
  columns: number;
  /** The indexes of the cells near the window: the first, and the one after the last. */
  first: number;
  past: number;
  onScroll: (event: { currentTarget: { scrollTop: number } }) => void;
}

/** The cells of a grid that are near the window of the element that scrolls it. Sizes are in CSS pixels. */
export function useGridWindow(
  scroller: RefObject<HTMLElement | null>,
  cell: { width: number; height: number },
  count: number,
): GridWindow {
  const size = useSignal({ width: 0, height: 0 });
  const top = useSignal(0);
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
  const isMeasured = size.value.width > 0;
  const columns = isMeasured ? Math.max(1, Math.floor(size.value.width / cell.width)) : 0;
  const firstRow = Math.max(0, Math.floor(top.value / cell.height) - 1);
  const lastRow = Math.ceil((top.value + size.value.height) / cell.height);
  return {
    columns,
    first: firstRow * columns,
    past: Math.min(count, (lastRow + 1) * columns),
    onScroll: ({ currentTarget }) => {
      top.value = currentTarget.scrollTop;
    },
  };
}
