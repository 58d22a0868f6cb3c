/** DocumentCloud's codes for the languages that a document can be in. */
export const languageCodes: ReadonlySet<string> = new Set(
  `
  afr amh ara asm aze aze_cyrl bel ben bod bos bul cat ceb ces zho tra chr cym dan deu dzo ell eng enm
  epo est eus fas fin fra frk frm gle glg grc guj hat heb hin hrv hun iku ind isl ita ita_old jav jpn
  kan kat kat_old kaz khm kir kor kur lao lat lav lit mal mar mkd mlt msa mya nep nld nor ori pan pol
  por pus ron rus san sin slk slv spa spa_old sqi srp srp_latn swa swe syr tam tel tgk tgl tha tir tur
  uig ukr urd uzb uzb_cyrl vie yid
`
    .trim()
    .split(/\s+/),
);

/** The tag (BCP 47) of a language in DocumentCloud's codes; null if it has none. */
export function languageTag(code: string): string | null {
  try {
    return Intl.getCanonicalLocales(code)[0] ?? null;
  } catch {
    return null;
  }
}
