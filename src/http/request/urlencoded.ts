/**
 * The pairs of `name=value&name=value` in order, parsed as the URL standard says: every text decodes, and bytes that
 * are not UTF-8 become U+FFFD. `URLSearchParams` gives the same result, but in time quadratic in the number of pairs.
 */
export function* pairsIn(text: string): Generator<[name: string, value: string]> {
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    yield equals === -1
      ? [decode(pair), ""]
      : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))];
  }
}

/** An upper bound of the number of pairs that {@link pairsIn} yields. */
export function countPairs(bytes: Uint8Array): number {
  let count = 1;
  for (let at = bytes.indexOf(ampersand); at !== -1; at = bytes.indexOf(ampersand, at + 1)) count += 1;
  return count;
}

const ampersand = 0x26;

/** Decodes a name or a value of a query string. */
export function decode(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced.toWellFormed();
  try {
    return decodeURIComponent(spaced).toWellFormed();
  } catch {
    return new URLSearchParams(`=${text}`).get("") ?? "";
  }
}
