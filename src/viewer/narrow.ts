import type { Reading } from "./model/reading.ts";

/** On a narrow screen the panel lies over the pages. */
export function closeWhereNarrow(reading: Reading): void {
  if (!matchMedia("(min-width: 64rem)").matches) reading.panel.value = null;
}
