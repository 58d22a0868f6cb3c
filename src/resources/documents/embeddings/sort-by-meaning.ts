import type { Database } from "../../../database/database.ts";
import { type Embedded, embed } from "../../../processing/embedding/embedder.ts";
import { nearestAmong } from "../../../processing/embedding/vectors.ts";
import { findEmbeddings } from "./embedding-store.ts";

/** A passage of a document: on which page, counting from 0, and which one of it. */
export interface Passage {
  page: number;
  index: number;
}

/** A document in an order, with its passage that is nearest to the query. Null if it has no vectors. */
export interface Sorted {
  id: number;
  passage: Passage | null;
}

/** What a rank is worth: 1 / (60 + rank), the constant of the paper on reciprocal rank fusion. */
const worth = (rank: number): number => 1 / (60 + rank);

/** How long the vector of a query may take. The first one waits for the model to be loaded. */
const maxSeconds = 10;

/** The vector of a query; null if the model cannot be used, or takes too long. Results are by their words then. */
export async function vectorOf(folder: string, text: string): Promise<Embedded | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, maxSeconds * 1000, null);
  try {
    return await Promise.race([embed(folder, { text, as: "query" }).catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Sorts found documents, which are in the order of their scores, by the sum of what their ranks are worth: that by the
 * score and that by the nearest passage.
 */
export async function sortByMeaning(
  database: Database,
  { model, vector }: Embedded,
  ids: readonly number[],
): Promise<Sorted[]> {
  const nearest = new Map<number, Passage & { cosine: number }>();
  for (const { document_id, page, vectors } of await findEmbeddings(database, ids, model)) {
    const found = nearestAmong(vector, vectors);
    if (found !== null && found.cosine > (nearest.get(document_id)?.cosine ?? -Infinity))
      nearest.set(document_id, { page, ...found });
  }
  const byMeaning = [...nearest].toSorted(([, one], [, other]) => other.cosine - one.cosine);
  const sums = new Map(ids.map((id, index) => [id, worth(index + 1)]));
  for (const [index, [id]] of byMeaning.entries()) sums.set(id, (sums.get(id) ?? 0) + worth(index + 1));
  return ids
    .toSorted((one, other) => (sums.get(other) ?? 0) - (sums.get(one) ?? 0))
    .map((id) => {
      const { page, index } = nearest.get(id) ?? {};
      return { id, passage: page === undefined || index === undefined ? null : { page, index } };
    });
}
