import { de as pagesDe } from "./de/pages.ts";
import { de as scriptsDe } from "./de/scripts.ts";
import { en as pagesEn } from "./en/pages.ts";
import { en as scriptsEn } from "./en/scripts.ts";
import type { Language } from "./languages.ts";
import type { Words } from "./texts-of.ts";

/*
 * Every catalogue in every language, for tests and for the command that exchanges them with translators. Pages and
 * scripts load what they need. No translation lacks a key of English, or has one more: it would not compile.
 */

const en = { ...pagesEn, ...scriptsEn };
const de = { ...pagesDe, ...scriptsDe };

export const translations: Readonly<Record<Language, Words>> = {
  en: en satisfies typeof de,
  de,
} satisfies Record<Language, typeof en>;
