import { de as pagesDe } from "./de/pages.ts";
import { de as scriptsDe } from "./de/scripts.ts";
import { en as pagesEn } from "./en/pages.ts";
import { en as scriptsEn } from "./en/scripts.ts";
import { es as pagesEs } from "./es/pages.ts";
import { es as scriptsEs } from "./es/scripts.ts";
import { fr as pagesFr } from "./fr/pages.ts";
import { fr as scriptsFr } from "./fr/scripts.ts";
import type { Language } from "./languages.ts";
import type { Words } from "./texts-of.ts";

/*
 * Every catalogue in every language, for tests and for the command that exchanges them with translators. Pages and
 * scripts load what they need. No translation lacks a key of English, or has one more: it would not compile.
 */

const en = { ...pagesEn, ...scriptsEn };
const de = { ...pagesDe, ...scriptsDe };
const fr = { ...pagesFr, ...scriptsFr };
const es = { ...pagesEs, ...scriptsEs };

export const translations: Readonly<Record<Language, Words>> = {
  en: en satisfies typeof de & typeof fr & typeof es,
  de,
  fr,
  es,
} satisfies Record<Language, typeof en>;
