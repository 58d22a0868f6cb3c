import { sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import type { DocumentData } from "../data-field.ts";
import { isListed, isShownTo } from "../search/condition-store.ts";

export interface EqualDocuments {
  /** Documents with this file, among them the one that was asked about. */
  count: number;
  /** The folders and containers that they are in. One in neither is in a place of its own kind. */
  locations: number;
  /** The first of the others. */
  others: number[];
}

/** Copies that are read at most; more of them count as this many. */
const maxCopies = 1000;

/** The documents with the same file as another one, among those that the viewer finds. */
export async function findEqual(
  { dialect, reader }: Database,
  viewer: Viewer,
  { id, file_hash: hash }: { id: number; file_hash: string },
  max: number,
): Promise<EqualDocuments> {
  if (hash === "") return { count: 1, locations: 1, others: [] };
  const { rows } = await sql<{ id: number; data: string; parent_id: number | null }>`
    select documents.id, documents.data, document_children.parent_id
    from documents left join document_children on document_children.child_id = documents.id
    where documents.file_hash = ${hash} and documents.file_hash <> ''
      and (documents.id = ${id} or ${isListed(dialect, viewer)} or ${isShownTo(dialect, viewer)})
    order by documents.id limit ${sql.lit(maxCopies)}`.execute(reader);
  const locations = new Set(rows.flatMap(locationsOf));
  const others = rows.filter((row) => row.id !== id).map((row) => row.id);
  return { count: others.length + 1, locations: locations.size, others: others.slice(0, max) };
}

function locationsOf({ data, parent_id }: { data: string; parent_id: number | null }): string[] {
  if (parent_id !== null) return [`in ${parent_id}`];
  const { path: paths = [] } = JSON.parse(data) as DocumentData;
  return paths.length === 0 ? ["none"] : paths.map((path) => `folder ${path.replace(/[^/]*$/, "")}`);
}

/** The hashes that the files of several documents share, counting documents that the viewer may not see. */
export async function hashesOfSeveral(
  { dialect, reader }: Database,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = [...new Set(hashes)].filter((hash) => hash !== "");
  if (known.length === 0) return new Set();
  const { rows } = await sql<{ file_hash: string }>`select file_hash from documents
    where ${dialect.isAmongTexts(sql.ref("file_hash"), sql`${dialect.list(known)}`)}
      and file_hash <> '' group by file_hash having count(*) > 1`.execute(reader);
  return new Set(rows.map((row) => row.file_hash));
}
