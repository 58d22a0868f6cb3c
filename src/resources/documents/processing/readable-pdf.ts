import { rm } from "node:fs/promises";
import path from "node:path";
import type { Context } from "../../../context.ts";
import { copyWithTrailer } from "../../../processing/pdf/lost-trailer.ts";
import type { PdfDocument } from "../../../processing/pdf/pdf-pages.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";
import type { ReceiptOfOne } from "../receipt-store.ts";
import { makeWorkFolder } from "../../../work-folders.ts";

/*
 * A PDF that cannot be opened as it arrived may open with the password that the client sent, or after another program
 * has rewritten it: some files misstate their encryption or structure, and some readers tolerate that. Either way, the
 * resulting copy is what is read from then on, and what is stored. Pages are drawn long after the file was read, when
 * nobody can be asked for a password.
 */

type Tools = Pick<Context, "pdfs" | "converter">;

export interface ReadablePdf extends AsyncDisposable {
  path: string;
  pdf: PdfDocument;
  /** How the copy was made; null if the PDF is the file itself. */
  receipt: ReceiptOfOne | null;
}

/** @throws {UnreadableFileError} */
export async function openReadablePdf(
  { pdfs, converter }: Tools,
  { path: file, password, whole }: { path: string; password: string; whole?: { spentSeconds: number } },
  signal: AbortSignal,
): Promise<ReadablePdf> {
  const started = performance.now();
  let reason: UnreadableFileError;
  try {
    const pdf = await pdfs.open(file, whole);
    return { path: file, pdf, receipt: null, [Symbol.asyncDispose]: () => pdf.close() };
  } catch (error) {
    if (!(error instanceof UnreadableFileError) || !mayBeMended.has(error.kind)) throw error;
    reason = error;
  }
  const folder = await makeWorkFolder("document");
  const removeFolder = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const opened = async (
    copy: string,
    engine: "pdfium" | "quire" | "qpdf",
    note: string,
  ): Promise<ReadablePdf> => {
    const pdf = await pdfs.open(copy, whole);
    return {
      path: copy,
      pdf,
      receipt: {
        step: "converted",
        outcome: "done",
        milliseconds: performance.now() - started,
        details: { from: "pdf", engine, notes: [note] },
      },
      async [Symbol.asyncDispose]() {
        await pdf.close();
        await removeFolder();
      },
    };
  };
  try {
    if (reason.kind === "encrypted" && password !== "") {
      const to = path.join(folder, "decrypted.pdf");
      try {
        await pdfs.decrypt({ from: file, to, password }, signal);
        return await opened(to, "pdfium", "The file was opened with its password, and is stored without it");
      } catch (error) {
        reason = reasonIn(error);
      }
    }
    const ended = path.join(folder, "ended.pdf");
    if (reason.kind === "broken" && (await copyWithTrailer(file, ended))) {
      try {
        return await opened(
          ended,
          "quire",
          "The file was truncated: what is left of it was read, and stored with a new trailer",
        );
      } catch (error) {
        reasonIn(error);
      }
    }
    const to = path.join(folder, "repaired.pdf");
    if (await converter.repair({ from: file, to, password, signal })) {
      try {
        return await opened(to, "qpdf", noteOfRepair(reason, password));
      } catch (error) {
        // The first reason says more about the original file.
        reasonIn(error);
      }
    }
    throw reason;
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

const mayBeMended: ReadonlySet<string> = new Set(["encrypted", "broken"]);

function reasonIn(error: unknown): UnreadableFileError {
  if (error instanceof UnreadableFileError) return error;
  throw error;
}

function noteOfRepair({ kind }: UnreadableFileError, password: string): string {
  if (kind !== "encrypted") return "The file's structure was broken; a repaired copy is stored";
  return password === ""
    ? "The file's encryption is misstated; it opens without a password, and is stored without encryption"
    : "The file was opened with its password, and is stored without it";
}
