import type { Context } from "../../context.ts";
import type { Database, Writer } from "../../database/database.ts";
import { TooSlowError } from "../../database/read-worker.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { timestampIn, timestampNow } from "../../http/text/timestamp.ts";
import { enqueue } from "../../jobs/queue.ts";
import type { Job } from "../../jobs/running-job.ts";
import { type EventRow, type FeedPosition, eventsAfter, isKept, newestPosition } from "../events/store.ts";
import {
  alertJob,
  findAlertsAt,
  findEarliest,
  findInProjects,
  findUnready,
  lockAlerts,
  movePositions,
} from "./alert-store.ts";
import { type Find, addNewFinds, countNew, findKnown, findKnownOf, removeFinds } from "./find-store.ts";
import { queueAlertMails } from "./alert-mails.ts";
import { basisOf, findNow, findOwner, isRefusal, isTimed, planOf } from "./compare.ts";
import { readWords } from "./text-store.ts";
import type { TouchedWords } from "./touched-words.ts";
import { type SavedSearchRow, ownSearches } from "./store.ts";

type MatchContext = Pick<Context, "config" | "database" | "jobs" | "log">;

const searchesAtOnce = 200;
/** How long it waits for documents whose words are still to be indexed. */
const unreadySeconds = 2;
/** A search is compared with all documents this often: not everything that it may ask for has an event. */
const wholeSeconds = 24 * 60 * 60;
/** The same for a search that names the time. */
const timedSeconds = 60 * 60;

/**
 * Compares the searches that have an alert with what has happened. A search has newly found a document if it finds it
 * now and did not when it was last compared with it. So the documents of the events since then are compared, or all,
 * when the rights of its owner have changed. Then mails are queued.
 */
export async function matchSearches(context: MatchContext, job: Job, signal: AbortSignal): Promise<void> {
  const { database } = context;
  let state: "more" | "unready" | "done" = "more";
  while (state === "more") {
    signal.throwIfAborted();
    state = await compareNext(context, signal);
  }
  await queueAlertMails(context);
  await database.write(async (writer) => {
    await job.complete(writer);
    if (state === "unready")
      await enqueue(writer, { kind: alertJob, subject: 0, afterSeconds: unreadySeconds });
  });
  context.jobs.notify();
}

/** Compares the searches that are furthest behind with the next events. */
async function compareNext(context: MatchContext, signal: AbortSignal): Promise<"more" | "unready" | "done"> {
  const { database } = context;
  const from = await findEarliest(database);
  if (from === undefined) return "done";
  const end = await newestPosition(database);
  const { rows } = await eventsAfter(database, from);
  // Read after the events: what is removed meanwhile is noticed.
  const isLost = from !== null && !(await isKept(database, from));
  const taken = isLost ? [] : await readyAmong(database, rows);
  const to = isLost ? end : (taken.at(-1) ?? from);
  await compareAt(context, { from, to }, isLost ? null : await touchedBy(database, taken), signal);
  if (isLost) return "more";
  if (taken.length < rows.length) return "unready";
  return rows.length === 0 ? "done" : "more";
}

/** The events up to the first one about a document whose words are still to be indexed. */
async function readyAmong(database: Database, rows: readonly EventRow[]): Promise<readonly EventRow[]> {
  const unready = await findUnready(
    database,
    rows.flatMap(({ document_id }) => document_id ?? []),
  );
  const first = rows.findIndex(({ document_id }) => document_id !== null && unready.has(document_id));
  return first === -1 ? rows : rows.slice(0, first);
}

/** The documents that a search may find since these events, or no longer find. */
async function touchedBy(database: Database, rows: readonly EventRow[]): Promise<number[] | null> {
  const changes = rows.filter(({ type }) => type !== "search.found");
  // Its documents are not in it any more.
  if (changes.some(({ type }) => type === "project.deleted")) return null;
  const projects = changes
    .filter(({ type }) => type === "project.changed")
    .flatMap((row) => row.project_id ?? []);
  const inProjects = await findInProjects(database, projects);
  return [...new Set([...inProjects, ...changes.flatMap(({ document_id }) => document_id ?? [])])];
}

/**
 * Compares all searches at a position with some documents or (null) all, and moves those that it compared to another
 * position. An alert that begins meanwhile stays where it is.
 */
async function compareAt(
  context: MatchContext,
  { from, to }: Record<"from" | "to", FeedPosition | null>,
  touched: readonly number[] | null,
  signal: AbortSignal,
): Promise<void> {
  const { database } = context;
  const owners = new Map<number, SignedInViewer | null>();
  const words = touched === null || touched.length === 0 ? null : await readWords(database, touched);
  let searches: SavedSearchRow[] = [];
  do {
    searches = await findAlertsAt(database, from, searches.at(-1)?.id ?? 0, searchesAtOnce);
    const known = touched === null ? null : await findKnownOf(database, database.reader, searches, touched);
    const compared: Comparison[] = [];
    for (const search of searches) {
      signal.throwIfAborted();
      const { user_id } = search;
      if (!owners.has(user_id)) owners.set(user_id, await findOwner(database, user_id));
      const owner = owners.get(user_id) ?? null;
      // Nobody is told; what was found meanwhile is found when the account is enabled again.
      if (owner === null) continue;
      const basis = basisOf(owner, search);
      const isWhole = touched === null || search.basis !== basis || isOld(search);
      const before = known?.get(search.id) ?? new Set<number>();
      const among = isWhole ? null : await askedOf(owner, search, { touched, words, before });
      const found = await findAmong(context, owner, search, among);
      const isUnchanged = among !== null && found !== null && isSame(found, before);
      if (!isUnchanged) compared.push({ search, basis, among, found });
    }
    const moved = to === from ? [] : searches;
    if (compared.length > 0 || moved.length > 0)
      await database.write(async (writer) => {
        await noteAll(database, writer, compared);
        if (moved.length > 0) await movePositions(writer, database, moved, to);
      });
  } while (searches.length === searchesAtOnce);
}

/** What a search finds now among some documents or (null) all; null if nobody knows. */
interface Comparison {
  search: SavedSearchRow;
  basis: string;
  among: readonly number[] | null;
  found: Set<number> | null;
}

/**
 * The documents about which the database is asked: those that have the words of the search, and those that it has found
 * before. It cannot find the others, and has not found them.
 */
async function askedOf(
  owner: SignedInViewer,
  { query }: SavedSearchRow,
  {
    touched,
    words,
    before,
  }: { touched: readonly number[]; words: TouchedWords | null; before: ReadonlySet<number> },
): Promise<readonly number[]> {
  if (words === null) return [];
  try {
    const may = words.mayMatch(await planOf(owner, query));
    return may === null ? touched : [...new Set([...may, ...before])];
  } catch (error) {
    if (isRefusal(error)) return touched;
    throw error;
  }
}

async function findAmong(
  { database, log }: MatchContext,
  owner: SignedInViewer,
  search: SavedSearchRow,
  among: readonly number[] | null,
): Promise<Set<number> | null> {
  try {
    return await findNow(database, owner, search, among);
  } catch (error) {
    if (isRefusal(error)) return new Set();
    if (!(error instanceof TooSlowError)) throw error;
    log.warn({ search: search.uuid }, "A saved search takes too long to be compared");
    return null;
  }
}

/** Notes what searches find now, and what they have newly found. */
async function noteAll(database: Database, writer: Writer, compared: readonly Comparison[]): Promise<void> {
  const locked = await lockAlerts(
    writer,
    database,
    compared.map(({ search }) => search.id),
  );
  const partly = compared.filter(({ among }) => among !== null);
  const known = await findKnownOf(
    database,
    writer,
    partly.map(({ search }) => search),
    [...new Set(partly.flatMap(({ among }) => among ?? []))],
  );
  const changed: SavedSearchRow[] = [];
  const finds: Find[] = [];
  for (const { search, basis, among, found } of compared) {
    // Somebody has changed it meanwhile: then it was compared by that.
    if (locked.get(search.id)?.compared_at !== search.compared_at) continue;
    if (found !== null) {
      const latest =
        among === null
          ? await findKnown(writer, search.id)
          : new Set(among.filter((id) => known.get(search.id)?.has(id)));
      const gone = without(latest, found);
      if (gone.length > 0) await removeFinds(database, writer, search.id, gone);
      changed.push(search);
      finds.push(...without(found, latest).map((document) => ({ search, document })));
    }
    if (among === null) await ownSearches.change(writer, search, { basis, compared_at: timestampNow() });
  }
  await addNewFinds(writer, finds);
  await countNew(database, writer, changed);
}

const without = (all: ReadonlySet<number>, those: ReadonlySet<number>): number[] =>
  [...all].filter((id) => !those.has(id));

const isSame = (one: ReadonlySet<number>, other: ReadonlySet<number>): boolean =>
  one.size === other.size && without(one, other).length === 0;

/** Whether a search is to be compared with all documents, although nothing says so. */
function isOld({ query, compared_at: at }: SavedSearchRow): boolean {
  return at === null || at <= timestampIn(-(isTimed(query) ? timedSeconds : wholeSeconds));
}
