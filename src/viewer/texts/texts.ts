import type { Language } from "../../texts/languages.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** The language of this script, which the bundler fills in. */
declare const pageLanguage: Language;

/** The texts in the language of this script, which has only these. Outside a bundle, the texts are English. */
export const texts: typeof english =
  typeof pageLanguage === "string" && pageLanguage === "de" ? german : english;
