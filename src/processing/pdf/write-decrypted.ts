import { closeSync, openSync, writeSync } from "node:fs";
import type { Pdfium } from "../pdfium/pdfium.ts";
import { UnreadableFileError } from "../unreadable-file.ts";

/**
 * Writes the open PDF without encryption, in the one form that PdfObjects reads.
 *
 * @param flags `wx` if there may be no file at `to` yet, else `w`
 * @throws {UnreadableFileError}
 */
export function writeDecrypted(pdfium: Pdfium, to: string, flags: "w" | "wx"): void {
  const file = openSync(to, flags);
  try {
    const isWhole = pdfium.saveDecrypted((bytes) => {
      for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
    });
    if (!isWhole) throw new UnreadableFileError("broken", "broken: it cannot be written");
  } finally {
    closeSync(file);
  }
}
