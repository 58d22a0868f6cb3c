import { type Catalogue, english } from "./pages-english.ts";
import { german } from "./pages-german.ts";
import type { Language } from "./languages.ts";

const catalogues: Readonly<Record<Language, Catalogue>> = { en: english, de: german };

/** The texts of the server's pages in a language. */
export function pageTexts({ language }: { language: Language }): Catalogue {
  return catalogues[language];
}
