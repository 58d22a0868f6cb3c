import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import { parameter } from "../../../database/prepared-queries.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { pathAudiencesOf } from "../branch-store.ts";
import { type Branch, keyOfFolders } from "../branches.ts";
import { findDocument } from "../store.ts";

/*
 * What a viewer sees of the tree: ranges of document_path_audiences, one for each audience. What is hidden from the
 * viewer is not read.
 */

/** Branches count their documents up to this number. */
export const maxCounted = 10_000;

/** A document in several audiences has a row in each, and counts once. More audiences than this rarely meet. */
const maxRowsOfDocument = 5;

/** The start of the keys of everything in a branch; null if there is no such container for the viewer. */
export async function findStart(database: Database, viewer: Viewer, branch: Branch): Promise<string | null> {
  const folders = keyOfFolders(branch.names);
  if (branch.kind === "folder") return folders;
  if (!Number.isSafeInteger(branch.id) || (await findDocument(database, viewer, branch.id)) === null)
    return null;
  const key = await findKey(database, branch.id);
  return key === null ? null : `${key}/${folders}`;
}

/** The first position of a document in the tree; null if it has none. */
export async function findKey({ reader }: Pick<Database, "reader">, id: number): Promise<string | null> {
  const row = await reader
    .selectFrom("document_paths")
    .select("path")
    .where("document_id", "=", id)
    .orderBy("path")
    .limit(1)
    .executeTakeFirst();
  return row?.path ?? null;
}

/** A page of what is directly in a branch. */
export interface ChildKeys {
  /** The keys of folders and documents, without a slash at the end. */
  keys: string[];
  before: boolean;
  after: boolean;
}

/**
 * The folders and documents directly in a branch of which the viewer sees anything, in order of their keys, after or
 * before a key. Each is found by one step in the index from the one before, however much is in it.
 */
export async function findChildKeys(
  database: Database,
  viewer: Viewer,
  start: string,
  { at, reverse, limit }: { at: string | null; reverse: boolean; limit: number },
): Promise<ChildKeys> {
  const read = (from: string | null, way: "up" | "down", count: number): Promise<string[]> =>
    walk(database, viewer, start, { from, way, count });
  const found = await read(at, reverse ? "down" : "up", limit + 1);
  const isMore = found.length > limit;
  const keys = found.slice(0, limit);
  // The key beside the page, or the position itself if the page is empty.
  const isBehind =
    at !== null && (keys.length === 0 || (await read(keys[0] ?? at, reverse ? "up" : "down", 1)).length > 0);
  if (reverse) return { keys: keys.toReversed(), before: isMore, after: isBehind };
  return { keys, before: isBehind, after: isMore };
}

async function walk(
  { dialect, prepared }: Database,
  viewer: Viewer,
  start: string,
  { from, way, count }: { from: string | null; way: "up" | "down"; count: number },
): Promise<string[]> {
  const { condition, values, shape } = seenBy({ dialect }, viewer);
  const [low, high] = [`${start}1`, `${start}3`];
  const within = parameter<string>("start");
  const nameOf = (path: RawBuilder<unknown>): RawBuilder<string> =>
    dialect.before(sql`substr(${path}, ${parameter("length")} + 1)`, "/");
  const next = (position: RawBuilder<unknown>): RawBuilder<unknown> => {
    const range =
      way === "up"
        ? sql`t.path >= ${position} and t.path < ${parameter("high")} ${condition} order by t.path limit 1`
        : sql`t.path < ${position} and t.path >= ${parameter("low")} ${condition} order by t.path desc limit 1`;
    return sql`(select ${sql.raw(way === "up" ? "min" : "max")}((select t.path from document_path_audiences t
      where t.audience = a.value and ${range}))
      from (${dialect.textValuesOf(parameter("audiences"))}) as a)`;
  };
  // All keys of a folder have a slash after its name. That of a document stands alone, before those of what is in it.
  const beyond = (path: RawBuilder<unknown>): RawBuilder<unknown> =>
    way === "up"
      ? sql`${within} || ${nameOf(path)} || '0'`
      : sql`${within} || ${nameOf(path)} || case when substr(${nameOf(path)}, 1, 1) = '1' then '/' else '' end`;
  const build = (): RawBuilder<unknown> => sql`with recursive child (path, step) as (
      select ${next(sql`${parameter("from")}`)}, 1
      union all
      select ${next(beyond(sql`child.path`))}, step + 1 from child
        where path is not null and step < ${parameter("count")}
    ) select ${nameOf(sql`path`)} as name from child where path is not null order by step`;
  const rows = await prepared.rows<{ name: string }>(`tree ${way} ${shape}`, build, {
    ...values,
    start,
    length: Array.from(start).length,
    low,
    high,
    count,
    from: from === null ? (way === "up" ? low : high) : beyondKey(from, way),
  });
  return rows.map(({ name }) => `${start}${name}`);
}

/** The position after or before everything of a child. */
function beyondKey(key: string, way: "up" | "down"): string {
  if (way === "up") return `${key}0`;
  return isFolder(key) ? `${key}/` : key;
}

export const isFolder = (key: string): boolean => key.startsWith("1", key.lastIndexOf("/") + 1);

export interface BranchCount {
  documents: number;
  isExact: boolean;
}

/** How many documents the viewer sees in each of these branches, whose keys have no slash at their end. */
export async function countIn(
  database: Database,
  viewer: Viewer,
  keys: readonly string[],
): Promise<BranchCount[]> {
  if (keys.length === 0) return [];
  const { dialect } = database;
  const counted = countable(database, viewer);
  const build = (): RawBuilder<unknown> =>
    sql`select branch.value as branch, ${counted.between(
      sql`branch.value || '/'`,
      sql`branch.value || '0'`,
    )} as counts from (${dialect.textValuesOf(parameter("keys"))}) as branch`;
  const rows = await database.prepared.rows<{ branch: string; counts: string }>(
    `tree counts ${counted.shape}`,
    build,
    { ...counted.values, keys: dialect.list(keys) },
  );
  const counts = new Map(rows.map((row) => [row.branch, row.counts]));
  return keys.map((key) => counted.read(counts.get(key)));
}

/** How many documents the viewer sees in a branch with this start; the empty one is that of the whole tree. */
export async function countFrom(database: Database, viewer: Viewer, start: string): Promise<BranchCount> {
  if (start !== "") return (await countIn(database, viewer, [start.slice(0, -1)]))[0] as BranchCount;
  const counted = countable(database, viewer);
  const [row] = await database.prepared.rows<{ counts: string }>(
    `tree count ${counted.shape}`,
    () => sql`select ${counted.between(sql`'1'`, sql`'3'`)} as counts`,
    counted.values,
  );
  return counted.read(row?.counts);
}

/** The count of a range of keys as text: the documents, and the rows that were read, of which there is a limit. */
function countable({ dialect }: Database, viewer: Viewer) {
  const { condition, values, shape } = seenBy({ dialect }, viewer);
  const limit = (maxCounted + 1) * Math.min(pathAudiencesOf(viewer).length, maxRowsOfDocument);
  const isSeen = dialect.isAmongTexts(sql.ref("t.audience"), parameter("audiences"));
  return {
    shape: `${limit} ${shape}`,
    values,
    between: (low: RawBuilder<unknown>, high: RawBuilder<unknown>) => sql`(
      select cast(count(distinct document_id) as text) || ' ' || cast(count(*) as text) from (
        select t.document_id from document_path_audiences t
        where ${isSeen} and t.path > ${low} and t.path < ${high} ${condition}
        limit ${sql.lit(limit)}) as listed)`,
    read(counts = "0 0"): BranchCount {
      const [documents = 0, rows = 0] = counts.split(" ").map(Number);
      return {
        documents: Math.min(documents, maxCounted),
        isExact: rows < limit && documents <= maxCounted,
      };
    },
  };
}

/** A condition on `t` beside the audiences: the token of an add-on's run reaches the documents of the run alone. */
function seenBy({ dialect }: Pick<Database, "dialect">, viewer: Viewer) {
  const run = viewer.kind === "user" ? viewer.run : undefined;
  const isOfRun = dialect.isAmong(sql.ref("t.document_id"), parameter("runDocuments"));
  return {
    shape: run === undefined ? "all" : "run",
    condition: run === undefined ? sql`` : sql`and ${isOfRun}`,
    values: {
      audiences: dialect.list(pathAudiencesOf(viewer)),
      ...(run !== undefined && { runDocuments: dialect.list([...run.documents]) }),
    },
  };
}
