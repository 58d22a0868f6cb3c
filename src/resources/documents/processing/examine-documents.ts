import { busyStatuses } from "../../document-states.ts";
import type { Context } from "../../../context.ts";
import { sha1OfFile } from "../../../files/file-hash.ts";
import { batchesOf } from "../../../batches.ts";
import { documentFileKey, documentFolder } from "../../../files/keys.ts";
import { enqueue, findUnknownKinds, remove } from "../../../jobs/queue.ts";
import { countTexts, indexTexts } from "../../../search/text-index.ts";
import { findFileRemovals, findThere, isThere } from "../record/change-store.ts";
import {
  type ExaminedDocument,
  findIdleJobs,
  findIdleProgress,
  findIndexFaults,
  isReadAs,
  lockIndexFault,
} from "./check-store.ts";
import { findFileFacts, processJob, setStatus } from "../file-facts-store.ts";
import { type FilesOfDocument, batchesToExamine, isFolderOfDocument } from "./examined-files.ts";
import { endProgress } from "./progress-store.ts";
import { addReceipt } from "../receipt-store.ts";
import { findWrongRecords, restoreRecord } from "../record-store.ts";
import { removeFiles } from "../record/remove-files.ts";

/** A difference between the database, the files and the index. */
export interface Difference {
  /** A sentence for a person. */
  what: string;
  /** Repairs the difference; null if only a person can. */
  repair: (() => Promise<void>) | null;
}

export interface ExaminationOptions {
  /** Whether every PDF is read in full and compared with the recorded hash. */
  hashes?: boolean;
  /** The position of an examination that has ended early, from which this one goes on. */
  after?: number | null;
  /** Called when some documents have been examined, with their number and the position. */
  onBatch?: (documents: number, position: number | null) => Promise<void>;
}

/** Compares the database with the stored files and with the search index. */
export async function* examineDocuments(
  context: Pick<Context, "database" | "files">,
  { hashes = false, after = null, onBatch }: ExaminationOptions = {},
): AsyncGenerator<Difference> {
  const gone = new Set((await findFileRemovals(context.database)).map(({ folder }) => folder));
  let isListed = false;
  for await (const { documents, files, folders, position } of batchesToExamine(context, after)) {
    const ids = documents.map(({ id }) => id);
    if (ids.length > 0) yield* examineRecords(context, ids);
    for (const group of groupsByPages(documents)) {
      const faults = await findIndexFaults(
        context.database.reader,
        group.map(({ id }) => id),
      );
      for (const document of group) {
        yield* examineFiles(context, document, files.get(document.id));
        if (hashes) yield* examineHash(context, document);
        if (faults.has(document.id)) yield* examineIndex(context, document.id);
      }
    }
    if (folders !== null) {
      isListed = true;
      yield* examineFolders(context, folders, gone);
    }
    await onBatch?.(documents.length, position);
  }
  yield* examineRemains(context);
  if (isListed) return;
  for await (const names of batchesOf(context.files.folders("documents"), foldersAtOnce))
    yield* examineFolders(context, names, gone);
}

const maxPagesAtOnce = 1000;

/** Groups of documents whose texts fit into memory together. A document with more pages is alone. */
function groupsByPages(documents: readonly ExaminedDocument[]): ExaminedDocument[][] {
  const groups: ExaminedDocument[][] = [];
  let pages = Infinity;
  for (const document of documents) {
    pages += document.pagesRead;
    if (pages > maxPagesAtOnce) {
      groups.push([]);
      pages = document.pagesRead;
    }
    groups.at(-1)?.push(document);
  }
  return groups;
}

async function* examineFiles(
  context: Pick<Context, "database" | "files">,
  document: ExaminedDocument,
  files: FilesOfDocument | undefined,
): AsyncGenerator<Difference> {
  if (files === undefined) return;
  const { id, status, original_extension: extension, hasJob, pagesRead, page_count } = document;
  const { isOriginalThere, isPdfThere } = files;
  if (busyStatuses.includes(status)) {
    // Work on a document in the trash was cancelled, and begins again when the document is brought back.
    if (hasJob || document.isInTrash) return;
    yield {
      what: `document ${id} is ${status}, but has no job`,
      repair: isOriginalThere ? () => readAgain(context, id) : () => giveUp(context, id),
    };
    return;
  }
  if (!isOriginalThere && !isPdfThere) {
    // No file ever arrived if fetching it failed or was cancelled.
    const isLost = status !== "error" || document.receivedAs !== null || document.file_hash !== "";
    if (isLost) yield { what: `document ${id}: its file is missing`, repair: null };
    return;
  }
  if (status !== "success" || hasJob || document.isInTrash) return;
  if (!isOriginalThere && document.receivedAs === extension) {
    yield { what: `document ${id}: the file that its PDF was made from is missing`, repair: null };
  }
  if (!isPdfThere && page_count > 0 && pagesRead > 0) {
    yield { what: `document ${id}: its PDF is missing`, repair: () => readAgain(context, id) };
  } else if (isPdfThere && pagesRead !== page_count) {
    yield {
      what: `document ${id} has ${page_count} pages, but the text of ${pagesRead}`,
      repair: () => readAgain(context, id),
    };
  }
}

async function* examineHash(
  { database, files }: Pick<Context, "database" | "files">,
  { id, slug, status, file_hash, isElsewhere }: ExaminedDocument,
): AsyncGenerator<Difference> {
  if (isElsewhere || status !== "success" || file_hash === "" || !/^[\w-]+$/.test(slug)) return;
  await using file = await files.borrow(documentFileKey(id, slug, "pdf"));
  if (file === null || (await sha1OfFile(file.path)) === file_hash) return;
  // A job may be replacing the PDF at this moment.
  if (!(await isReadAs(database, id, file_hash))) return;
  yield { what: `document ${id}: its PDF has changed since it was read`, repair: null };
}

/** Examines a document that seems to have a fault. */
async function* examineIndex(
  { database }: Pick<Context, "database">,
  id: number,
): AsyncGenerator<Difference> {
  // The index was read in several steps, so a change in between may only look like a fault.
  const fault = await database.write((writer) => lockIndexFault(writer, database.dialect, id));
  if (fault === null) return;
  const [lacking, surplus, miscounted] = [fault.missing, fault.surplus, fault.miscounted].map(
    ({ length }) => length,
  );
  const counts = `counts the words of ${miscounted} wrongly`;
  yield {
    what:
      lacking === 0 && surplus === 0
        ? `document ${id}: the index ${counts}`
        : `document ${id}: the index lacks ${lacking} of its texts, and has ${surplus} too many`,
    // The texts are read again: they may have changed since, and redacted words must not come back.
    repair: () =>
      database.write(async (writer) => {
        const current = await lockIndexFault(writer, database.dialect, id);
        if (current === null) return;
        await indexTexts(writer, [
          ...current.missing,
          ...current.surplus.map((part) => ({ documentId: id, part, text: "" })),
        ]);
        await countTexts(writer, (await findIndexFaults(writer, [id])).get(id)?.miscounted ?? []);
      }),
  };
}

async function* examineRecords(
  { database }: Pick<Context, "database">,
  ids: readonly number[],
): AsyncGenerator<Difference> {
  for (const id of await findWrongRecords(database, ids)) {
    yield {
      what: `document ${id}: its stored record is not what the list should show`,
      repair: () => restoreRecord(database, id),
    };
  }
}

/** Finds remains of deleted documents and of finished jobs, other than files. */
async function* examineRemains(context: Pick<Context, "database" | "files">): AsyncGenerator<Difference> {
  const { database } = context;
  for (const { document_id } of await findFileRemovals(database)) {
    yield {
      what: `document ${document_id} is deleted, but its files are not`,
      repair: () => removeFiles(context, document_id),
    };
  }
  for (const job of await findIdleJobs(database)) {
    yield {
      what: `there is a job (${job.kind}) for document ${job.subject}, which does not exist`,
      repair: () => database.write(async (writer) => void (await remove(writer, job))),
    };
  }
  for (const { kind, jobs } of await findUnknownKinds(database.reader)) {
    yield {
      what: `there ${jobs === 1 ? "is a job" : `are ${jobs} jobs`} (${kind}) that this version of Quire does not run`,
      // Another version may be there to run them. An administrator can cancel them at /admin/queue/.
      repair: null,
    };
  }
  for (const id of await findIdleProgress(database)) {
    yield {
      what: `document ${id} is recorded as in progress, but has no job`,
      repair: () => database.write((writer) => endProgress(writer, id)),
    };
  }
}

/** Finds folders without a document; the files of those that are `gone` are being removed. */
async function* examineFolders(
  context: Pick<Context, "database" | "files">,
  names: readonly string[],
  gone: ReadonlySet<string>,
): AsyncGenerator<Difference> {
  for (const name of names.filter((one) => !isFolderOfDocument(one)))
    yield {
      what: `${JSON.stringify(name)} is among the folders of documents, but is not one`,
      repair: null,
    };
  const ids = names.filter(isFolderOfDocument).map(Number);
  const there = await findThere(context.database, ids);
  for (const id of ids) {
    const folder = documentFolder(id);
    if (there.has(id) || gone.has(folder) || !(await isAbandoned(context, id))) continue;
    yield {
      what: `there are files of document ${id}, which does not exist`,
      repair: async () => {
        if (await isAbandoned(context, id)) await context.files.deleteFolder(folder);
      },
    };
  }
}

const foldersAtOnce = 500;

/** An import stores a file before it creates the document, so younger folders are left alone. */
const mayBeComingSeconds = 3600;

async function isAbandoned(
  { database, files }: Pick<Context, "database" | "files">,
  id: number,
): Promise<boolean> {
  if (await isThere(database, id)) return false;
  const changedAt = await files.changedAt(documentFolder(id));
  return changedAt === null || Date.now() - changedAt.getTime() > mayBeComingSeconds * 1000;
}

async function readAgain({ database }: Pick<Context, "database">, id: number): Promise<void> {
  await database.write(async (writer) => {
    const owner = (await findFileFacts(writer, id))?.owner ?? null;
    await enqueue(writer, { kind: processJob, subject: id, options: { anew: true }, owner, urgency: "bulk" });
  });
}

async function giveUp({ database }: Pick<Context, "database">, documentId: number): Promise<void> {
  await database.write(async (writer) => {
    await setStatus(writer, documentId, { to: "error" });
    const details = { message: "The file is missing" };
    await addReceipt(writer, { documentId, step: "read", outcome: "failed", milliseconds: 0, details });
  });
}
