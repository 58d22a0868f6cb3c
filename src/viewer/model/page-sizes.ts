/** The sizes of a document's pages, in points. Pages count from 0. */
export interface PageSizes {
  readonly count: number;
  readonly widths: Float32Array;
  readonly heights: Float32Array;
}

/** US letter, which DocumentCloud also assumes while the sizes are unknown. */
const usual = { width: 612, height: 792 };

/**
 * Parses `page_spec`: `612.0x792.0:0-1,5;595.28x841.89:2-4`. Pages that it does not name get the default size, so that
 * a document with a malformed spec can still be read.
 */
export function pageSizesOf(spec: string, count: number): PageSizes {
  const widths = new Float32Array(count).fill(usual.width);
  const heights = new Float32Array(count).fill(usual.height);
  for (const group of spec.split(";")) {
    const [, width = "", height = "", runs = ""] = /^([\d.]+)x([\d.]+):([\d,-]+)$/.exec(group) ?? [];
    if (!(Number(width) > 0) || !(Number(height) > 0)) continue;
    for (const run of runs.split(",")) {
      const [first = 0, last = first] = run.split("-").map(Number);
      const end = Math.min(last, count - 1) + 1;
      widths.fill(Number(width), first, end);
      heights.fill(Number(height), first, end);
    }
  }
  return { count, widths, heights };
}
