/** Texts with questions, and which of them answer a question. */
export interface Collection {
  docs: Record<string, { title?: string; text?: string }>;
  queries: Record<string, string>;
  /** By question: the documents that answer it, each with how well. */
  qrels: Record<string, Record<string, number>>;
}

/** How well the answers to all questions of a collection are sorted, from 0 to 1. */
export interface RelevanceFigures {
  /** Of the first ten: gains discounted by position, compared with the best order. */
  ndcg: number;
  /** The share of the relevant documents that were found. */
  recall: number;
  /** The mean average precision. */
  map: number;
  /** The number of questions that were refused. */
  refused: number;
}

/** Asks each question that has judgments. `find` returns the found documents in order, or null if it is refused. */
export async function judge(
  { queries, qrels }: Collection,
  find: (query: string) => Promise<readonly string[] | null>,
): Promise<RelevanceFigures> {
  const sum: RelevanceFigures = { ndcg: 0, recall: 0, map: 0, refused: 0 };
  const all = Object.entries(qrels);
  for (const [id, judged] of all) {
    const found = await find(queries[id] ?? "");
    if (found === null) sum.refused += 1;
    const { ndcg, recall, map } = figuresOf(judged, found ?? []);
    sum.ndcg += ndcg / all.length;
    sum.recall += recall / all.length;
    sum.map += map / all.length;
  }
  return sum;
}

function figuresOf(
  judged: Readonly<Record<string, number>>,
  found: readonly string[],
): Omit<RelevanceFigures, "refused"> {
  const ideal = discounted(Object.values(judged).toSorted((one, other) => other - one));
  const relevant = Object.keys(judged).length;
  let [hits, precision] = [0, 0];
  for (const [index, id] of found.entries()) {
    if (judged[id] !== undefined) precision += ++hits / (index + 1);
  }
  return {
    ndcg: ideal === 0 ? 0 : discounted(found.map((id) => judged[id] ?? 0)) / ideal,
    recall: hits / relevant,
    map: precision / relevant,
  };
}

function discounted(gains: readonly number[]): number {
  return gains.slice(0, 10).reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);
}
