import { type RawBuilder, sql } from "kysely";
import type { Dialect } from "../../../database/dialect.ts";
import type { PageForm } from "../../../database/keyset.ts";
import { parameter } from "../../../database/prepared-queries.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { editableBy, editableValues, kindOf, viewerValues } from "../access.ts";
import { type BaseUrls, piecesBetween } from "../present.ts";
import { recordFormat } from "../record-members.ts";
import { storedEditAccess } from "../record-store.ts";

/** A document on a page of the list. Its record is empty if no up-to-date one is stored. */
export interface ListedRecord extends TaggedRecord {
  id: number;
  /** The value that the list is sorted by before the id, if any. */
  value?: string | number | null;
}

/**
 * A record's JSON, as a part of `bytes`. One byte without a meaning separates two records in the same bytes. What is
 * before the first and after the last record of a page may be overwritten.
 */
export interface TaggedRecord {
  /** Equal tags mean equal records, as long as the server's addresses are the same. */
  tag: string;
  bytes: Buffer;
  start: number;
  end: number;
}

/** The columns of a document that {@link storedPage} needs. */
export function listedColumns(dialect: Dialect, viewer: Viewer): RawBuilder<unknown> {
  const columnsForAll = sql`documents.id`;
  if (viewer.kind === "anonymous") return columnsForAll;
  const edit = sql`, case when ${editableBy(dialect, viewer, parameter)} then 'true' else 'false' end as edit_access`;
  if (kindOf(viewer) !== "collaborator") return sql`${columnsForAll}${edit}`;
  const id = sql.ref("project_memberships.project_id");
  return sql`${columnsForAll}${edit}, (
    select ${dialect.joinedIds(id)} from project_memberships
    join projects on projects.id = project_memberships.project_id
    where project_memberships.document_id = documents.id
      and (projects.private = false or ${dialect.isAmong(id, parameter("viewerProjects"))})
  ) as shown_projects`;
}

/**
 * A page of the list as one row: the records one after the other, and a line with the id and the tag of each. The
 * engine joins them, which takes a fraction of the time that a separate row for each record would take. There is room
 * around the records for the rest of the body of a response, so that nobody has to copy them.
 */
export function storedPage(dialect: Dialect, viewer: Viewer): PageForm<ListedRecord> {
  const kind = kindOf(viewer);
  const administers = viewer.kind === "user" && viewer.isAdministrator;
  const { tag, rest } = textsFor[kind];
  return {
    name: `stored for ${kind}${administers ? ", an administrator" : ""}`,
    around(rows, isBehind, hasValue) {
      const addresses = sql`case when has_own_files then ${parameter("assetsAndWeb")} else ${parameter("web")} end`;
      const records = dialect.concatenated(sql`coalesce(opening || ${addresses} || ${rest}, '')`, recordEnd);
      const isStored = sql`document_records.document_id = listed.id and format = ${sql.lit(recordFormat)}`;
      const values = hasValue
        ? sql`, ${dialect.concatenated(dialect.asJson(sql.ref("listed.value")), ",")} as values_`
        : sql``;
      return sql`select
        ${dialect.asBytes(sql`${sql.lit(roomBefore)} || ${records} || ${sql.lit(roomAfter)}`)} as records,
        ${dialect.concatenated(sql`cast(listed.id as text) || ' ' || coalesce(${tag}, '')`, lineEnd)} as lines,
        ${isBehind} as behind${values}
        from (${rows}) as listed ${dialect.leftLookup(sql`document_records`, isStored)}`;
    },
    rows: (result) => recordsIn(dialect, result as StoredPage),
  };
}

const atEdit = sql`substr(rest, 1, edit_at) || listed.edit_access || `;
const afterEdit = sql`(edit_at + ${sql.lit(storedEditAccess.length + 1)})`;
const shownProjects = sql`coalesce(listed.shown_projects, '')`;

/** For each kind of viewer: a record's tag, and `rest` with the values that depend on the viewer. */
const textsFor: Record<ReturnType<typeof kindOf>, { tag: RawBuilder<unknown>; rest: RawBuilder<unknown> }> = {
  all: { tag: sql`digest`, rest: sql`rest` },
  user: {
    tag: sql`digest || '/' || listed.edit_access`,
    rest: sql`${atEdit}substr(rest, ${afterEdit})`,
  },
  collaborator: {
    tag: sql`digest || '/' || listed.edit_access || '/' || ${shownProjects}`,
    rest: sql`${atEdit}substr(rest, ${afterEdit}, projects_at - ${afterEdit} + 1) || ${shownProjects}
      || substr(rest, projects_at + length(projects) + 1)`,
  },
};

/** Cannot occur in JSON. */
const recordEnd = "\u001E";
const recordEndByte = recordEnd.charCodeAt(0);
const lineEnd = "\n";
const roomBefore = " ".repeat(512);
const roomAfter = "  ";

interface StoredPage {
  /** See `Dialect.asBytes`. */
  records: unknown;
  /** Null if there are no rows. */
  lines: string | null;
  behind: number | boolean;
  values_?: string;
}

function recordsIn(dialect: Dialect, page: StoredPage): (ListedRecord & { behind: boolean })[] {
  const { lines } = page;
  if (lines === null) return [];
  const values = page.values_ === undefined ? [] : (JSON.parse(`[${page.values_}]`) as (string | number)[]);
  const behind = Boolean(page.behind);
  const bytes = dialect.bytesIn(page.records);
  const endOfAll = bytes.length - roomAfter.length;
  const rows: (ListedRecord & { behind: boolean })[] = [];
  for (let line = 0, start = roomBefore.length; line < lines.length;) {
    const space = lines.indexOf(" ", line);
    const found = [lines.indexOf(lineEnd, space), bytes.indexOf(recordEndByte, start)] as const;
    const [endOfLine, end] = [
      found[0] === -1 ? lines.length : found[0],
      found[1] === -1 ? endOfAll : found[1],
    ];
    rows.push({
      id: Number(lines.slice(line, space)),
      value: values[rows.length] ?? null,
      behind,
      tag: lines.slice(space + 1, endOfLine),
      bytes,
      start,
      end,
    });
    line = endOfLine + 1;
    start = end + 1;
  }
  // If a text contains the separator, and so is not JSON, the records cannot be assigned to their documents.
  if (rows.at(-1)?.end !== endOfAll) for (const row of rows) row.end = row.start;
  return rows;
}

/** The values of the parameters in {@link listedColumns} and {@link storedPage}. */
export function storedPageValues(
  dialect: Dialect,
  viewer: Viewer,
  baseUrls: BaseUrls,
): Record<string, unknown> {
  const { assets, web } = piecesBetween(baseUrls);
  return {
    assetsAndWeb: `${assets}${web}`,
    web,
    ...editableValues(dialect, viewer),
    ...viewerValues(dialect, viewer),
  };
}
