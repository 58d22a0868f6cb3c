import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import { descriptionPart, firstNotePart, partOfPage, sourcePart, titlePart } from "../../../search/parts.ts";
import type { WordsPlan } from "../../../search/plan.ts";
import type { TextField } from "../../../search/query-tree.ts";
import { partsWith } from "../../../search/text-index.ts";

/** Which pages of some documents hold what was looked for. */
export interface PagesAsked {
  documentIds: readonly number[];
  words: readonly WordsPlan[];
  /** Of each document: how many pages to pass over, and how many to find. */
  offset: number;
  limit: number;
}

export interface MatchingPages {
  /** How many hold it. */
  total: number;
  /** Those that were asked for, in their order; they count from 0. */
  pages: number[];
}

/** By document, of those documents that have such pages among what was asked for. */
export async function findMatchingPages(
  database: Database,
  { documentIds, words, offset, limit }: PagesAsked,
  timeLimitSeconds: number,
): Promise<Map<number, MatchingPages>> {
  const found = new Map<number, MatchingPages>();
  const looked = words.filter(({ isLookedFor }) => isLookedFor);
  if (looked.length === 0 || documentIds.length === 0) return found;
  const each = looked.map(
    ({ field, wanted }) =>
      sql`select document_id, part
        from (${partsWith(database.dialect, wanted, documentIds)}) as parts
        where ${isInPages}${field === null ? sql`` : sql` and ${isInField(field)}`}`,
  );
  const ofDocument = sql`partition by document_id`;
  const rows = await database.aside(
    sql<{ document_id: number; page: number; total: number }>`select document_id, page, total from (
        select document_id, part - ${sql.lit(partOfPage(0))} as page,
          count(*) over (${ofDocument}) as total, row_number() over (${ofDocument} order by part) as place
        from (${sql.join(each, sql` union `)}) as matching
      ) as numbered
      where place > ${sql.lit(offset)} and place <= ${sql.lit(offset + limit)}
      order by document_id, page`,
    timeLimitSeconds,
  );
  for (const { document_id, page, total } of rows) {
    const ofThis = found.get(document_id) ?? { total, pages: [] };
    ofThis.pages.push(page);
    found.set(document_id, ofThis);
  }
  return found;
}

/** The texts of some pages of a document, in their order. */
export async function findPageTexts(
  { reader, dialect }: Database,
  documentId: number,
  pages: readonly number[],
): Promise<{ page: number; text: string }[]> {
  return reader
    .selectFrom("document_pages")
    .select(["page", "text"])
    .where("document_id", "=", documentId)
    .where(dialect.isAmong(sql.ref("page"), sql`${dialect.list(pages)}`))
    .orderBy("page")
    .execute();
}

const isInPages = sql`part >= ${sql.lit(partOfPage(0))} and part < ${sql.lit(firstNotePart)}`;

/** A condition on the number of a part. */
export function isInField(field: TextField): RawBuilder<unknown> {
  if (field === "text") return isInPages;
  if (typeof field === "object") return sql`part = ${partOfPage(field.page - 1)}`;
  const part = { title: titlePart, source: sourcePart, description: descriptionPart }[field];
  return sql`part = ${sql.lit(part)}`;
}
