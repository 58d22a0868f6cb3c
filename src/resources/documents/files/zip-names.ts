/** In bytes of UTF-8, without a number and the extension: file systems allow 255. */
const maxBytes = 180;

/** The names of the files in an archive: safe to unpack on every system, and each different from the others. */
export class ZipNames {
  readonly #taken = new Set<string>();

  /** `reserved` are names that no document may get. */
  constructor(reserved: readonly string[] = []) {
    for (const name of reserved) this.#taken.add(compared(name));
  }

  /** A name for the original of a document. A second file of the same name gets a number: `minutes (2).pdf`. */
  nameFor(title: string, extension: string): string {
    const ending = safe(extension) === "" ? "" : `.${safe(extension)}`;
    const base = cut(withoutEnding(safe(title), ending));
    for (let number = 1; ; number++) {
      const name = `${base}${number === 1 ? "" : ` (${number})`}${ending}`;
      if (this.#taken.has(compared(name))) continue;
      this.#taken.add(compared(name));
      return name;
    }
  }
}

/** Some file systems do not distinguish cases or forms of accents. */
function compared(name: string): string {
  return name.normalize("NFKC").toLowerCase().normalize("NFKC");
}

/**
 * Without separators of paths, characters that Windows forbids, and characters that are invisible or turn the text
 * round.
 */
function safe(text: string): string {
  return text
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(/[/\\:*?"<>|]/g, "_")
    .replaceAll(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll(/^[. ]+|[. ]+$/g, "");
}

function withoutEnding(name: string, ending: string): string {
  const isNamed = ending !== "" && name.toLowerCase().endsWith(ending.toLowerCase());
  const base = isNamed ? name.slice(0, -ending.length).replaceAll(/[. ]+$/g, "") : name;
  if (base === "") return "Untitled";
  // Windows reserves these names, with any extension.
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(base) ? `_${base}` : base;
}

function cut(name: string): string {
  let kept = "";
  let bytes = 0;
  for (const character of name) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) return kept.replaceAll(/[. ]+$/g, "");
    kept += character;
  }
  return kept;
}
