import type { Reading } from "./reading.ts";

/** Closes the panel on a narrow screen, where it covers the pages. */
export function closeWhereNarrow(reading: Reading): void {
  if (!matchMedia("(min-width: 64rem)").matches) reading.panel.value = null;
}
