import type { Context } from "../../../context.ts";
import { isOutOfRoom } from "../../../errors.ts";
import { FilesUnavailableError } from "../../../files/files-unavailable.ts";
import type { FileStore } from "../../../files/file-store.ts";
import { documentFolder } from "../../../files/keys.ts";
import { PageError, type PdfDocument } from "../../../processing/pdf/pdf-pages.ts";
import type { ReceiptOfOne } from "../receipt-store.ts";

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

export async function keepImage(
  { files, images }: Pick<Context, "files" | "images">,
  key: string,
  image: Uint8Array,
): Promise<void> {
  const chunks = async function* chunks(): AsyncGenerator<Uint8Array> {
    yield image;
  };
  await files.put(key, chunks());
  void images?.note(image.length);
}

/** Of the first page: what a list of documents shows, many at a time. */
const sizesOfLists = ["small", "thumbnail"];

/** Makes the images that lists show, so that nobody waits for them; what came of it. */
export async function makeListImages(
  context: Pick<Context, "files" | "images">,
  pdf: PdfDocument,
  documentId: number,
  fileHash: string,
): Promise<ReceiptOfOne> {
  const started = performance.now();
  const told = (outcome: "done" | "failed", more: object): ReceiptOfOne => {
    const milliseconds = performance.now() - started;
    return { step: "rendered", outcome, milliseconds, details: { page: 1, ...more } };
  };
  try {
    for (const size of sizesOfLists) {
      const image = await pdf.image(0, widths[size] ?? 0);
      await keepImage(context, imageKey(documentId, fileHash, 0, size), image);
    }
    return told("done", { sizes: sizesOfLists });
  } catch (error) {
    if (error instanceof PageError) return told("failed", { message: error.message });
    // They are made when somebody asks for them.
    if (isOutOfRoom(error)) return told("failed", { message: "There was no room for images" });
    if (error instanceof FilesUnavailableError)
      return told("failed", { message: "The files could not be reached" });
    throw error;
  }
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
