import { setImmediate } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import type { Dialect } from "../../../database/dialect.ts";
import { parameter } from "../../../database/prepared-queries.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { descriptionPart, firstNotePart, partOfPage, sourcePart, titlePart } from "../../../search/parts.ts";
import type { SearchPlan, WordsPlan } from "../../../search/plan.ts";
import type { TextField } from "../../../search/query-tree.ts";
import { partsWith } from "../../../search/text-index.ts";
import { conditionOf } from "./condition-store.ts";

/** A query for the pages of some documents that contain the words. */
export interface PagesAsked {
  documentIds: readonly number[];
  words: readonly WordsPlan[];
  /** The maximum number of pages of each document. */
  limit: number;
}

export interface MatchingPages {
  /** The number of pages that contain the words. */
  total: number;
  /** The requested pages in ascending order, counting from 0. */
  pages: number[];
}

/** The first matching pages of each document. Documents without any are left out. */
export async function findMatchingPages(
  database: Database,
  { documentIds, words, limit }: PagesAsked,
  timeLimitSeconds: number,
): Promise<Map<number, MatchingPages>> {
  const found = new Map<number, MatchingPages>();
  const soughtWords = words.filter(({ isLookedFor }) => isLookedFor);
  if (soughtWords.length === 0 || documentIds.length === 0) return found;
  const each = soughtWords.map(
    ({ field, wanted, stems }) =>
      sql`select document_id, part
        from (${partsWith(database.dialect, { wanted, stems }, documentIds)}) as parts
        where ${isInPages}${field === null ? sql`` : sql` and ${isInField(field)}`}`,
  );
  const parts = sql.join(each, sql` union `);
  const first = partOfPage(0);
  const ofDocument = sql`partition by document_id`;
  const rows = await database.queryWithTimeout(
    sql<{ document_id: number; page: number; total: number }>`select document_id, page, total from (
        select document_id, part - ${sql.lit(first)} as page,
          count(*) over (${ofDocument}) as total, row_number() over (${ofDocument} order by part) as position
        from (${parts}) as matching
      ) as numbered
      where position <= ${sql.lit(limit)}
      order by document_id, page`,
    timeLimitSeconds,
  );
  for (const { document_id, page, total } of rows) {
    const matching = found.get(document_id) ?? { total, pages: [] };
    matching.pages.push(page);
    found.set(document_id, matching);
  }
  return found;
}

/** The texts of some pages of a document, in the order in which `pages` has them. */
export async function findPageTexts(
  { prepared, dialect }: Database,
  documentId: number,
  pages: readonly number[],
): Promise<{ page: number; text: string }[]> {
  // Looks up each page. Most documents have these pages, so PostgreSQL's planner expects to find many, and for a
  // document with a large share of all pages it would read the whole table.
  const build = () => {
    const isAsked = sql`document_pages.document_id = ${parameter("id")} and document_pages.page = asked.value`;
    return sql`select asked.value as page, document_pages.text from (${dialect.valuesOf(parameter("pages"))}) as asked
        ${dialect.leftLookup(sql`document_pages`, isAsked)}`;
  };
  const values = { id: documentId, pages: dialect.list(pages) };
  const rows = await prepared.rows<{ page: number; text: string | null }>("texts of pages", build, values);
  return rows.flatMap(({ page, text }) => (text === null ? [] : { page, text }));
}

/** The languages that documents are analysed in. Those without an entry are in the usual language. */
export async function findLanguages(
  { prepared, dialect }: Database,
  documentIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const build = () => sql`select document_id, language from document_languages
    where ${dialect.isAmong(sql.ref("document_id"), parameter("ids"))}`;
  const values = { ids: dialect.list(documentIds) };
  const rows = await prepared.rows<{ document_id: number; language: string }>("languages", build, values);
  return new Map(rows.map(({ document_id, language }) => [document_id, language]));
}

const isInPages = sql`part >= ${sql.lit(partOfPage(0))} and part < ${sql.lit(firstNotePart)}`;

/** A condition on the number of a part. */
export function isInField(field: TextField): RawBuilder<unknown> {
  if (field === "text") return isInPages;
  if (typeof field === "object") return sql`part = ${partOfPage(field.page - 1)}`;
  const part = { title: titlePart, source: sourcePart, description: descriptionPart }[field];
  return sql`part = ${sql.lit(part)}`;
}

/** The condition for notes that a viewer may see, on `notes` and their `documents`. */
export type NoteCondition = (dialect: Dialect, viewer: Viewer) => RawBuilder<boolean>;

/** The condition on `parts` for those that a word with this field is searched in. */
export function isSearched(field: TextField | null, notes: RawBuilder<boolean>): RawBuilder<unknown> {
  if (field !== null) return isInField(field);
  return sql`(part < ${sql.lit(firstNotePart)} or exists (
    select 1 from notes join documents on documents.id = notes.document_id
    where notes.document_id = parts.document_id and notes.part = parts.part and ${notes}))`;
}

/**
 * Some of the pages of a document, which the viewer may see, that contain the words of a search. None if the document
 * does not match the query as a whole.
 */
export async function findPagesWithin(
  database: Database,
  viewer: Viewer,
  notes: NoteCondition,
  { query, words }: SearchPlan,
  documentId: number,
  { offset, limit }: { offset: number; limit: number },
  timeLimitSeconds: number,
): Promise<MatchingPages> {
  if (!words.some(({ isLookedFor }) => isLookedFor)) return { total: 0, pages: [] };
  const { dialect } = database;
  const shownNotes = notes(dialect, viewer);
  // Each word has one column: its parts in one text, or for a word that is only excluded, any of them.
  const held = words.map((condition, index) => {
    const { field, isLookedFor } = condition;
    const found = isLookedFor ? dialect.concatenated(sql`cast(part as text)`, ",") : sql`min(part)`;
    return sql`(select ${found} from (${partsWith(dialect, condition, [documentId])}) as parts
      where ${isSearched(field, shownNotes)}) as ${sql.ref(`parts${index}`)}`;
  });
  const weights = words.map(
    (_, index) =>
      sql`case when ${sql.ref(`parts${index}`)} is null then 0 else 1 end as ${sql.ref(`weight${index}`)}`,
  );
  const sought = words.flatMap(({ isLookedFor }, index) => (isLookedFor ? [sql.ref(`parts${index}`)] : []));
  const [found = {}] = await database.queryWithTimeout(
    sql<Record<string, string | null>>`with held as materialized (select ${sql.join(held)}),
      hits as (select ${sql.join(weights)} from held)
      select ${sql.join(sought)} from held
      where exists (
        select 1 from documents cross join hits
        where documents.id = ${documentId} and ${conditionOf(dialect, viewer, query)}
      )`,
    timeLimitSeconds,
  );
  const pages = await pagesAmong(Object.values(found));
  return { total: pages.length, pages: pages.slice(offset, offset + limit) };
}

/** The pages in some lists of parts, ascending and without repetitions. Yields to other requests between two lists. */
async function pagesAmong(lists: readonly (string | null)[]): Promise<number[]> {
  const isHeld: true[] = [];
  for (const [index, list] of lists.entries()) {
    if (index > 0) await setImmediate();
    for (const part of JSON.parse(`[${list ?? ""}]`) as number[]) {
      if (part >= partOfPage(0) && part < firstNotePart) isHeld[part - partOfPage(0)] = true;
    }
  }
  const pages: number[] = [];
  // Skips the pages that are in no list.
  isHeld.forEach((_, page) => pages.push(page));
  return pages;
}
