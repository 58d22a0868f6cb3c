import { hexadecimal } from "./pdf-encryption.ts";
import { type PdfObject, writePdf } from "./pdf.ts";

/** A PDF of one page, with these files in its list, and one that is pinned to the page and called `pin.txt`. */
export function buildPdfWithFiles({
  attached = {},
  pinned = null,
}: {
  attached?: Readonly<Record<string, string>>;
  pinned?: string | null;
}): Buffer {
  const files = Object.entries(attached);
  const first = 5;
  const names = files.map(
    ([name], index) => `(${index}) << /UF ${text(name)} /EF << /F ${first + index} 0 R >> >>`,
  );
  const pin =
    pinned === null
      ? ""
      : `/Annots [<< /Type /Annot /Subtype /FileAttachment /Rect [9 9 29 29]
          /FS << /F (pin.txt) /EF << /F ${first + files.length} 0 R >> >> >>]`;
  const contents = [...files.map(([, content]) => content), ...(pinned === null ? [] : [pinned])];
  return Buffer.from(
    writePdf(
      [
        "<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles 4 0 R >> >>",
        "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] ${pin} >>`,
        `<< /Names [${names.join(" ")}] >>`,
        ...contents.map((content): PdfObject => ({ dictionary: "", stream: Buffer.from(content) })),
      ],
      "/Root 1 0 R",
    ),
  );
}

const text = (name: string): string => hexadecimal(Buffer.from(`\ufeff${name}`, "utf16le").swap16());

function size(bytes: number): Buffer {
  const written = Buffer.alloc(4);
  written.writeUInt32LE(bytes);
  return written;
}

/** A file as Windows' Packager writes it into the stream `Ole10Native` of a compound file. */
export function packagedFile(name: string, content: string): Buffer {
  const path = Buffer.from(`C:\\Temp\\${name}\0`, "latin1");
  const parts = [
    Buffer.from([2, 0]),
    Buffer.from(`${name}\0`, "latin1"),
    path,
    Buffer.from([0, 0, 3, 0]),
    size(path.length),
    path,
    size(content.length),
    Buffer.from(content),
  ];
  const whole = Buffer.concat(parts);
  return Buffer.concat([size(whole.length), whole]);
}
