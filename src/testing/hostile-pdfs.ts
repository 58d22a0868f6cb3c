import { deflateSync } from "node:zlib";
import { runs } from "./runs.ts";
import { type PdfObject, buildBrokenPdf, buildPdf, writePdf } from "./pdf.ts";

/* Broken and malicious PDFs. Each must end as a document or with a reason. */

const sound = { width: 612, height: 792, lines: ["A sound page"] };
const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>";

/** A file with these objects as its page tree. They are numbered from 2, and the first is the root. */
function withPageTree(...objects: PdfObject[]): Uint8Array {
  return writePdf(["<< /Type /Catalog /Pages 2 0 R >>", ...objects], "/Root 1 0 R");
}

/** One page with this content. `more` are further members of its dictionary. */
function showing(content: PdfObject, more = "/MediaBox [0 0 612 792]", ...objects: PdfObject[]): Uint8Array {
  return withPageTree(
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    `<< /Type /Page /Parent 2 0 R ${more} /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> ` +
      "/XObject << /X 6 0 R >> >> >>",
    content,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...objects,
  );
}

const drawing = (text: string): PdfObject => ({ dictionary: "", stream: Buffer.from(text) });

/** Hundreds of megabytes of one byte compress well at any level. The lowest level takes a quarter of the time. */
const fast = { level: 1 };

function packed(bytes: Uint8Array, times = 1): PdfObject {
  let stream: Uint8Array = bytes;
  for (let time = 0; time < times; time++) stream = deflateSync(stream, fast);
  return { dictionary: `/Filter [${"/FlateDecode ".repeat(times)}]`, stream };
}

/** A file with these additional entries in the catalog, and these objects, numbered from 6. */
function withCatalog(entries: string, ...objects: PdfObject[]): Uint8Array {
  return writePdf(
    [
      `<< /Type /Catalog /Pages 2 0 R ${entries} >>`,
      "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
      drawing("BT /F1 12 Tf 72 700 Td (A sound page) Tj ET"),
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
      ...objects,
    ],
    "/Root 1 0 R",
  );
}

const pagesOfOne = 400_000;

/** The levels of the page tree, and the ancestors in which a page looks for what it inherits. */
const [treeLevels, ancestors] = [24, 60];

/**
 * A small file with many pages of one, because each level of its page tree refers to the next one twice. The page
 * inherits its size from far away.
 */
function repeatingPdf(...objects: PdfObject[]): Uint8Array {
  const twice = (_: unknown, index: number): string =>
    `<< /Type /Pages /Count ${Math.min(2 ** (treeLevels - index), pagesOfOne)} /Kids [${index + 3} 0 R ` +
    `${index + 3} 0 R] >>`;
  const first = treeLevels + 3;
  const inheriting = (_: unknown, index: number): string =>
    index < ancestors - 1
      ? `<< /Type /Pages /Parent ${first + index + 1} 0 R >>`
      : "<< /Type /Pages /MediaBox [0 0 612 792] >>";
  return withPageTree(
    ...Array.from({ length: treeLevels }, twice),
    `<< /Type /Page /Parent ${first} 0 R >>`,
    ...Array.from({ length: ancestors }, inheriting),
    ...objects,
  );
}

/** The same, as large as its number of pages allows: its pages take many seconds to measure. */
export const hangingPdf = (): Uint8Array => repeatingPdf(drawing("q ".repeat(pagesOfOne)));

/** A file with this number of pages, and this number of lines on each. */
export function largePdf(pages: number, lines = 1): Uint8Array {
  const text = (number: number): string[] =>
    Array.from({ length: lines }, (_, line) => `Page ${number}, line ${line + 1}: the harbour and its ships`);
  return buildPdf({
    pages: Array.from({ length: pages }, (_, index) => ({ ...sound, lines: text(index + 1) })),
  });
}

const nested = (levels: number): Uint8Array =>
  withPageTree(
    ...Array.from({ length: levels }, (_, index) => `<< /Type /Pages /Count 1 /Kids [${index + 3} 0 R] >>`),
    page,
  );

const replaced = (bytes: Uint8Array, what: RegExp, by: string): Uint8Array =>
  Buffer.from(Buffer.from(bytes).toString("latin1").replace(what, by), "latin1");

function changedBytes(bytes: Uint8Array, step: number): Uint8Array {
  return bytes.map((byte, index) => (index > 20 && index % step === 0 ? (byte * 31 + index) & 255 : byte));
}

const action = (entries: string): string => `/OpenAction << /Type /Action ${entries} >>`;

/** Files with their problem and expected end: a `document`, an error with a `reason`, or `either` of these. */
export function hostilePdfs(): [what: string, bytes: Uint8Array, end: "document" | "reason" | "either"][] {
  const whole = largePdf(5);
  const cut = (share: number): Uint8Array => whole.subarray(0, Math.floor(whole.length * share));
  const squares = Buffer.from("0.5 g 0 0 600 700 re f 0.6 g 1 1 600 700 re f\n".repeat(200_000));
  const form = "/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /X 6 0 R >> >>";
  const image = "/Type /XObject /Subtype /Image /ColorSpace /DeviceGray /BitsPerComponent 8";
  return [
    ["is text", Buffer.from("Only text."), "reason"],
    ["is a header alone", Buffer.from("%PDF-1.7\n"), "reason"],
    ["is rubble after the header", buildBrokenPdf(), "reason"],
    ["is cut off near its beginning", cut(0.05), "document"],
    ["is cut off in the middle", cut(0.5), "either"],
    ["is cut off near its end", cut(0.98), "either"],
    ["is full of zeros in the middle", Buffer.from(whole).fill(0, 700, 970), "either"],
    ["has some of its bytes changed", changedBytes(whole, 97), "either"],
    ["has many of its bytes changed", changedBytes(whole, 11), "either"],
    ["says wrongly where its table is", replaced(whole, /startxref\n\d+/, "startxref\n7"), "document"],
    [
      "says that its table is beyond its end",
      replaced(whole, /startxref\n\d+/, "startxref\n999999999"),
      "document",
    ],
    ["has a wrong table", replaced(whole, /\n0000000\d\d\d /g, "\n0000009999 "), "either"],
    [
      "has a table that goes on with itself",
      replaced(whole, /\/Root 1 0 R/, `/Root 1 0 R /Prev ${Buffer.from(whole).lastIndexOf("xref\n0")}`),
      "either",
    ],
    ["has no root", replaced(whole, /\/Root 1 0 R/, "/Toor 1 0 R"), "either"],
    ["has a root that is not there", replaced(whole, /\/Root 1 0 R/, "/Root 999 0 R"), "either"],
    ["lies about the length of a stream", replaced(whole, /\/Length \d+/g, "/Length 99999999"), "either"],
    ["opens with a password", buildPdf({ pages: [sound], encrypted: true }), "reason"],
    ["has no pages", buildPdf({ pages: [] }), "reason"],
    ["has a page tree that contains itself", withPageTree("<< /Type /Pages /Kids [2 0 R] >>"), "reason"],
    [
      "has a page tree that contains itself, and a page",
      withPageTree("<< /Type /Pages /Count 2 /Kids [2 0 R 3 0 R] >>", page),
      "either",
    ],
    [
      "has a page tree in a ring",
      withPageTree("<< /Type /Pages /Kids [3 0 R] >>", "<< /Type /Pages /Kids [2 0 R] >>"),
      "reason",
    ],
    ["has a page tree of 100,000 levels", nested(100_000), "either"],
    [
      "claims a million pages",
      withPageTree("<< /Type /Pages /Count 1000000 /Kids [3 0 R] >>", page),
      "either",
    ],
    [
      "claims fewer than no pages",
      withPageTree("<< /Type /Pages /Count -5 /Kids [3 0 R] >>", page),
      "either",
    ],
    ["makes millions of pages of one", repeatingPdf(), "reason"],
    [
      "has a page of a million points",
      showing(drawing("BT /F1 12 Tf 72 700 Td (Large) Tj ET"), "/MediaBox [0 0 1000000 1000000]"),
      "either",
    ],
    [
      "has a page larger than any number",
      showing(drawing("BT ET"), "/MediaBox [0 0 1e38 99999999999999999999]"),
      "either",
    ],
    [
      "has a page of no size",
      showing(drawing("BT ET"), "/MediaBox [0 0 0 0] /CropBox [0 0 .001 .001]"),
      "either",
    ],
    ["has a page whose box is no box", showing(drawing("BT ET"), "/MediaBox [(a) null]"), "either"],
    [
      "has a page with a million units to a point",
      showing(drawing("BT ET"), "/MediaBox [0 0 600 800] /UserUnit 1000000"),
      "either",
    ],
    ["has a Flate bomb for a page", showing(packed(Buffer.alloc(300_000_000, " "))), "either"],
    ["has a Flate bomb in a Flate bomb", showing(packed(Buffer.alloc(300_000_000, " "), 2)), "either"],
    ["takes long to draw", showing(packed(squares)), "either"],
    [
      "has a million words on a page",
      showing(packed(Buffer.from(`BT /F1 1 Tf ${"1 0 Td (word ) Tj ".repeat(300_000)} ET`))),
      "either",
    ],
    ["saves its state a million times", showing(packed(Buffer.from("q ".repeat(1_000_000)))), "either"],
    ["nests a million lists", showing(packed(Buffer.from("[".repeat(1_000_000)))), "either"],
    ["nests 100,000 dictionaries", withCatalog(`/A ${"<< /A ".repeat(100_000)}`), "either"],
    [
      "draws a form that draws itself",
      showing(drawing("/X Do"), undefined, { dictionary: form, stream: Buffer.from("/X Do /X Do") }),
      "either",
    ],
    [
      "claims an image of 100,000 × 100,000",
      showing(drawing("600 0 0 700 0 0 cm /X Do"), undefined, {
        dictionary: `${image} /Width 100000 /Height 100000`,
        stream: Buffer.alloc(1000),
      }),
      "either",
    ],
    [
      "has an image that is a bomb",
      showing(drawing("600 0 0 700 0 0 cm /X Do"), undefined, {
        dictionary: `${image} /Width 20000 /Height 20000 /Filter /FlateDecode`,
        stream: deflateSync(Buffer.alloc(400_000_000), fast),
      }),
      "either",
    ],
    [
      "runs a script",
      withCatalog(action("/S /JavaScript /JS (while \\(true\\) app.alert\\(1\\);)")),
      "document",
    ],
    [
      "starts a program",
      withCatalog(action("/S /Launch /F (/bin/sh) /Win << /F (cmd.exe) /P (/c calc) >>")),
      "document",
    ],
    ["opens an address", withCatalog(action("/S /URI /URI (http://127.0.0.1:9/)")), "document"],
    [
      "sends itself off",
      withCatalog(action("/S /SubmitForm /F << /FS /URL /F (http://127.0.0.1:9/) >>")),
      "document",
    ],
    ["reads from another file", withCatalog(action("/S /GoToR /F (/etc/passwd) /D [0 /Fit]")), "document"],
    [
      "carries files",
      withCatalog(
        "/Names << /EmbeddedFiles << /Names [(a.exe) 6 0 R] >> >>",
        "<< /Type /Filespec /F (a.exe) /EF << /F 7 0 R >> >>",
        { dictionary: "/Type /EmbeddedFile", stream: Buffer.from("MZ") },
      ),
      "document",
    ],
    [
      "has its contents in another file",
      showing({ dictionary: "/F (/etc/passwd)", stream: Buffer.alloc(0) }),
      "either",
    ],
    ["has thousands of pages in one tree", largePdf(Math.min(20_000, runs(2000))), "document"],
  ];
}
