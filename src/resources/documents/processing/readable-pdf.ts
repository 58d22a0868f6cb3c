import path from "node:path";
import type { Context } from "../../../context.ts";
import type { RepairProgram } from "../../../processing/convert/converter.ts";
import { takesPassword } from "../../../processing/convert/repair-pdf.ts";
import { copyWithEnds } from "../../../processing/pdf/lost-ends.ts";
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

/** A PDF, and a password if it may need one. */
interface FileToOpen {
  path: string;
  /** Empty if none was sent. */
  password: string;
  whole?: { spentSeconds: number };
}

/** @throws {UnreadableFileError} */
export async function openReadablePdf(
  tools: Tools,
  file: FileToOpen,
  signal: AbortSignal,
): Promise<ReadablePdf> {
  const started = performance.now();
  const { pdfs } = tools;
  let reason: UnreadableFileError;
  try {
    const pdf = await pdfs.open(file.path, file.whole);
    return { path: file.path, pdf, receipt: null, [Symbol.asyncDispose]: () => pdf.close() };
  } catch (error) {
    if (!(error instanceof UnreadableFileError) || !mayBeMended.has(error.kind)) throw error;
    reason = error;
  }
  await using held = new AsyncDisposableStack();
  const folder = held.use(await makeWorkFolder("document"));
  const mending = new Mending(tools, file, reason, folder.path);
  for await (const { path: copy, engine, note } of mending.copies(signal)) {
    // The first reason says more about the original file.
    const pdf = await unlessUnreadable(pdfs.open(copy, file.whole));
    if (pdf === null) continue;
    held.defer(() => pdf.close());
    const kept = held.move();
    const milliseconds = performance.now() - started;
    const details = { from: "pdf", engine, notes: [note] };
    return {
      path: copy,
      pdf,
      receipt: { step: "converted", outcome: "done", milliseconds, details },
      [Symbol.asyncDispose]: () => kept.disposeAsync(),
    };
  }
  throw mending.reason;
}

interface Copy {
  path: string;
  engine: "pdfium" | "quire" | RepairProgram;
  /** A sentence for people that says what was done to the file. */
  note: string;
}

/** The attempts at a PDF that cannot be opened as it arrived. */
class Mending {
  readonly #tools: Tools;
  readonly #file: FileToOpen;
  readonly #folder: string;
  /** Why the file cannot be read, once all attempts have failed. */
  reason: UnreadableFileError;

  constructor(tools: Tools, file: FileToOpen, reason: UnreadableFileError, folder: string) {
    this.#tools = tools;
    this.#file = file;
    this.reason = reason;
    this.#folder = folder;
  }

  /** Copies that may be readable. The next one is made when the one before is not. */
  async *copies(signal: AbortSignal): AsyncGenerator<Copy> {
    const { path: from, password } = this.#file;
    if (this.reason.kind === "encrypted" && password !== "") {
      const to = path.join(this.#folder, "decrypted.pdf");
      try {
        await this.#tools.pdfs.decrypt({ from, to, password }, signal);
        const note = "The file was opened with its password, and is stored without it";
        yield { path: to, engine: "pdfium", note };
      } catch (error) {
        if (!(error instanceof UnreadableFileError)) throw error;
        this.reason = error;
      }
    }
    if (this.reason.kind !== "encrypted") {
      const to = path.join(this.#folder, "ended.pdf");
      const lost = await copyWithEnds(from, to);
      if (lost !== null) yield { path: to, engine: "quire", note: notesOfEnds[lost] };
      // Other programs need no attempt at a file that is no PDF.
      if (lost === null && this.reason.kind === "wrong-kind") return;
    }
    yield* this.#repairs(signal);
  }

  async *#repairs(signal: AbortSignal): AsyncGenerator<Copy> {
    const { converter } = this.#tools;
    const { path: from, password } = this.#file;
    const programs = await converter.repairPrograms();
    for (const program of programs) {
      if (password !== "" && !takesPassword(program)) continue;
      const to = path.join(this.#folder, `${program}.pdf`);
      if (!(await converter.repair(program, { from, to, password, signal }))) continue;
      yield { path: to, engine: program, note: noteOfRepair(this.reason, password) };
    }
    if (programs.length === 0 && this.reason.kind === "broken") this.reason = withAdvice(this.reason);
  }
}

const mayBeMended: ReadonlySet<string> = new Set(["encrypted", "broken", "empty", "wrong-kind"]);

const notesOfEnds = {
  header: "The first line of the file was missing: it was read all the same, and stored with a new one",
  trailer: "The file was truncated: what is left of it was read, and stored with a new trailer",
};

/** Says which program might help, where none is installed. */
function withAdvice({ kind, message }: UnreadableFileError): UnreadableFileError {
  const advice = "If another program opens it, qpdf may repair it here (Debian: apt-get install qpdf)";
  return new UnreadableFileError(kind, `${message}. ${advice}`);
}

async function unlessUnreadable<T>(opening: Promise<T>): Promise<T | null> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof UnreadableFileError) return null;
    throw error;
  }
}

function noteOfRepair({ kind }: UnreadableFileError, password: string): string {
  if (kind !== "encrypted") return "The file's structure was broken; a repaired copy is stored";
  return password === ""
    ? "The file's encryption is misstated; it opens without a password, and is stored without encryption"
    : "The file was opened with its password, and is stored without it";
}
