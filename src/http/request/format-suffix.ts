const suffixed = /^(\/api\/[^?#]*[^?#/])\.(json|api)(?:\?([^#]*))?$/;

/** The oEmbed endpoint, whose own path ends in `.json`. */
const oembed = /^\/api\/oembed\.json(\?|$)/;

/**
 * Rewrites an address with a format suffix: DocumentCloud accepts `/api/documents.json` for
 * `/api/documents/?format=json`. No id or key contains a dot, so the suffix is unambiguous.
 */
export function withoutFormatSuffix(address: string): string {
  // Most addresses have no dot at all.
  if (!address.includes(".") || oembed.test(address)) return address;
  return address.replace(
    suffixed,
    (_all, path: string, format: string, query?: string) =>
      `${path}/?format=${format}${query === undefined || query === "" ? "" : `&${query}`}`,
  );
}
