import { sha1 } from "@noble/hashes/legacy.js";
import type { DeskOptions } from "./desk-api.ts";
import { sizeInWords, texts } from "./texts.ts";

/** Of a file name, in lower case and without the dot; empty if there is none. */
export function extensionOf(name: string): string {
  return /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
}

/** Why a file cannot be uploaded; null if it can, as far as a browser can tell. */
export async function problemWith(
  file: File,
  { extensions, maxBytes }: Pick<DeskOptions, "extensions" | "maxBytes">,
): Promise<string | null> {
  const extension = extensionOf(file.name);
  if (!extensions.includes(extension)) return texts.wrongKind(extension);
  if (file.size === 0) return texts.empty;
  if (file.size > maxBytes) return texts.tooLarge(sizeInWords(maxBytes));
  try {
    // A PDF may have other bytes before its header, up to this many.
    const start = new TextDecoder("latin1").decode(await file.slice(0, 1024).arrayBuffer());
    return extension === "pdf" && !start.includes("%PDF-") ? texts.notPdf : null;
  } catch {
    return texts.unreadable;
  }
}

/**
 * The SHA-1 of a file, in hexadecimal digits. A library computes it piece by piece: the browser's own function wants the
 * whole file in memory, and is missing where pages come without HTTPS.
 */
export async function hashOf(file: File, signal: AbortSignal): Promise<string> {
  const hash = sha1.create();
  const step = 4 * 1024 * 1024;
  for (let start = 0; start < file.size; start += step) {
    signal.throwIfAborted();
    hash.update(new Uint8Array(await file.slice(start, start + step).arrayBuffer()));
  }
  return Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
