import { texts } from "../texts/texts.ts";

/** The language tag for a language code of the API: "en" for "eng", "sr-Latn" for "srp_latn". Undefined if unknown. */
export function languageTag(code: string): string | undefined {
  if (code === "") return undefined;
  const named = { tra: "zh-Hant", frk: "de" }[code] ?? code.replace(/_old$/, "").replace("_", "-");
  try {
    return Intl.getCanonicalLocales(named)[0];
  } catch {
    return undefined;
  }
}

/** The name of a language code of the API; an unknown code is returned unchanged. */
export function languageName(code: string): string {
  return texts.formats.languageNameOf(code) ?? code;
}
