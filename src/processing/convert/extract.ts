import { writeFileSync } from "node:fs";
import type { Converted, Extract } from "./conversion.ts";

/** Writes a part of a file as JSON, or a searchable or stamped copy of a PDF. */
export async function extractPart(
  from: string,
  extension: string,
  to: string,
  extract: Extract,
): Promise<Converted> {
  if (extract.kind === "searchable") {
    return (await import("./searchable-pdf.ts")).searchablePdf(from, to, extract);
  }
  if (extract.kind === "stamped") return (await import("./stamped-pdf.ts")).stampedPdf(from, to, extract);
  const part = await partOf(from, extension, extract);
  writeFileSync(to, JSON.stringify(part));
  return { engine: "extract", notes: [] };
}

async function partOf(
  from: string,
  extension: string,
  extract: Exclude<Extract, { kind: "searchable" | "stamped" }>,
): Promise<unknown> {
  if (extract.kind === "mail") return (await import("./mail-parts.ts")).mailParts(from, extension);
  if (extract.kind === "files") return (await import("../unpack/unpack.ts")).unpack(from, extension, extract);
  return (await import("./table-rows.ts")).tableRows(from, extension, extract);
}
