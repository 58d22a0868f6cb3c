import { type Insertable, type Selectable, type Updateable, sql } from "kysely";
import { Conditions } from "../../database/conditions.ts";
import type { Database, Reader, Writer } from "../../database/database.ts";
import { readIdPage } from "../../database/id-pages.ts";
import type { Page } from "../../database/keyset.ts";
import type { Dialect } from "../../database/dialect.ts";
import { nextBatch, readInBatches } from "../../database/page-batches.ts";
import { type Buildable, compilable, parameter } from "../../database/prepared-queries.ts";
import type { SectionsTable } from "../../database/tables.ts";
import type { Cursor } from "../../http/request/cursor.ts";

export type SectionRow = Selectable<SectionsTable>;

const columns = sql`sections.*`;

/** One page of the sections of a document. */
export async function listSections(
  database: Database,
  document: number,
  cursor: Cursor,
  limit: number,
): Promise<Page<SectionRow>> {
  const { shape, where, values } = new Conditions(database.dialect, "sections").equals(
    "document_id",
    document,
  );
  return readIdPage<SectionRow>(
    database,
    { shape, table: "sections", columns, where, values },
    cursor,
    limit,
  );
}

/** All sections of these documents, in order of their pages. */
export async function findSectionsOf(
  { dialect, prepared, reader }: Database,
  documents: readonly number[],
): Promise<SectionRow[]> {
  if (documents.length === 0) return [];
  const build = (): Buildable<SectionRow> => {
    const { condition, end } = nextBatch("sections");
    const idMatches = dialect.isAmong(sql.ref("sections.document_id"), parameter("documents"));
    return compilable(
      reader,
      sql`select ${columns} from sections where ${idMatches} and ${condition} ${end}`,
    );
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
  const found = await reader
    .selectFrom("sections")
    .selectAll()
    .where("id", "=", id)
    .where("document_id", "=", document)
    .executeTakeFirst();
  return found ?? null;
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

export async function insertSection(writer: Writer, section: Insertable<SectionsTable>): Promise<SectionRow> {
  return writer.insertInto("sections").values(section).returningAll().executeTakeFirstOrThrow();
}

export async function updateSection(
  writer: Writer,
  id: number,
  values: Updateable<SectionsTable>,
): Promise<void> {
  await writer.updateTable("sections").set(values).where("id", "=", id).execute();
}

export async function deleteSection(writer: Writer, id: number): Promise<void> {
  await writer.deleteFrom("sections").where("id", "=", id).execute();
}
