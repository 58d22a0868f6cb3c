import type { FoundDocument } from "../../../contract/search.ts";
import type { Database } from "../../../database/database.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { documentAddress } from "../present.ts";
import { findVisibleDocuments } from "../store.ts";
import { findEqual, hashesOfSeveral } from "./equal-store.ts";

/** The documents with the same file as a search result, as far as the visitor finds them. */
export interface FoldedCopies {
  /** With the result itself. */
  count: number;
  locations: number;
  others: readonly { title: string; href: string }[];
}

/** The copies of a document that its row shows at most; more are counted. */
const maxShown = 20;

/**
 * The results of a page without the copies of those before them, and the copies of each by its id. A copy in whose
 * notes something was found stays a result of its own.
 */
export async function foldCopies(
  database: Database,
  viewer: Viewer,
  results: readonly FoundDocument[],
  web: string,
): Promise<{ results: FoundDocument[]; copies: ReadonlyMap<FoundDocument["id"], FoldedCopies> }> {
  const several = await hashesOfSeveral(
    database,
    results.map(({ file_hash }) => file_hash),
  );
  const firsts = new Map<string, FoundDocument>();
  const copies = new Map<FoundDocument["id"], FoldedCopies>();
  const left: FoundDocument[] = [];
  for (const result of results) {
    const hash = result.file_hash;
    if (firsts.has(hash) && result.notes.length === 0) continue;
    left.push(result);
    if (!several.has(hash) || firsts.has(hash)) continue;
    firsts.set(hash, result);
    const one = { id: Number(result.id), file_hash: hash };
    const { count, locations, others } = await findEqual(database, viewer, one, maxShown);
    if (count < 2) continue;
    const rows = await findVisibleDocuments(database, viewer, others);
    copies.set(result.id, {
      count,
      locations,
      others: rows.map((row) => ({ title: row.title, href: documentAddress(web, row) })),
    });
  }
  return { results: left, copies };
}
