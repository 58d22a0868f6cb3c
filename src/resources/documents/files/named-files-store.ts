import { sql } from "kysely";
import type { Reader } from "../../../database/database.ts";
import { dialectOf } from "../../../database/dialects.ts";
import { documentFileKey } from "../../../files/keys.ts";

/** The files that the database says a document has in Quire's own store. */
export interface DocumentFiles {
  id: number;
  /** See `DocumentsTable.revision`. */
  revision: number;
  /** The keys of its original and of its PDF. Either may have no file, while the document is being processed. */
  keys: readonly string[];
  /** The SHA-1 of the PDF, if the document has been read: the last of the keys has this file. */
  sha1: string | null;
  /** A file has arrived for the document, so at least one of the keys should have a file. */
  isFileExpected: boolean;
}

const documentsAtOnce = 500;

/** The columns of a document that say which files it has. */
export interface FileColumns {
  id: number;
  revision: number;
  slug: string;
  /** Of a document in the trash: the status that it had. */
  status: string;
  original_extension: string;
  file_hash: string;
  /** The SHA-1 of the file that arrived for the document; null if none has. */
  received: string | null;
}

const columnsOfFiles = sql`select id, revision, slug, original_extension, file_hash,
    coalesce((select deleted_documents.status from deleted_documents where document_id = documents.id), status)
      as status,
    (select sha1 from received_files where document_id = documents.id) as received from documents`;

/** All documents with files in Quire's own store, in order of ids, in batches. */
export async function* documentFiles(reader: Reader): AsyncGenerator<DocumentFiles[]> {
  for (let after = 0; ;) {
    const { rows } = await sql<FileColumns>`${columnsOfFiles} where id > ${after} and asset_url is null
      order by id limit ${sql.lit(documentsAtOnce)}`.execute(reader);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(filesOfDocument);
    after = last.id;
  }
}

/** The keys of the files that these documents have in Quire's own store. */
export async function keysOfDocuments(reader: Reader, ids: readonly number[]): Promise<Set<string>> {
  const dialect = dialectOf(reader);
  const { rows } = await sql<FileColumns>`${columnsOfFiles}
    where asset_url is null and ${dialect.isAmong(sql.ref("documents.id"), sql`${dialect.list(ids)}`)}`.execute(
    reader,
  );
  return new Set(rows.flatMap((row) => filesOfDocument(row).keys));
}

/** The files of a document whose files are in Quire's own store. */
export function filesOfDocument({
  id,
  revision,
  slug,
  status,
  original_extension: extension,
  ...row
}: FileColumns): DocumentFiles {
  const keys = [documentFileKey(id, slug, extension)];
  if (extension !== "pdf") keys.push(documentFileKey(id, slug, "pdf"));
  const isRead = status === "success" && row.file_hash !== "";
  const hasCome = status !== "error" || row.received !== null || row.file_hash !== "";
  return {
    id,
    revision,
    // An imported record may have another slug, under which no file can be stored.
    keys: /^[\w-]+$/.test(slug) ? keys : [],
    sha1: isRead ? row.file_hash : null,
    isFileExpected: hasCome && status !== "nofile" && status !== "deleted",
  };
}

/** The revisions that these documents have now. */
export async function revisionsOf(
  reader: Reader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const revisions = new Map<number, number>();
  for (const id of ids) {
    const row = await reader
      .selectFrom("documents")
      .select("revision")
      .where("id", "=", id)
      .executeTakeFirst();
    if (row !== undefined) revisions.set(id, row.revision);
  }
  return revisions;
}

export async function countDocumentsWithFiles(reader: Reader): Promise<number> {
  const { count } = await reader
    .selectFrom("documents")
    .select((documents) => documents.fn.countAll<number>().as("count"))
    .where("asset_url", "is", null)
    .executeTakeFirstOrThrow();
  return count;
}
