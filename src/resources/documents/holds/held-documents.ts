import type { Context } from "../../../context.ts";
import type { Reader, Writer } from "../../../database/database.ts";
import { dialectOf } from "../../../database/dialects.ts";
import { conflict } from "../../../errors.ts";
import { parseQuery } from "../../../search/parse-query.ts";
import { type SearchPlan, planSearch } from "../../../search/plan.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";
import { TooMuchAskedError } from "../../../search/query-limits.ts";
import { findFileFacts } from "../file-facts-store.ts";
import { lockDocument } from "../store.ts";
import {
  type HoldRow,
  addHeld,
  findFamilies,
  findHoldsInForce,
  findInScope,
  findKept,
  findMatchingAmong,
  findNextInScope,
  lockHold,
  searchAmong,
} from "./hold-store.ts";

/*
 * A hold covers what its project or query finds at the moment of an action, and what it has found before: when it was
 * set, and each hour since then (keepCovered). So a change of words cannot slip a document out of it. It covers whole
 * families, a mail with its attachments. The rights of the administrator who set it do not matter: a hold that left out
 * what they may not see would protect nothing.
 */

/**
 * Throws 409 if a hold covers one of these documents, which the transaction has locked: what cannot be done now may be
 * done when the hold is released, by the same person.
 */
export async function refuseHeld(
  writer: Pick<Writer, "selectFrom" | "fn" | "getExecutor">,
  ids: readonly number[],
): Promise<void> {
  const [held] = await findHeld(writer, ids);
  if (held !== undefined) throw conflict(heldMessage(held));
}

/**
 * Ends a job that is about to replace the file of a document, if a hold covers the document by now. One without a file
 * loses nothing.
 *
 * @throws {UnreadableFileError}
 */
export async function endIfHeld(writer: Writer, id: number): Promise<void> {
  await lockDocument(writer, dialectOf(writer), id);
  const document = await findFileFacts(writer, id);
  if (document?.fileHash === "") return;
  const [held] = await findHeld(writer, [id]);
  if (held !== undefined) throw new UnreadableFileError("unreachable", heldMessage(held));
}

const heldMessage = (id: number): string =>
  `Document ${id} is under a legal hold: until it is released, the document cannot be deleted, ` +
  "and its file and pages cannot be changed.";

/** Those of these documents that a hold covers now. Without a hold, this is one statement that reads nothing. */
export async function findHeld(reader: Reader, ids: readonly number[]): Promise<number[]> {
  const holds = ids.length === 0 ? [] : await findHoldsInForce(reader);
  if (holds.length === 0) return [];
  const dialect = dialectOf(reader);
  const roots = await findFamilies(reader, dialect, ids);
  const members = [...roots.keys()];
  const held = new Set(await findKept(reader, dialect, members));
  for (const hold of holds.filter(isSearching)) {
    const others = members.filter((id) => !held.has(id));
    for (const id of await findCovered(reader, hold, others)) held.add(id);
  }
  const families = new Set([...held].map((id) => roots.get(id)));
  return ids.filter((id) => families.has(roots.get(id)));
}

/** Whether a hold finds its documents, instead of naming them. */
const isSearching = ({ project_id, query }: HoldRow): boolean => project_id !== null || query !== null;

async function findCovered(
  reader: Reader,
  hold: HoldRow,
  ids: readonly number[],
): Promise<readonly number[]> {
  const dialect = dialectOf(reader);
  const inScope = await findInScope(reader, dialect, hold, ids);
  if (hold.query === null || inScope.length === 0) return inScope;
  const plan = await planOf(hold.query);
  // A limit is younger than the hold. Nobody can tell what it covers, so it covers everything.
  return plan === null ? inScope : findMatchingAmong(reader, dialect, plan, inScope);
}

/** Null for a query that exceeds a limit. */
export async function planOf(query: string): Promise<SearchPlan | null> {
  try {
    return await planSearch(parseQuery(query, { parameters: [], hasPatterns: true, now: new Date() }).query);
  } catch (error) {
    if (error instanceof TooMuchAskedError) return null;
    throw error;
  }
}

const documentsAtOnce = 500;
const batchSeconds = 60;

/** Keeps the documents that a hold finds now, until it is released. */
export async function keepCovered(
  context: Pick<Context, "database">,
  hold: HoldRow,
  userId: number | null,
  signal?: AbortSignal,
): Promise<void> {
  if (!isSearching(hold)) return;
  const { database } = context;
  const plan = hold.query === null ? null : await planOf(hold.query);
  for (let after = 0; ;) {
    signal?.throwIfAborted();
    const ids = await findNextInScope(database.reader, hold, after, documentsAtOnce);
    if (ids.length === 0) return;
    after = ids.at(-1) ?? after;
    await keep(
      context,
      hold,
      userId,
      plan === null ? ids : await searchAmong(database, plan, ids, batchSeconds),
    );
  }
}

/** Keeps these documents until the hold is released. */
export async function keep(
  { database }: Pick<Context, "database">,
  hold: Pick<HoldRow, "id">,
  userId: number | null,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await database.write(async (writer) => {
    if (await lockHold(writer, database.dialect, hold.id))
      await addHeld(writer, database.dialect, hold, userId, ids);
  });
}
