import { globeIcon, lockIcon, usersIcon } from "../contract/icons.ts";
import { type Html, html } from "../http/text/html.ts";
import { icon } from "../http/text/icon.ts";
import type { Locale } from "../texts/formats.ts";
import { maxCounted } from "../resources/documents/search/count-store.ts";
import { pageTexts } from "../texts/pages.ts";

/** "31 January 2025", from a timestamp of the API. */
export function dayInWords(timestamp: string, locale: Locale): string {
  return pageTexts(locale).formats.day(timestamp, locale.timeZone);
}

/** "31 January 2025, 14:05 UTC" */
export function momentInWords(timestamp: string, locale: Locale): string {
  return pageTexts(locale).formats.moment(timestamp, locale.timeZone);
}

/** "1 document", "1,234 documents", "More than 10,000 documents". */
export function documentsInWords(count: number, locale: Locale): string {
  const texts = pageTexts(locale);
  return count > maxCounted
    ? texts.documentsMore(texts.formats.number(maxCounted))
    : texts.documentsCount(count);
}

/** "1 page", "1,234 pages". */
export function pagesInWords(count: number, locale: Locale): string {
  return pageTexts(locale).pageCount(count);
}

/** "1.5 MB", in steps of a thousand. */
export function bytesInWords(bytes: number, locale: Locale): string {
  const texts = pageTexts(locale);
  return texts.formats.bytes(bytes, texts.bytes);
}

/**
 * The name of a language code of the API: "srp_latn" is "Serbian (Latin)". An unknown code is returned unchanged.
 */
export function languageInWords(code: string, locale: Locale): string {
  return pageTexts(locale).formats.languageNameOf(code) ?? code;
}

export function accessInWords(access: string, locale: Locale): string {
  return pageTexts(locale).access[access] ?? access;
}

export function statusInWords(status: string, locale: Locale): string {
  return pageTexts(locale).statuses[status] ?? status;
}

/** Who can see something, as an icon with a word. */
export function accessMark(access: string, locale: Locale): Html {
  const sign = access === "public" ? globeIcon : access === "organization" ? usersIcon : lockIcon;
  return html`<span class="access is-${access}"
    >${icon(sign)}<span>${accessInWords(access, locale)}</span></span
  >`;
}
