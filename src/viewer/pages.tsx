import { useLayoutEffect, useRef } from "preact/hooks";
import { Page } from "./page.tsx";
import { followPinch } from "./pinch.ts";
import { px } from "./model/style-values.ts";
import type { ViewerState } from "./state/viewer-state.ts";
import { texts } from "./texts/texts.ts";

/** All pages in one scroll area. Only those near the window are in the DOM. */
export function Pages({ viewer }: { viewer: ViewerState }) {
  const { scrolling } = viewer;
  const scroller = useRef<HTMLDivElement>(null);
  const focused = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    let isAttached = false;
    const measure = (): void => {
      const size = { width: element.clientWidth, height: element.clientHeight };
      const known = scrolling.window.peek();
      if (isAttached && size.width === known.width && size.height === known.height) return;
      isAttached = true;
      scrolling.attach(element, size);
    };
    // The observer also reports the first size, before anything is painted.
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    const stopPinch = followPinch(element, viewer);
    return () => {
      stopPinch();
      observer.disconnect();
      scrolling.detach();
    };
  }, []);
  // A page that is removed from the DOM loses the focus, so the scroll area takes it.
  useLayoutEffect(() => {
    if (focused.current === null || focused.current.isConnected) return;
    focused.current = null;
    if (document.activeElement === document.body) scroller.current?.focus({ preventScroll: true });
  });
  const { first, last } = scrolling.shown.value;
  const layout = scrolling.layout.value;
  // Before the window is measured, it is unknown which pages are near.
  const shownCount = scrolling.window.value.width === 0 ? 0 : Math.max(0, last - first + 1);
  const numbers = Array.from({ length: shownCount }, (_, index) => first + index);
  return (
    <div
      class="pages"
      ref={scroller}
      // A scrollable region has to be reachable by keyboard.
      tabIndex={0}
      role="region"
      aria-label={texts.views.pages}
      onScroll={(event) => scrolling.scrolled(event.currentTarget.scrollTop)}
      onFocusIn={(event) => (focused.current = event.target as Element)}
      onFocusOut={(event) => {
        if ((event.target as Element).isConnected) focused.current = null;
      }}
    >
      <div class="paper" style={{ height: px(scrolling.elementHeight), width: px(layout.width) }}>
        {numbers.map((page) => (
          <Page key={page} viewer={viewer} page={page} />
        ))}
      </div>
    </div>
  );
}
