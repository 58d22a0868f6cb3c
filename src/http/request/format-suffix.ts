const suffixed = /^(\/api\/[^?#]*[^?#/])\.(json|api)(?:\?([^#]*))?$/;

/** Served under that very address, for those who look for what embeds a document. */
const own = /^\/api\/oembed\.json(\?|$)/;

/**
 * The address that one with a suffix stands for: that API takes `/api/documents.json` for
 * `/api/documents/?format=json`. No id and no key has a dot in it, so nothing else can be meant.
 */
export function withoutFormatSuffix(address: string): string {
  if (own.test(address)) return address;
  return address.replace(
    suffixed,
    (_all, path: string, format: string, query?: string) =>
      `${path}/?format=${format}${query === undefined || query === "" ? "" : `&${query}`}`,
  );
}
