import { type RawBuilder, type Selectable, sql } from "kysely";
import { Conditions } from "../../database/conditions.ts";
import type { Database, Reader, Writer } from "../../database/database.ts";
import type { Page } from "../../database/keyset.ts";
import type { EntityOccurrencesTable } from "../../database/tables.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import type { EntityFilters } from "./store.ts";
import { hasRow, rowOf, rowsOf, tableRows } from "../../database/rows.ts";

export type OccurrenceRow = Selectable<EntityOccurrencesTable>;

export const occurrenceRows = tableRows("entity_occurrences");

/** One page of the entities of a document, in the order in which they were added. */
export async function listOccurrences(
  database: Database,
  document: number,
  { name, wikidataId }: Pick<EntityFilters, "name" | "wikidataId">,
  cursor: Cursor,
  limit: number,
): Promise<Page<OccurrenceRow>> {
  return new Conditions(database.dialect, "entity_occurrences")
    .equals("document_id", document)
    .that("name", "name", name, (value) => entityMatches(sql`entities.name = ${value}`))
    .that("wikidata", "wikidata", wikidataId, (value) => entityMatches(sql`entities.wikidata_id = ${value}`))
    .page(database, sql`entity_occurrences.*`, cursor, limit);
}

/** The condition that the entity of an occurrence fulfils `condition`. */
function entityMatches(condition: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (
    select 1 from entities where entities.id = entity_occurrences.entity_id and ${condition}
  )`;
}

export async function findOccurrence(
  reader: Pick<Reader, "selectFrom">,
  document: number,
  entity: number,
): Promise<OccurrenceRow | null> {
  return rowOf(reader, "entity_occurrences", { document_id: document, entity_id: entity });
}

/** All entities of a document. */
export async function findOccurrencesOf(
  reader: Pick<Reader, "selectFrom">,
  document: number,
): Promise<OccurrenceRow[]> {
  return rowsOf(reader, "entity_occurrences", { document_id: document }, "id");
}

/** The ids of the entities among these that the document has. */
export async function findEntityIdsOf(
  writer: Writer,
  { dialect }: Pick<Database, "dialect">,
  document: number,
  entities: readonly number[],
): Promise<Set<number>> {
  const list = dialect.list(entities);
  const rows = await writer
    .selectFrom("entity_occurrences")
    .select("entity_id")
    .where("document_id", "=", document)
    .where(dialect.isAmong(sql.ref("entity_id"), sql`${list}`))
    .execute();
  return new Set(rows.map(({ entity_id }) => entity_id));
}

/** Whether any document has the entity. */
export async function isInUse(writer: Writer, entity: number): Promise<boolean> {
  return hasRow(writer, "entity_occurrences", { entity_id: entity });
}
