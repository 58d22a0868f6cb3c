import { sha1 } from "@noble/hashes/legacy.js";
import type { DeskOptions } from "../../contract/page-options.ts";
import { sizeInWords, texts } from "../model/texts.ts";

/** The extension of a file name, in lower case and without the dot. Empty if there is none. */
export function extensionOf(name: string): string {
  return /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
}

/** The reason why a file cannot be uploaded; null if the browser finds none. */
export async function problemWith(
  file: File,
  { extensions, maxBytes }: Pick<DeskOptions, "extensions" | "maxBytes">,
): Promise<string | null> {
  const extension = extensionOf(file.name);
  if (!extensions.includes(extension)) return texts.wrongKind(extension);
  if (file.size === 0) return texts.empty;
  if (file.size > maxBytes) return texts.tooLarge(sizeInWords(maxBytes));
  try {
    // The header of a PDF may begin anywhere in the first 1024 bytes.
    const start = new TextDecoder("latin1").decode(await file.slice(0, 1024).arrayBuffer());
    return extension === "pdf" && !start.includes("%PDF-") ? texts.notPdf : null;
  } catch {
    return texts.unreadable;
  }
}

/**
 * The SHA-1 of a file, in hexadecimal digits. A library computes it piece by piece, because the browser's own function
 * needs the whole file in memory, and exists only on pages that come over HTTPS.
 */
export async function hashOf(file: File): Promise<string> {
  const hash = sha1.create();
  const step = 4 * 1024 * 1024;
  for (let start = 0; start < file.size; start += step) {
    hash.update(new Uint8Array(await file.slice(start, start + step).arrayBuffer()));
  }
  return Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
