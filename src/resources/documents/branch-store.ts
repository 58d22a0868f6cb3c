import { type RawBuilder, sql } from "kysely";
import type { Dialect } from "../../database/dialect.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { audiencesOf } from "./access.ts";
import { type Branch, endOfKeys, keyOfFolders } from "./branches.ts";

/** The audiences whose positions in the tree a viewer sees. */
export const pathAudiencesOf = (viewer: Viewer): string[] => ["all", ...audiencesOf(viewer)];

/** The ids of the documents in a branch, at any depth, that the viewer sees; without a viewer, of all. */
export function documentsIn(dialect: Dialect, viewer: Viewer | null, branch: Branch): RawBuilder<unknown> {
  const folders = keyOfFolders(branch.names);
  if (branch.kind === "container") return documentsInContainer(dialect, viewer, branch.id, folders);
  return folders === ""
    ? documentsBetween(dialect, viewer, "1", "2")
    : documentsBetween(dialect, viewer, folders, endOfKeys(folders));
}

/** The same for all folders whose path begins with a text. */
export function documentsInFoldersFrom(
  dialect: Dialect,
  viewer: Viewer | null,
  text: string,
): RawBuilder<unknown> {
  const names = text.replace(/^\/+/, "").split("/");
  const start = `${keyOfFolders(names.slice(0, -1))}1${names.at(-1) ?? ""}`;
  // No text has a character after U+10FFFF, so this end is after everything that begins with the start.
  return documentsBetween(dialect, viewer, start, `${start}\u{10ffff}`);
}

/** The ids of the documents that are in any container. */
export const documentsInContainers = sql`select child_id from document_children`;

function documentsBetween(
  dialect: Dialect,
  viewer: Viewer | null,
  start: string,
  end: string,
): RawBuilder<unknown> {
  const { table, isSeen } = positionsOf(dialect, viewer);
  return sql`select positions.document_id from ${table} as positions
    where ${isSeen} positions.path > ${start} and positions.path < ${end}`;
}

function documentsInContainer(
  dialect: Dialect,
  viewer: Viewer | null,
  id: number,
  folders: string,
): RawBuilder<unknown> {
  const { table, isSeen } = positionsOf(dialect, viewer);
  const below = `/${folders}`;
  return sql`select positions.document_id from document_paths as container cross join ${table} as positions
    where container.document_id = ${id} and ${isSeen} positions.path > container.path || ${below}
      and positions.path < container.path || ${endOfKeys(below)}`;
}

function positionsOf(dialect: Dialect, viewer: Viewer | null) {
  if (viewer === null) return { table: sql`document_paths`, isSeen: sql`` };
  const audiences = sql`${dialect.list(pathAudiencesOf(viewer))}`;
  const isSeen = dialect.isAmongTexts(sql.ref("positions.audience"), audiences);
  return { table: sql`document_path_audiences`, isSeen: sql`${isSeen} and` };
}
