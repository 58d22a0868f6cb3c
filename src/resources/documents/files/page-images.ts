import type { Context } from "../../../context.ts";
import { isOutOfRoom } from "../../../errors.ts";
import { FilesUnavailableError } from "../../../files/files-unavailable.ts";
import type { FileStore } from "../../../files/file-store.ts";
import { documentFolder } from "../../../files/keys.ts";
import { type ImageFormat, PageError, type PdfDocument } from "../../../processing/pdf/pdf-pages.ts";
import type { ReceiptOfOne } from "../receipt-store.ts";

/** Identifies an image of a page. */
export interface PageImage {
  /** From 0. */
  page: number;
  size: string;
  format: ImageFormat;
}

/** Image widths in pixels, by DocumentCloud's names. */
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
 * The key of a page image. Each version of the file has its own folder, so an image that was made from another version
 * and is stored late is never taken for a current one.
 */
export function imageKey(documentId: number, fileHash: string, { page, size, format }: PageImage): string {
  return `${imageFolder(documentId, fileHash)}/p${page + 1}-${size}.${format}`;
}

export async function keepImage(
  { files, images }: Pick<Context, "files" | "images">,
  key: string,
  image: Uint8Array,
): Promise<void> {
  const chunks = async function* chunks(): AsyncGenerator<Uint8Array> {
    yield image;
  };
  await files.put(key, chunks(), { isRemakeable: true });
  void images?.note(image.length);
}

/** The sizes of the first page's image that lists of documents show. */
const sizesOfLists = ["small", "thumbnail"];

/** Makes the images that lists show, so that readers need not wait for them. Returns the receipt. */
export async function makeListImages(
  context: Pick<Context, "files" | "images">,
  pdf: PdfDocument,
  documentId: number,
  fileHash: string,
): Promise<ReceiptOfOne> {
  const started = performance.now();
  const receiptOf = (outcome: "done" | "failed", more: object): ReceiptOfOne => {
    const milliseconds = performance.now() - started;
    return { step: "rendered", outcome, milliseconds, details: { page: 1, ...more } };
  };
  try {
    for (const size of sizesOfLists) {
      const image = await pdf.image(0, widths[size] ?? 0);
      await keepImage(context, imageKey(documentId, fileHash, { page: 0, size, format: "gif" }), image);
    }
    return receiptOf("done", { sizes: sizesOfLists });
  } catch (error) {
    if (error instanceof PageError) return receiptOf("failed", { message: error.message });
    // The images are then made on request.
    if (isOutOfRoom(error)) return receiptOf("failed", { message: "There was no room for images" });
    if (error instanceof FilesUnavailableError)
      return receiptOf("failed", { message: "The file store could not be reached" });
    throw error;
  }
}

export async function removeImages(files: FileStore, documentId: number, fileHash: string): Promise<void> {
  await files.deleteFolder(imageFolder(documentId, fileHash));
}

/** Removes the images of all versions of the file. */
export async function removeAllImages(files: FileStore, documentId: number): Promise<void> {
  await files.deleteFolder(`${documentFolder(documentId)}/images`);
}

function imageFolder(documentId: number, fileHash: string): string {
  return `${documentFolder(documentId)}/images/${fileHash === "" ? "unknown" : fileHash}`;
}
