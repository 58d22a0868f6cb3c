const dayPattern = /(\d{4})-(\d{1,2})-(\d{1,2})/.source;
const timePattern = /(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6})\d{0,6})?)?/.source;
const offsetPattern = /(Z|[+\- ]\d{2}(?::?\d{2})?)/.source;
const pattern = new RegExp(`^${dayPattern}(?:[T ]${timePattern}\\s*${offsetPattern}?)?$`, "i");

/**
 * Converts ISO 8601, as clients write it, to the API's format (UTC, six digits of a second, `Z`). Any offset and any
 * number of digits are accepted, a date alone is its midnight, and no offset means UTC. Returns null for an invalid
 * text and for years outside 1 to 9999.
 */
export function readTimestamp(text: string): string | null {
  const match = pattern.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone = "Z"] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // `Date` carries a day that the month does not have over into the next one.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const offset = offsetMinutes(zone);
  if (offset === null) return null;
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  const moment = new Date(date.getTime() - offset * 60_000);
  if (moment.getUTCFullYear() < 1 || moment.getUTCFullYear() > 9999) return null;
  return `${moment.toISOString().slice(0, 19)}.${fraction.padEnd(6, "0")}Z`;
}

/** Null for an invalid offset. A `+` that came unencoded through a query string is a space by now. */
function offsetMinutes(zone: string): number | null {
  if (zone.toUpperCase() === "Z") return 0;
  const digits = zone.slice(1).replace(":", "");
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2) || "0");
  if (hours > 23 || minutes > 59) return null;
  return (hours * 60 + minutes) * (zone.startsWith("-") ? -1 : 1);
}

/**
 * The start of the finer clock, which runs independently: adjusted so that its time stays within the system clock's
 * millisecond.
 */
let beganAt = performance.timeOrigin;

/** The current time in microseconds. Within one process it never goes back, unless the system clock is set back. */
export function timestampNow(): string {
  const now = Date.now();
  const fine = performance.now();
  const asCounted = beganAt + fine - now;
  const within = Math.min(Math.max(asCounted, 0), 0.999);
  if (within !== asCounted) beganAt = now + within - fine;
  const microseconds = String(Math.floor(within * 1000)).padStart(3, "0");
  return `${new Date(now).toISOString().slice(0, -1)}${microseconds}Z`;
}

/** The time this many seconds from now; in the past if the number is negative. */
export function timestampIn(seconds: number): string {
  return `${new Date(Date.now() + seconds * 1000).toISOString().slice(0, -1)}000Z`;
}
