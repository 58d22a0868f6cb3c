import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { openPdfReader } from "../processing/pdf/pdf-pages.ts";
import { buildPdf } from "./pdf.ts";

/** A page with these lines as a scanner hands it on: a grey PNG of 300 dots an inch. */
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
