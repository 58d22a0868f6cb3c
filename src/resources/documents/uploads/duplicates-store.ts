import { sql } from "kysely";
import type { DocumentStatus } from "../../../contract/document.ts";
import type { Database } from "../../../database/database.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { editableBy } from "../access.ts";
import { isListed, isShownTo } from "../search/condition-store.ts";

/** The documents that have a certain file and that a viewer may see. */
export interface Duplicate {
  /** The hash of the file: 40 hexadecimal digits in lower case. */
  sha1: string;
  /** The number of these documents. */
  count: number;
  /** The newest of them. */
  id: number;
  title: string;
  status: DocumentStatus;
  slug: string;
}

/**
 * One entry for each hash that is found. Everyone who may see a document may find it by its PDF, whose hash is in its
 * record. Only those who may change it find it by the file as it arrived: the hash of a file confirms a guess of what
 * was redacted in it.
 */
export async function findDuplicates(
  { dialect, reader }: Database,
  viewer: Viewer,
  hashes: readonly string[],
): Promise<Duplicate[]> {
  const among = (column: string) => dialect.isAmongTexts(sql.ref(column), sql`${dialect.list(hashes)}`);
  const { rows } = await sql<Duplicate>`
    select found.sha1, found.count, documents.id, documents.title, documents.status, documents.slug from (
      select files.sha1, max(documents.id) as id, count(distinct documents.id) as count from (
        select received_files.sha1, received_files.document_id, true as is_private from received_files
        where ${among("received_files.sha1")}
        union all
        select documents.file_hash, documents.id, false from documents
        where documents.file_hash <> '' and ${among("documents.file_hash")}
      ) as files join documents on documents.id = files.document_id
      where ((${isListed(dialect, viewer)}) or ${isShownTo(dialect, viewer)})
        and (files.is_private = false or ${editableBy(dialect, viewer)})
      group by files.sha1
    ) as found join documents on documents.id = found.id
    order by found.sha1`.execute(reader);
  return rows;
}
