import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import type { PageRaster } from "../processing/pdf/pdf-page-reading.ts";
import { openPdfReader } from "../processing/pdf/pdf-pages.ts";
import { type PdfObject, buildPdf, writePdf } from "./pdf.ts";

/**
 * The scan of a text in any script of the font DejaVu, with joined letters and from right to left if the script needs
 * it: a grey PNG with 300 dots per inch.
 */
export async function scanOfText(text: string): Promise<Buffer> {
  const fontfile = createRequire(import.meta.url).resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf");
  const set = { text, font: "DejaVu Sans 11", fontfile, width: 1500, dpi: 300, spacing: 14 } as const;
  const letters = await sharp({ text: set }).negate({ alpha: false }).png().toBuffer();
  return await sharp(letters)
    .extend({ top: 150, bottom: 150, left: 150, right: 150, background: "white" })
    .greyscale()
    .withMetadata({ density: 300 })
    .png()
    .toBuffer();
}

/** The image that a PDF reader draws for a page that contains this image. */
export async function rasterOfScan(scan: Buffer, quarterTurns = 0): Promise<PageRaster> {
  const turned = sharp(scan).rotate(quarterTurns * 90);
  const { data, info } = await turned.greyscale().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const head = Buffer.from(`P5\n${width} ${height}\n255\n`);
  return { width, height, bytes: new Uint8Array(Buffer.concat([head, data])) };
}

/** A PDF whose pages are these pictures and nothing else. */
export function pdfOfScans(scans: readonly PageRaster[]): Uint8Array {
  const kids = scans.map((_, index) => `${3 + index * 3} 0 R`);
  const pages = scans.flatMap(({ width, height, bytes }, index): PdfObject[] => {
    const [across, down] = [(width / 300) * 72, (height / 300) * 72];
    const number = 3 + index * 3;
    return [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${across} ${down}] ` +
        `/Resources << /XObject << /Scan ${number + 1} 0 R >> >> /Contents ${number + 2} 0 R >>`,
      {
        dictionary:
          `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ` +
          "/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode",
        stream: deflateSync(bytes.subarray(bytes.length - width * height)),
      },
      { dictionary: "", stream: Buffer.from(`${across} 0 0 ${down} 0 0 cm /Scan Do`) },
    ];
  });
  return writePdf(
    [
      "<< /Type /Catalog /Pages 2 0 R >>",
      `<< /Type /Pages /Count ${scans.length} /Kids [${kids.join(" ")}] >>`,
      ...pages,
    ],
    "/Root 1 0 R",
  );
}

/** The scan of a page with these lines: a grey PNG with 300 dots per inch. */
export async function scanOf(lines: string[], { width = 400, height = 300 } = {}): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), "quire-test-"));
  const reader = openPdfReader({ timeLimitSeconds: 60, memoryLimitMb: 1024 });
  try {
    const file = path.join(folder, "drawn.pdf");
    await writeFile(file, buildPdf({ pages: [{ width, height, lines }] }));
    await using pdf = await reader.open(file);
    const raster = await pdf.raster(0);
    const grey = raster.bytes.subarray(raster.bytes.length - raster.width * raster.height);
    return await sharp(grey, { raw: { width: raster.width, height: raster.height, channels: 1 } })
      .withMetadata({ density: 300 })
      .png()
      .toBuffer();
  } finally {
    await reader.close();
    await rm(folder, { recursive: true });
  }
}
