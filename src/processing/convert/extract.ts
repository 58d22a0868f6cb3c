import { writeFileSync } from "node:fs";
import type { Converted, Extract } from "./conversion.ts";

/** Writes a part of a file as JSON. */
export async function extractPart(
  from: string,
  extension: string,
  to: string,
  extract: Extract,
): Promise<Converted> {
  const part =
    extract.kind === "mail"
      ? await (await import("./mail-parts.ts")).mailParts(from)
      : await (await import("./table-rows.ts")).tableRows(from, extension, extract);
  writeFileSync(to, JSON.stringify(part));
  return { engine: "extract", notes: [] };
}
