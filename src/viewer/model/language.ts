/** The language tag of a code of the API: "eng" is "en", "srp_latn" is "sr-Latn". Undefined for an unknown one. */
export function languageTag(code: string): string | undefined {
  if (code === "") return undefined;
  const named = { tra: "zh-Hant", frk: "de" }[code] ?? code.replace(/_old$/, "").replace("_", "-");
  try {
    return Intl.getCanonicalLocales(named)[0];
  } catch {
    return undefined;
  }
}
