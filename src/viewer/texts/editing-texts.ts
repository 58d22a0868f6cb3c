import type { Language } from "../../texts/languages.ts";
import { editingEnglish } from "./editing-english.ts";
import { editingGerman } from "./editing-german.ts";

/** The language of this script, which the bundler fills in. */
declare const pageLanguage: Language;

/**
 * The texts of the tools for people who write, in the language of this script. Only the parts of the script that those
 * people load have them.
 */
export const editingTexts: typeof editingEnglish =
  typeof pageLanguage === "string" && pageLanguage === "de" ? editingGerman : editingEnglish;
