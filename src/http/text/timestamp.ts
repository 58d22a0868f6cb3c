const pattern =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6})\d{0,6})?)?\s*(Z|[+\- ]\d{2}(?::?\d{2})?)?)?$/i;

/**
 * A moment as the API writes it (UTC, six digits of a second, `Z`) from ISO 8601 as clients write it: any offset,
 * any digits of a second, a date alone is its midnight, no offset means UTC. Null when it is none, or not in the
 * years 1 to 9999.
 */
export function readTimestamp(text: string): string | null {
  const match = pattern.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone = "Z"] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // A day that the month does not have, carried over into the next one, is a day that was not meant.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const offset = offsetMinutes(zone);
  if (offset === null) return null;
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  const moment = new Date(date.getTime() - offset * 60_000);
  if (moment.getUTCFullYear() < 1 || moment.getUTCFullYear() > 9999) return null;
  return `${moment.toISOString().slice(0, 19)}.${fraction.padEnd(6, "0")}Z`;
}

/** Null when there is none such. A `+` that came through a query unencoded is a space by now. */
function offsetMinutes(zone: string): number | null {
  if (zone.toUpperCase() === "Z") return 0;
  const digits = zone.slice(1).replace(":", "");
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2) || "0");
  if (hours > 23 || minutes > 59) return null;
  return (hours * 60 + minutes) * (zone.startsWith("-") ? -1 : 1);
}

/** When the finer clock, which runs on its own, began to count: kept such that it is in the clock's millisecond. */
let beganAt = performance.timeOrigin;

/** Now, to the microsecond; in one process never before what it said last, unless the clock is set back. */
export function timestampNow(): string {
  const now = Date.now();
  const fine = performance.now();
  const asCounted = beganAt + fine - now;
  const within = Math.min(Math.max(asCounted, 0), 0.999);
  if (within !== asCounted) beganAt = now + within - fine;
  const microseconds = String(Math.floor(within * 1000)).padStart(3, "0");
  return `${new Date(now).toISOString().slice(0, -1)}${microseconds}Z`;
}

/** The moment that is this many seconds from now; before now, when they are negative. */
export function timestampIn(seconds: number): string {
  return `${new Date(Date.now() + seconds * 1000).toISOString().slice(0, -1)}000Z`;
}
