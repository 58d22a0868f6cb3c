import { texts } from "./texts.ts";

/** The time zone that the reader has chosen for their account, as the page says; empty if they have not. */
export const accountTimeZone = findAccountTimeZone();

/** The time zone in which moments are shown and entered: that of the account, or else of the browser. */
export const timeZone =
  accountTimeZone === "" ? new Intl.DateTimeFormat().resolvedOptions().timeZone : accountTimeZone;

/** "31 January 2025, 14:05 CET" */
export function momentInWords(moment: string): string {
  return texts.formats.moment(moment, timeZone);
}

/** "31 January 2025" */
export function dayInWords(moment: string): string {
  return texts.formats.day(moment, timeZone);
}

function findAccountTimeZone(): string {
  const zone = typeof document === "undefined" ? undefined : document.documentElement.dataset["timeZone"];
  if (zone === undefined) return "";
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    // The browser does not know the zone.
    return "";
  }
}
