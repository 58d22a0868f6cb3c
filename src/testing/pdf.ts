import { type Encryption, hexadecimal, newLock } from "./pdf-encryption.ts";

/*
 * PDF files for tests, written by hand so that a test can say what is in one, down to the last byte where it matters.
 * Text is in Helvetica, in the WinAnsi encoding.
 */

export interface PdfPlan {
  pages: PagePlan[];
  title?: string;
  /** Encrypts the file with 40-bit RC4; `true` uses a password that no test tries. */
  encrypted?: boolean | Encryption;
}

/** Sizes are in points, before rotation. */
export interface PagePlan {
  width: number;
  height: number;
  lines?: string[];
  /** PDF operators that draw more; `/F1` is the font. */
  drawing?: string;
  /** Left, bottom, right and top of the visible part of the page. */
  cropBox?: readonly [number, number, number, number];
  rotate?: 0 | 90 | 180 | 270;
}

export type PdfObject = string | { dictionary: string; stream: Uint8Array };

const neverTried: Encryption = { kind: "rc4-40", userPassword: "not to be guessed" };

/** There are three objects before the pages, and two for each page: the page and its content. */
const contentNumber = (page: number): number => 5 + 2 * page;

/** Without pages it is a well-formed file with an empty page tree. */
export function buildPdf({ pages, title, encrypted = false }: PdfPlan): Uint8Array {
  const kids = pages.map((_page, index) => `${contentNumber(index) - 1} 0 R`);
  const objects: PdfObject[] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids.join(" ")}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ...pages.flatMap((page, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${page.width} ${page.height}] /Rotate ${page.rotate ?? 0} ` +
        (page.cropBox === undefined ? "" : `/CropBox [${page.cropBox.join(" ")}] `) +
        `/Resources << /Font << /F1 3 0 R >> >> /Contents ${contentNumber(index)} 0 R >>`,
      { dictionary: "", stream: contentOf(page) },
    ]),
  ];
  const trailer = ["/Root 1 0 R"];
  const lock = encrypted === false ? null : newLock(encrypted === true ? neverTried : encrypted);
  if (title !== undefined) {
    const number = objects.length + 1;
    const bytes = Buffer.from(`\ufeff${title}`, "utf16le").swap16();
    const text = lock === null ? bytes : lock.close(bytes, number);
    objects.push(`<< /Title ${hexadecimal(text)} >>`);
    trailer.push(`/Info ${number} 0 R`);
  }
  if (lock === null) return writePdf(objects, trailer.join(" "));
  const locked = objects.map((object, index) =>
    typeof object === "string" ? object : { ...object, stream: lock.close(object.stream, index + 1) },
  );
  trailer.push(`/Encrypt ${objects.length + 1} 0 R`, `/ID [${hexadecimal(lock.id)} ${hexadecimal(lock.id)}]`);
  return writePdf([...locked, lock.dictionary], trailer.join(" "));
}

/** Begins like a PDF, but nothing after the beginning can be read. */
export function buildBrokenPdf(): Uint8Array {
  return Buffer.from(`%PDF-1.4\n${"all that follows was lost ".repeat(40)}\n`);
}

/** A file with these objects, numbered from 1, and a valid cross-reference table, whatever the objects contain. */
export function writePdf(objects: PdfObject[], trailer: string): Uint8Array {
  const header = Buffer.from("%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n", "latin1");
  const bodies = objects.map((object, index) => objectBytes(object, index + 1));
  let length = header.length;
  const entries = bodies.map((body) => {
    const entry = `${String(length).padStart(10, "0")} 00000 n \n`;
    length += body.length;
    return entry;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries.join("")}`;
  const end = `trailer\n<< /Size ${size} ${trailer} >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([header, ...bodies, Buffer.from(table + end, "latin1")]);
}

function objectBytes(object: PdfObject, number: number): Buffer {
  if (typeof object === "string") return Buffer.from(`${number} 0 obj\n${object}\nendobj\n`, "latin1");
  const { dictionary, stream } = object;
  return Buffer.concat([
    Buffer.from(`${number} 0 obj\n<< ${dictionary} /Length ${stream.length} >>\nstream\n`, "latin1"),
    stream,
    Buffer.from("\nendstream\nendobj\n"),
  ]);
}

function contentOf({ height, lines = [], drawing = "" }: PagePlan): Buffer {
  const shown = lines.map((line) => `(${winAnsi(line).replaceAll(/[\\()]/g, String.raw`\$&`)}) Tj T*`);
  return Buffer.from(
    ["BT /F1 12 Tf 16 TL", `72 ${height - 84} Td`, ...shown, "ET", drawing].join("\n"),
    "latin1",
  );
}

/**
 * One page in a font that maps its characters to text: each to one or more UTF-16 units, in hexadecimal. `drawing`
 * writes with these characters, in `/F1`.
 */
export function buildPdfInOwnEncoding(meanings: Record<string, string>, drawing: string): Uint8Array {
  const entries = Object.entries(meanings).map(
    ([character, meaning]) => `<${Buffer.from(character, "latin1").toString("hex")}> <${meaning}>`,
  );
  const map = [
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def /CMapType 2 def",
    "1 begincodespacerange <00> <ff> endcodespacerange",
    `${entries.length} beginbfchar ${entries.join(" ")} endbfchar`,
    "endcmap end end",
  ];
  return writePdf(
    [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>",
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 6 0 R >>",
      { dictionary: "", stream: Buffer.from(drawing, "latin1") },
      { dictionary: "", stream: Buffer.from(map.join("\n")) },
    ],
    "/Root 1 0 R",
  );
}

/** The characters of WinAnsi from 0x80 on, where it differs from Latin 1. */
const winAnsiDifferences = "€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ";

/** A string whose character codes are the bytes. */
function winAnsi(line: string): string {
  return line.replaceAll(/[^\x20-\x7e\xa0-\xff]/gu, (character) => {
    const index = winAnsiDifferences.indexOf(character);
    if (index < 0 || character === "\0") throw new Error(`${JSON.stringify(character)} is not in WinAnsi`);
    return String.fromCodePoint(0x80 + index);
  });
}
