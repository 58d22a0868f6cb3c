import type { Box } from "./boxes.ts";

/** A length for a style: Preact adds no unit to a number. */
export function px(length: number): string {
  return `${length}px`;
}

/** The position of a box in its page, for a style. */
export function inPercent({ x1, x2, y1, y2 }: Box): Record<string, string> {
  return {
    left: `${x1 * 100}%`,
    top: `${y1 * 100}%`,
    width: `${(x2 - x1) * 100}%`,
    height: `${(y2 - y1) * 100}%`,
  };
}
