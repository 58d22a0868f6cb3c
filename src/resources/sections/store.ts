import { type Selectable, sql } from "kysely";
import type { Database, Reader, Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { nextBatch, readInBatches } from "../../database/page-batches.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { SectionsTable } from "../../database/tables.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import { pageOf, rowOf, tableRows } from "../../database/rows.ts";

export type SectionRow = Selectable<SectionsTable>;

const columns = sql`sections.*`;

export const sectionRows = tableRows("sections");

/** One page of the sections of a document. */
export const listSections = (database: Database, document_id: number, cursor: Cursor, limit: number) =>
  pageOf(database, "sections", { document_id }, cursor, limit);

/** All sections of these documents, in order of their pages. */
export async function findSectionsOf(
  { dialect, prepared }: Database,
  documents: readonly number[],
): Promise<SectionRow[]> {
  if (documents.length === 0) return [];
  const build = () => {
    const { condition, end } = nextBatch("sections");
    const idMatches = dialect.isAmong(sql.ref("sections.document_id"), parameter("documents"));
    return sql`select ${columns} from sections where ${idMatches} and ${condition} ${end}`;
  };
  const values = { documents: dialect.list(documents) };
  return readInBatches((after) =>
    prepared.rows<SectionRow>("sections of documents", build, { ...values, ...after }),
  );
}

export async function findSection(
  reader: Pick<Reader, "selectFrom">,
  document: number,
  id: number,
): Promise<SectionRow | null> {
  return rowOf(reader, "sections", { id, document_id: document });
}

/** The pages of a document on which sections begin, except the section `except`. */
export async function findTakenPages(
  writer: Writer,
  document: number,
  { except }: { except: number | null },
): Promise<Set<number>> {
  const rows = await writer
    .selectFrom("sections")
    .select(["id", "page_number"])
    .where("document_id", "=", document)
    .execute();
  return new Set(rows.filter(({ id }) => id !== except).map(({ page_number }) => page_number));
}

export async function findSectionsForPutting(
  writer: Writer,
  dialect: Dialect,
  documents: readonly number[],
): Promise<SectionRow[]> {
  const idMatches = dialect.isAmong(sql.ref("document_id"), sql`${dialect.list(documents)}`);
  return writer.selectFrom("sections").selectAll().where(idMatches).orderBy("id").execute();
}
