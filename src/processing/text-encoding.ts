/** In bytes: enough to detect the encoding of a text. */
const sample = 65_536;

/**
 * The encoding of a text, as `TextDecoder` names it. Null if the bytes are not text. A text that is neither Unicode nor
 * declares its encoding counts as Western European. Nearly any bytes are valid in that encoding, so NULs and more than
 * a few control characters rule it out.
 */
export function textEncodingOf(bytes: Uint8Array): string | null {
  const start = bytes.subarray(0, sample);
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return "utf-8";
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be";
  const zeroes = [0, 0];
  let controls = 0;
  for (const [index, byte] of start.entries()) {
    if (byte === 0) zeroes[index % 2]! += 1;
    else if (byte < 32 && (byte < 8 || byte > 13) && byte !== 0x1b) controls += 1;
  }
  const [even = 0, odd = 0] = zeroes;
  if (even + odd > 0) {
    const many = start.length / 4;
    if (odd > many && even === 0) return "utf-16le";
    return even > many && odd === 0 ? "utf-16be" : null;
  }
  if (controls > start.length / 100) return null;
  return isUtf8(start) ? "utf-8" : "windows-1252";
}

/** Decodes a text. It never fails: undecodable bytes become U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = textEncodingOf(bytes) ?? "windows-1252";
  const isPlain = encoding === "utf-8" || encoding === "windows-1252";
  return new TextDecoder((isPlain ? declaredEncoding(bytes) : null) ?? encoding).decode(bytes);
}

/** The encoding that an XML declaration or the head of an HTML page declares. */
function declaredEncoding(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  if (!head.trimStart().startsWith("<")) return null;
  const [, name = ""] = /(?:encoding|charset)\s*=\s*["']?([\w-]+)/i.exec(head) ?? [];
  if (name === "" || /^utf-?16/i.test(name)) return null;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return null;
  }
}

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
