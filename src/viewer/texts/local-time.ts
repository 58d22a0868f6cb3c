/** The local time in a time zone, to the minute, as an input of the type `datetime-local` has it. */
export function localTimeOf(moment: string, timeZone: string): string {
  return localTime(Date.parse(moment), timeZone);
}

/**
 * The moment of a local time in a time zone, in ISO 8601. When clocks are set back, it is the first of two moments.
 * When they are set forward, a local time that is skipped becomes the one as far after the change.
 */
export function momentOf(local: string, timeZone: string): string {
  const asUtc = Date.parse(`${local}Z`);
  // The offset changes at most once within a day, so one of these is the offset at the local time.
  const offsets = [-dayMilliseconds, dayMilliseconds].map((by) => offsetAt(asUtc + by, timeZone));
  const candidates = offsets.map((offset) => asUtc - offset);
  const [before = asUtc] = candidates;
  const exact = candidates.filter((candidate) => localTime(candidate, timeZone) === localTime(asUtc, "UTC"));
  return new Date(exact.length > 0 ? Math.min(...exact) : before).toISOString();
}

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** By how much clocks in a time zone are ahead of UTC, in milliseconds. */
function offsetAt(milliseconds: number, timeZone: string): number {
  const minute = Math.floor(milliseconds / 60_000) * 60_000;
  return Date.parse(`${localTime(minute, timeZone)}Z`) - minute;
}

function localTime(milliseconds: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    calendar: "iso8601",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const parts = new Map(format.formatToParts(milliseconds).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? "";
  return `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}`;
}
