import { defaultLanguage } from "../contract/describing-fields.ts";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { documentLimits } from "../contract/limits.ts";
import type { Context } from "../context.ts";
import { hashed } from "../files/hashed-bytes.ts";
import { sha1OfFile } from "../files/file-hash.ts";
import type { FileStore } from "../files/file-store.ts";
import { documentFileKey } from "../files/keys.ts";
import { timestampNow } from "../http/text/timestamp.ts";
import { formatPageSpec } from "../processing/page-spec.ts";
import { type PdfInspector, openPdfInspector } from "../processing/pdf/pdf.ts";
import { UnreadableFileError } from "../processing/unreadable-file.ts";
import { slugOf } from "../http/text/slug.ts";
import {
  KnownDocumentError,
  addPath,
  changeKnownDocument,
} from "../resources/documents/uploads/change-known-document.ts";
import type { ReadFacts } from "../resources/documents/file-facts-store.ts";
import type { PutCounts } from "../resources/documents/record/import-store.ts";
import {
  addDocumentOfFile,
  reserveDocumentId,
} from "../resources/documents/record/document-of-file-store.ts";
import { findDocumentsOfFile } from "../resources/documents/files/received-file-store.ts";
import { defaultColumns } from "../resources/documents/record-members.ts";
import type { Owner } from "./owner.ts";
import type { ImportReport } from "./report.ts";

export interface FileToImport {
  path: string;
  /** In lower case, without a dot. */
  extension: string;
  /** Where it is in the folder that was named; null or missing if the file itself was named. */
  relativePath?: string | null;
}

export interface FileImportOptions {
  /** The owner of the documents. */
  owner(): Promise<Owner>;
  /** The access level on the command line. It also applies to documents that exist already. Null if none was given. */
  access: string | null;
  signal: AbortSignal;
  report: ImportReport;
}

/** The default of a new document: it is private, so nothing is published by accident. */
export const defaultAccess = "private";

/**
 * Imports files as documents. The file is stored under a reserved id before its document is inserted. So every document
 * that a reader sees has its file, and a crash in between leaves at most a file without a document.
 */
export class FileImport {
  readonly #context: Pick<Context, "config" | "database" | "files">;
  readonly #options: FileImportOptions;
  readonly #inspector: PdfInspector;
  readonly #stop = (): void => void this.#inspector.close();

  /** The caller must close it. */
  constructor(context: Pick<Context, "config" | "database" | "files">, options: FileImportOptions) {
    const { pdfTimeLimitSeconds, pdfMemoryLimitMb } = context.config;
    this.#context = context;
    this.#options = options;
    this.#inspector = openPdfInspector({
      timeLimitSeconds: pdfTimeLimitSeconds,
      memoryLimitMb: pdfMemoryLimitMb,
    });
    options.signal.addEventListener("abort", this.#stop);
  }

  /** Reports the outcome for the file. `language` is a code; like `access`, it is null if none was given. */
  async run(file: FileToImport, language: string | null): Promise<void> {
    const { signal, report } = this.#options;
    signal.throwIfAborted();
    report.at(file.path);
    try {
      const { outcome, document } = await this.#add(file, language);
      report.count({ added: 0, changed: 0, known: 0, [outcome]: 1 });
      report.file(file.path, outcome, { document });
      report.at(file.path);
    } catch (error) {
      signal.throwIfAborted();
      const reason = reasonAbout(file, error);
      if (reason === null) throw error;
      report.fail(file.path, reason);
    }
  }

  async close(): Promise<void> {
    this.#options.signal.removeEventListener("abort", this.#stop);
    await this.#inspector.close();
  }

  /** Imports the file as a new document, or changes the document that has the same content already. */
  async #add(file: FileToImport, language: string | null): Promise<FileOutcome> {
    const { database, files } = this.#context;
    const { access, signal } = this.#options;
    const { relativePath = null } = file;
    const sha1 = await sha1OfFile(file.path, signal);
    const known = await findDocumentsOfFile(database.reader, sha1, file.extension);
    if (known.length > 0) return this.#changeKnown(known, file, language);
    const facts = await this.#factsOf(file, sha1);
    const owner = await this.#options.owner();
    const title = titleOf(file.path);
    const slug = slugOf(title);
    const now = timestampNow();
    for (;;) {
      const id = await reserveDocumentId(database);
      const key = documentFileKey(id, slug, file.extension);
      const started = performance.now();
      const { bytes, sha256 } = await keep(files, key, { file: file.path, sha1 }, signal);
      const milliseconds = { coming: 0, storing: performance.now() - started };
      const arrived = { key, extension: file.extension, sha1, sha256, bytes, milliseconds };
      const values = {
        ...defaultColumns,
        id,
        access: access ?? defaultAccess,
        admin_noindex: false,
        asset_url: null,
        created_at: now,
        data: relativePath === null ? "{}" : JSON.stringify({ path: [pathInData(relativePath)] }),
        language: language ?? defaultLanguage,
        organization_id: owner.organization,
        original_extension: file.extension,
        ...facts,
        publish_at: null,
        slug,
        title,
        updated_at: now,
        user_id: owner.user,
      };
      const outcome = await database.write((writer) =>
        addDocumentOfFile(writer, database.dialect, { values, projects: owner.projects }, arrived),
      );
      if (outcome === "added") return { outcome, document: id };
      await files.delete(key);
      // Another import has inserted the document meanwhile.
      if (outcome === "known") return this.#add(file, language);
    }
  }

  async #changeKnown(
    ids: readonly number[],
    { path: file, relativePath = null }: FileToImport,
    language: string | null,
  ): Promise<FileOutcome> {
    const { access, report } = this.#options;
    const { user, organization, ownOrganization, projects, isChosen } = await this.#options.owner();
    const [document = 0] = ids;
    if (relativePath !== null && (await addPath(this.#context.database, document, pathInData(relativePath))))
      report.note(`${file}: the same file as document ${document}, which has both paths now`);
    const isChanged = await changeKnownDocument(this.#context.database, ids, {
      access,
      language,
      owner: isChosen.user ? { user, ownOrganization } : null,
      organization: isChosen.organization ? organization : null,
      projects,
    });
    return { outcome: isChanged ? "changed" : "known", document };
  }

  /** Pages and sizes are known at once only for a PDF. Other file types are converted first. */
  async #factsOf(file: FileToImport, sha1: string): Promise<ReadFacts & { status: string }> {
    const start = await startOf(file.path);
    if (start.length === 0) throw new UnreadableFileError("empty", "empty: it has no bytes");
    if (file.extension !== "pdf") return { status: "pending", page_count: 0, page_spec: "", file_hash: "" };
    if (!start.includes("%PDF-")) throw new UnreadableFileError("not-a-pdf", "not a PDF");
    const { pageCount, pageSizes } = await this.#inspector.inspect(file.path);
    const page_spec = formatPageSpec(pageSizes);
    return { status: "readable", page_count: pageCount, page_spec, file_hash: sha1 };
  }
}

interface FileOutcome {
  outcome: keyof PutCounts;
  document: number;
}

/** A path as a document keeps it. If it is too long, its end, as in the browser. */
const pathInData = (relativePath: string): string =>
  Array.from(relativePath.toWellFormed()).slice(-documentLimits.dataValue).join("");

/** Reads the first 1024 bytes: a PDF's header may be anywhere in them. */
async function startOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(1024), length: 1024 });
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Copies a file into the store. Throws if its bytes no longer have this hash. */
async function keep(
  files: FileStore,
  key: string,
  { file, sha1 }: { file: string; sha1: string },
  signal: AbortSignal,
): Promise<{ bytes: number; sha256: string }> {
  const read = hashed(createReadStream(file, { signal }), "sha1", "sha256");
  const checked = async function* checked(): AsyncGenerator<Uint8Array> {
    yield* read;
    if (read.hash("sha1") !== sha1) throw new UnreadableFileError("broken", "changed while it was read");
  };
  await files.put(key, checked());
  return { bytes: read.size, sha256: read.hash("sha256") };
}

/** The file's name without its extension, cut to the maximum length of a title. */
function titleOf(file: string): string {
  const name = path.basename(file, path.extname(file)).normalize("NFC");
  const title = name
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .toWellFormed();
  return Array.from(title).slice(0, 1000).join("") || "Untitled";
}

/** The reason, if the error is about the file itself. Null for all other errors. */
function reasonAbout(file: FileToImport, error: unknown): string | null {
  if (error instanceof UnreadableFileError || error instanceof KnownDocumentError) return error.message;
  const isAboutFile = error instanceof Error && "path" in error && error.path === file.path;
  return isAboutFile && "code" in error ? `cannot be read (${String(error.code)})` : null;
}
