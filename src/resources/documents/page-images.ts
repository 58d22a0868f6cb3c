import type { FileStore } from "../../files/file-store.ts";
import { documentFolder } from "../../files/keys.ts";

/** In pixels, as clients of that API name them. */
const widths: Readonly<Record<string, number>> = {
  xlarge: 2000,
  large: 1000,
  normal: 700,
  small: 180,
  thumbnail: 60,
};

export function imageWidth(size: string): number | null {
  return Object.hasOwn(widths, size) ? (widths[size] ?? null) : null;
}

/**
 * Where the image of a page is kept: in a folder for this state of the file, so that an image that was made of another
 * one, and comes late, is never taken for one of this.
 */
export function imageKey(documentId: number, fileHash: string, page: number, size: string): string {
  return `${imageFolder(documentId, fileHash)}/p${page + 1}-${size}.gif`;
}

export async function removeImages(files: FileStore, documentId: number, fileHash: string): Promise<void> {
  await files.deleteFolder(imageFolder(documentId, fileHash));
}

/** Also those of states that the file was in before. */
export async function removeAllImages(files: FileStore, documentId: number): Promise<void> {
  await files.deleteFolder(`${documentFolder(documentId)}/images`);
}

function imageFolder(documentId: number, fileHash: string): string {
  return `${documentFolder(documentId)}/images/${fileHash === "" ? "unknown" : fileHash}`;
}
