import type { Comparison, SimilarDocument } from "../../../contract/comparing.ts";
import type { Database } from "../../../database/database.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { textsOf } from "../pages/page-texts.ts";
import { documentAddress } from "../present.ts";
import { orUnavailable } from "../search/search-documents.ts";
import { findVisibleDocuments } from "../store.ts";
import { compareTokens, tokensOf } from "./compare-texts.ts";
import { findSimilar } from "./similar-store.ts";

/** Of longer texts, the beginnings are compared. */
const maxTokens = 30_000;

/** The documents that are nearly equal to one, as the API shows them. */
export async function similarDocuments(
  database: Database,
  viewer: Viewer,
  documentId: number,
  { web, max }: { web: string; max: number },
): Promise<SimilarDocument[]> {
  const found = await orUnavailable(() => findSimilar(database, viewer, documentId, max));
  const rows = await findVisibleDocuments(
    database,
    viewer,
    found.map(({ id }) => id),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return found.flatMap(({ id, similarity }) => {
    const row = byId.get(id);
    if (row === undefined) return [];
    const { title, page_count } = row;
    return [{ id, title, canonical_url: documentAddress(web, row), page_count, similarity }];
  });
}

/** The comparison of the texts of two documents. */
export async function compareDocuments(database: Database, left: number, right: number): Promise<Comparison> {
  const [a, b] = [await beginningOf(database, left), await beginningOf(database, right)];
  return { lines: compareTokens(a.tokens, b.tokens), is_whole: a.isWhole && b.isWhole };
}

async function beginningOf(
  database: Database,
  documentId: number,
): Promise<{ tokens: string[]; isWhole: boolean }> {
  const tokens: string[] = [];
  for await (const pages of textsOf(database.reader, documentId)) {
    for (const { text } of pages) {
      for (const word of tokensOf(`${text}\n`)) {
        if (tokens.length === maxTokens) return { tokens, isWhole: false };
        tokens.push(word);
      }
    }
  }
  return { tokens, isWhole: true };
}
