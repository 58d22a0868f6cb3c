import type { ViewerState } from "./state/viewer-state.ts";

/**
 * Changes the zoom when two fingers pinch, or when the wheel turns with Control held, which is how trackpads report a
 * pinch. During the pinch the pages are only scaled; they are laid out when the fingers lift. Returns a function that
 * stops this.
 */
export function followPinch(element: HTMLElement, viewer: ViewerState): () => void {
  const { scrolling } = viewer;
  let start: { distance: number; zoom: number } | null = null;
  let factor = 1;
  const paper = (): HTMLElement | null => element.firstElementChild as HTMLElement | null;

  const onTouchStart = (event: TouchEvent): void => {
    if (event.touches.length !== 2) return;
    start = { distance: distanceOf(event.touches), zoom: scrolling.currentZoom() };
    factor = 1;
    const middle = middleOf(event.touches, element);
    const moved = paper();
    if (moved !== null) moved.style.transformOrigin = `${middle.x}px ${middle.y}px`;
  };
  const onTouchMove = (event: TouchEvent): void => {
    if (start === null || event.touches.length !== 2) return;
    event.preventDefault();
    factor = distanceOf(event.touches) / start.distance;
    const moved = paper();
    if (moved !== null) moved.style.transform = `scale(${factor})`;
  };
  const onTouchEnd = (event: TouchEvent): void => {
    if (start === null || event.touches.length >= 2) return;
    const moved = paper();
    if (moved !== null) moved.style.transform = "";
    if (Math.abs(factor - 1) > 0.03) scrolling.setZoom(start.zoom * factor);
    start = null;
  };
  const onWheel = (event: WheelEvent): void => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    scrolling.setZoom(scrolling.currentZoom() * Math.exp(-event.deltaY / 200));
  };
  element.addEventListener("touchstart", onTouchStart, { passive: true });
  element.addEventListener("touchmove", onTouchMove, { passive: false });
  element.addEventListener("touchend", onTouchEnd);
  element.addEventListener("touchcancel", onTouchEnd);
  element.addEventListener("wheel", onWheel, { passive: false });
  return () => {
    element.removeEventListener("touchstart", onTouchStart);
    element.removeEventListener("touchmove", onTouchMove);
    element.removeEventListener("touchend", onTouchEnd);
    element.removeEventListener("touchcancel", onTouchEnd);
    element.removeEventListener("wheel", onWheel);
  };
}

function distanceOf(touches: TouchList): number {
  const [one, other] = [touches[0], touches[1]];
  if (one === undefined || other === undefined) return 1;
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}

/** The midpoint of two touches, in coordinates of the scrolled content. */
function middleOf(touches: TouchList, element: HTMLElement): { x: number; y: number } {
  const [one, other] = [touches[0], touches[1]];
  const box = element.getBoundingClientRect();
  const x = ((one?.clientX ?? 0) + (other?.clientX ?? 0)) / 2 - box.left + element.scrollLeft;
  const y = ((one?.clientY ?? 0) + (other?.clientY ?? 0)) / 2 - box.top + element.scrollTop;
  return { x, y };
}
