/**
 * The names and values of `name=value&name=value`, in their order, as the URL standard reads them: anything decodes, and
 * bytes that are not UTF-8 become U+FFFD. `URLSearchParams` reads the same, but takes time that grows with the square
 * of the number of pairs.
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

/** How many pairs {@link pairsIn} finds at most. */
export function countPairs(bytes: Uint8Array): number {
  let count = 1;
  for (let at = bytes.indexOf(ampersand); at !== -1; at = bytes.indexOf(ampersand, at + 1)) count += 1;
  return count;
}

const ampersand = 0x26;

function decode(text: string): string {
  const spaced = text.replaceAll("+", " ");
  if (!spaced.includes("%")) return spaced.toWellFormed();
  try {
    return decodeURIComponent(spaced).toWellFormed();
  } catch {
    return new URLSearchParams(`=${text}`).get("") ?? "";
  }
}
