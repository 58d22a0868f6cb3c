/** The position of a bar, from the left. */
export interface Bar {
  x: number;
  width: number;
}

/** The number of a year, of a month since the year 0, or of a day since 1970. */
function numberOf(date: string): number {
  const [year = 0, month = 1] = date.split("-").map(Number);
  if (date.length === 4) return year;
  return date.length === 7 ? year * 12 + month : Date.parse(date) / 86_400_000;
}

/**
 * Where the bars of ascending dates stand in a picture: at equal distances in time, so that a gap is a gap, and wide
 * enough to be seen.
 */
export function positionsOf(
  dates: readonly string[],
  width: number,
): { bars: Bar[]; first: string; last: string } {
  const numbers = dates.map(numberOf);
  const [start = 0, end = 0] = [numbers[0], numbers.at(-1)];
  const step = width / (end - start + 1);
  // Few bars would be as wide as walls.
  const bar = Math.min(Math.max(step * 0.85, 4), 60);
  const bars = numbers.map((number) => ({
    x: round(Math.min((number - start) * step + (step - bar) / 2, width - bar)),
    width: round(bar),
  }));
  return { bars, first: dates[0] ?? "", last: dates.at(-1) ?? "" };
}

/** Without figures that no screen shows. */
const round = (value: number): number => Math.max(0, Math.round(value * 100) / 100);
