import { isDeepStrictEqual } from "node:util";
import type { Verdict } from "./ledger.ts";
import { type SortedColumn, sortedColumns } from "../../src/database/audiences/columns.ts";
import type { WalkedRecord } from "./orderings.ts";
import { Tally } from "./tally.ts";
import { getPage } from "./walker.ts";
import { type Walks, sendWalkers } from "./walkers.ts";

/**
 * Walks a server that is already running, while others write to it. Documents whose sort keys are the same before and
 * afterwards count as unmoved. This is wrong for a document that moved away and came back in between.
 */
export async function walkLivingServer({
  url,
  ...walks
}: Omit<Walks, "standing">): Promise<{ tally: Tally; documents: number }> {
  const before = await survey(url);
  const walked: { ordering: string; verdict: Verdict }[] = [];
  const tally = new Tally();
  await sendWalkers({ ...walks, url, standing: [...before.keys()] }, (ordering, verdict) => {
    if (verdict === undefined) tally.addBrokenOff();
    else walked.push({ ordering, verdict });
  });
  const after = await survey(url);
  for (const { ordering, verdict } of walked) {
    const misses = verdict.missing.filter((id) => isDeepStrictEqual(before.get(id), after.get(id)));
    tally.add(ordering, verdict, misses.length);
  }
  return { tally, documents: before.size };
}

const sortKeysOf = ({ data, ...record }: WalkedRecord): Omit<WalkedRecord, "id"> => ({
  data,
  ...(Object.fromEntries(
    Object.keys(sortedColumns).map((column) => [column, record[column as SortedColumn]]),
  ) as Pick<WalkedRecord, SortedColumn>),
});

/** The sort keys of every document. */
async function survey(url: string): Promise<Map<number, Omit<WalkedRecord, "id">>> {
  const found = new Map<number, Omit<WalkedRecord, "id">>();
  let address: URL | null = new URL("/api/documents/?per_page=1000", url);
  while (address !== null) {
    const { results, next } = await getPage(address);
    for (const record of results) found.set(record.id, sortKeysOf(record));
    address = next === null ? null : new URL(next);
  }
  return found;
}
