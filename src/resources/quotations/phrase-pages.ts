import type { Database } from "../../database/database.ts";
import { Query } from "../../http/request/query.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { planSearch } from "../../search/plan.ts";
import { type NoteCondition, findMatchingPages } from "../documents/search/page-store.ts";
import { orUnavailable, timeLimitSeconds } from "../documents/search/search-documents.ts";
import { readSearch } from "../documents/search/search-request.ts";
import { searchDocuments } from "../documents/search/statement-store.ts";

/** The pages with a phrase, counting from 0, in the documents that a search for it finds first. */
export async function findPagesWithPhrase(
  database: Database,
  viewer: Viewer,
  phrase: string,
  { notes, documents, pages }: { notes: NoteCondition; documents: number; pages: number },
): Promise<{ document: number; pages: number[] }[]> {
  const q = `text:"${phrase.replaceAll(/["\\]/g, " ")}"`;
  const { query, ordering } = readSearch(Query.parse("").with("q", q), viewer);
  return orUnavailable(async () => {
    const plan = await planSearch(query);
    const asked = { viewer, notes, plan, ordering, after: null, offset: 0, limit: documents, facets: [] };
    const found = await searchDocuments(database, asked, timeLimitSeconds);
    const documentIds = found.documents.map(({ id }) => id);
    const pageQuery = { documentIds, words: plan.words, limit: pages };
    const matching = await findMatchingPages(database, pageQuery, timeLimitSeconds);
    return documentIds.map((id) => ({ document: id, pages: matching.get(id)?.pages ?? [] }));
  });
}
