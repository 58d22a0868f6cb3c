import type { Context } from "../../../context.ts";
import type { Database } from "../../../database/database.ts";
import { forEachConcurrently } from "../../../concurrently.ts";
import { documentFileKey } from "../../../files/keys.ts";
import { type ExaminedDocument, documentsToExamine } from "./check-store.ts";

/*
 * All documents with what the store has of their files, in batches. A disk is asked for each file, and the documents
 * are in order of their ids. A bucket is listed instead: one request names a thousand files, and asking for each would
 * take one or two requests for a document. It lists folders in order of their names as texts, 1, 10, 11, 2. So the
 * documents come in that order too: those between two folders of the list are a range of ids for each number of digits,
 * and documents without any file are among them. Whatever the number of documents, memory holds one batch.
 *
 * A list is older than what the database says of the documents. So a file that it lacks is asked for by itself.
 */

export interface FilesOfDocument {
  isOriginalThere: boolean;
  isPdfThere: boolean;
}

export interface ExaminedBatch {
  documents: ExaminedDocument[];
  /** By the document's id. Documents that keep no file here are left out. */
  files: ReadonlyMap<number, FilesOfDocument>;
  /** The names of the folders that were listed, also of documents that do not exist; null if nothing was listed. */
  folders: string[] | null;
  /** The id from which another run goes on when this batch has been examined; null is the beginning. */
  position: number | null;
}

type Needs = Pick<Context, "database" | "files">;

const folderOfAll = "documents";
/** A bucket answers in some tens of milliseconds, and as fast to many. */
const filesAtOnce = 16;
const maxDigits = 15;

/** `after` is the position of an earlier run. */
export async function* batchesToExamine(context: Needs, after: number | null): AsyncGenerator<ExaminedBatch> {
  const listed = context.files.listInOrder(folderOfAll, after === null ? null : String(after));
  if (listed !== null) {
    yield* listedBatches(context, listed, after);
    return;
  }
  const range = { after: after ?? 0, to: Number.MAX_SAFE_INTEGER };
  for await (const documents of documentsToExamine(context.database, range)) {
    const files = await findFiles(context, documents, new Set());
    yield { documents, files, folders: null, position: documents.at(-1)?.id ?? after };
  }
}

async function* listedBatches(
  context: Needs,
  listed: AsyncIterable<string[]>,
  after: number | null,
): AsyncGenerator<ExaminedBatch> {
  let position = after === null ? "" : String(after);
  let keys = new Set<string>();
  let folders: string[] = [];
  const untilFolder = async function* (last: string | null): AsyncGenerator<ExaminedBatch> {
    for await (const documents of documentsBetween(context.database, position, last)) {
      const files = await findFiles(context, documents, keys);
      yield { documents, files, folders: [], position: idOf(position) };
    }
    position = last ?? position;
    yield { documents: [], files: new Map(), folders, position: idOf(position) };
  };
  for await (const batch of listed) {
    for (const key of batch) {
      const [, name = "", ...within] = key.split("/");
      if (within.length === 0) continue;
      if (folders.at(-1) !== name) folders.push(name);
      if (isDocumentFile(within)) keys.add(key);
    }
    // The list may go on with files of its last folder.
    const open = folders.pop();
    const last = folders.findLast(isFolderOfDocument);
    if (last !== undefined && last > position) yield* untilFolder(last);
    const opened = `${folderOfAll}/${open}/`;
    keys = new Set([...keys].filter((key) => key.startsWith(opened)));
    folders = open === undefined ? [] : [open];
  }
  yield* untilFolder(null);
}

const idOf = (position: string): number | null => (position === "" ? null : Number(position));

/** Whether this is the name of a folder of a document: its id. */
export const isFolderOfDocument = (name: string): boolean => /^[1-9]\d{0,14}$/.test(name);

/** Whether it is where documentFileKey() puts a file, and not one of the many derived ones. */
const isDocumentFile = (within: readonly string[]): boolean =>
  within.length === 1 || (within.length === 2 && within[0] === "original");

/** The documents whose ids, as texts, come after one and not after the other; null is the end. */
async function* documentsBetween(
  database: Database,
  after: string,
  last: string | null,
): AsyncGenerator<ExaminedDocument[]> {
  for (let digits = 1; digits <= maxDigits; digits++) {
    const range = {
      after: lastIdUpTo(after, digits),
      to: last === null ? 10 ** digits - 1 : lastIdUpTo(last, digits),
    };
    if (range.after < range.to) yield* documentsToExamine(database, range);
  }
}

/** The last number with this many digits that, as a text, does not come after this one. */
function lastIdUpTo(text: string, digits: number): number {
  if (text.length >= digits) return Number(text.slice(0, digits));
  return Number(text === "" ? "1" : text) * 10 ** (digits - Math.max(1, text.length)) - 1;
}

/** Which files these documents have, by id. Asks for those that are not among the known keys. */
async function findFiles(
  { files }: Needs,
  documents: readonly ExaminedDocument[],
  known: ReadonlySet<string>,
): Promise<ReadonlyMap<number, FilesOfDocument>> {
  const found = new Map<number, FilesOfDocument>();
  const here = documents.filter(({ isElsewhere, status }) => !isElsewhere && status !== "nofile");
  await forEachConcurrently(here, filesAtOnce, async ({ id, slug, original_extension: extension }) => {
    const has = async (kind: string): Promise<boolean> => {
      if (!/^[\w-]+$/.test(slug)) return false;
      const key = documentFileKey(id, slug, kind);
      return known.has(key) || (await files.stat(key)) !== null;
    };
    const isOriginalThere = await has(extension);
    found.set(id, { isOriginalThere, isPdfThere: extension === "pdf" ? isOriginalThere : await has("pdf") });
  });
  return found;
}
