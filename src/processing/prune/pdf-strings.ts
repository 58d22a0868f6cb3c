/* The strings in drawing instructions and objects, as they are written. */

/** The string up to its closing bracket, or up to the end if no bracket closes it. */
export function bracketed(content: string, start: number): string {
  for (let at = start, open = 0; at < content.length; at++) {
    const one = content[at];
    if (one === "\\") at += 1;
    else if (one === "(") open += 1;
    else if (one === ")" && --open === 0) return content.slice(start, at + 1);
  }
  return content.slice(start);
}

const hexadecimal = /<[\da-fA-F\s]*>/y;

/** The hexadecimal string that begins here; empty if no string does. */
export function hexadecimalAt(content: string, at: number): string {
  hexadecimal.lastIndex = at;
  return hexadecimal.exec(content)?.[0] ?? "";
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** The content of a string, with one character for each byte. */
export function plainString(written: string): string {
  if (written.startsWith("<")) {
    return Buffer.from(written.replaceAll(/[^\da-f]/gi, ""), "hex").toString("latin1");
  }
  return written
    .slice(1, -1)
    .replaceAll(/\\(?:([0-7]{1,3})|\r\n?|([^]))/g, (_whole, octal?: string, one = "") => {
      if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8) & 255);
      return one === "\n" ? "" : (escapes[one as string] ?? (one as string));
    });
}
