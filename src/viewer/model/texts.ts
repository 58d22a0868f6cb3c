import type { Language } from "../../texts/languages.ts";

const english = { close: "Close" };
const german: typeof english = { close: "Schließen" };

/** The language of this script, which the bundler fills in. */
declare const pageLanguage: Language;

/** The texts of the parts of the viewer that the desk shares. The script of one language has only its texts. */
export const texts = typeof pageLanguage === "string" && pageLanguage === "de" ? german : english;
