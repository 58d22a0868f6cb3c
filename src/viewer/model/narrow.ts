import type { Signal } from "@preact/signals";
import type { ComponentType } from "preact";

/** The parts of the viewer's state that compete for a narrow screen. Null is what is not open. */
interface Beside {
  readonly panel: Signal<string | null>;
  readonly tool: Signal<ComponentType | null>;
}

/** Where the panel is beside the pages; on narrower screens it covers them, and an open tool. */
export const hasRoomForPanel = "(min-width: 64rem)";

/** Closes the panel on a narrow screen, where it covers the pages. */
export function closeWhereNarrow(viewer: Pick<Beside, "panel">): void {
  if (!matchMedia(hasRoomForPanel).matches) viewer.panel.value = null;
}

/**
 * Closes the panel when the window becomes so narrow that it would cover an open tool. Returns a function that ends
 * this.
 */
export function keepToolUncovered(viewer: Beside): () => void {
  const media = matchMedia(hasRoomForPanel);
  const onChange = (): void => {
    if (viewer.tool.peek() !== null) closeWhereNarrow(viewer);
  };
  media.addEventListener("change", onChange);
  return () => media.removeEventListener("change", onChange);
}
