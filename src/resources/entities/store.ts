import { type Selectable, sql } from "kysely";
import { Conditions } from "../../database/conditions.ts";
import type { Database, Reader, Writer } from "../../database/database.ts";
import type { Page } from "../../database/keyset.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { EntitiesTable } from "../../database/tables.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import { rowOf, tableRows } from "../../database/rows.ts";

export type EntityRow = Selectable<EntitiesTable>;

export const entityRows = tableRows("entities");

export interface EntityFilters {
  name?: string | undefined;
  wikidataId?: string | undefined;
  wikidataIds?: readonly string[] | undefined;
}

const columns = sql`entities.*`;

/** One page of all entities, whether or not a document has them. */
export async function listEntities(
  database: Database,
  { name, wikidataId, wikidataIds }: EntityFilters,
  cursor: Cursor,
  limit: number,
): Promise<Page<EntityRow>> {
  const { dialect } = database;
  const list = wikidataIds === undefined ? undefined : dialect.list(wikidataIds);
  return new Conditions(dialect, "entities")
    .equals("name", name)
    .equals("wikidata_id", wikidataId)
    .that("wikidata_id in", "wikidata_ids", list, (idList) =>
      dialect.isAmongTexts(sql.ref("entities.wikidata_id"), idList),
    )
    .page(database, columns, cursor, limit);
}

export async function findEntity(reader: Pick<Reader, "selectFrom">, id: number): Promise<EntityRow | null> {
  return rowOf(reader, "entities", { id });
}

export async function findEntityByWikidataId(
  reader: Pick<Reader, "selectFrom">,
  wikidataId: string,
): Promise<EntityRow | null> {
  return rowOf(reader, "entities", { wikidata_id: wikidataId });
}

/** The entities that exist among those with these ids, by id. */
export async function findEntities(
  { dialect, prepared }: Database,
  ids: readonly number[],
): Promise<Map<number, EntityRow>> {
  if (ids.length === 0) return new Map();
  const build = () => {
    const idMatches = dialect.isAmong(sql.ref("entities.id"), parameter("ids"));
    return sql`select ${columns} from entities where ${idMatches}`;
  };
  const rows = await prepared.rows<EntityRow>("entities by id", build, { ids: dialect.list(ids) });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Locks the entities with these ids until the transaction ends. Returns the ids that exist. */
export async function lockEntities(
  writer: Writer,
  { dialect }: Pick<Database, "dialect">,
  ids: readonly number[],
): Promise<Set<number>> {
  const list = dialect.list(ids);
  // In order of ids, so that two transactions cannot deadlock.
  const { rows } = await sql<{ id: number }>`select id from entities
    where ${dialect.isAmong(sql.ref("id"), sql`${list}`)} order by id ${dialect.forUpdate}`.execute(writer);
  return new Set(rows.map(({ id }) => id));
}

/** Locks the table against new entities until the transaction ends. Returns the Wikidata ids that exist. */
export async function lockWikidataIds(
  writer: Writer,
  { dialect }: Pick<Database, "dialect">,
  wikidataIds: readonly string[],
): Promise<Set<string>> {
  await dialect.lockForWriting("entities")?.execute(writer);
  const list = dialect.list(wikidataIds);
  const { rows } = await sql<{ wikidata_id: string }>`select wikidata_id from entities
    where ${dialect.isAmongTexts(sql.ref("wikidata_id"), sql`${list}`)}`.execute(writer);
  return new Set(rows.map(({ wikidata_id }) => wikidata_id));
}
