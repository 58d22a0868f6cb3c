import type { Database, Writer } from "../../database/database.ts";
import { readFields } from "../../http/fields/fields.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { type Occurrence, newEntityFields, replacedOccurrenceFields } from "./fields.ts";
import { findOccurrencesOf, occurrenceRows } from "./occurrence-store.ts";
import { findEntity, findEntityByWikidataId, lockWikidataIds, entityRows } from "./store.ts";

/** An entity of a document that is imported or mirrored. */
export interface EntityToPut {
  /** The id to give the entity if no other entity has it. Null if the source names no id. */
  id: number | null;
  wikidata_id: string;
  name: string;
  description: string;
  wikipedia_url: string;
  metadata: Readonly<Record<string, unknown>>;
  relevance: number;
  occurrences: readonly Occurrence[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads an entity and its occurrence in a document. The rules are those for entities that are sent to the API.
 *
 * @throws {ApiError}
 */
export function readEntityToPut(
  id: number | null,
  entity: Fields,
  { relevance = 0, occurrences = [] }: Fields,
  pageCount: number,
): EntityToPut {
  const { wikidata_id = "", ...texts } = readFields(newEntityFields, membersOf(entity), "whole");
  const { name = "", description = "", wikipedia_url = "", metadata = {} } = texts;
  const table = replacedOccurrenceFields({ page_count: pageCount });
  const read = readFields(table, membersOf({ relevance, occurrences }), "whole");
  return {
    id,
    wikidata_id,
    name: name || wikidata_id,
    description,
    wikipedia_url,
    metadata,
    relevance: read.relevance ?? 0,
    occurrences: read.occurrences ?? [],
  };
}

function membersOf(fields: Fields): Map<string, unknown> {
  return new Map(Object.entries(fields));
}

/**
 * Replaces a document's entities with these. Entities with the same Wikidata id are the same entity. An entity that
 * exists already is not changed itself. Returns whether anything has changed.
 */
export async function putEntities(
  writer: Writer,
  database: Pick<Database, "dialect">,
  documentId: number,
  entities: readonly EntityToPut[],
): Promise<boolean> {
  const left = new Map(
    (await findOccurrencesOf(writer, documentId)).map((row) => [row.entity_id, row] as const),
  );
  let isChanged = false;
  if (entities.length > 0) {
    await lockWikidataIds(
      writer,
      database,
      entities.map(({ wikidata_id }) => wikidata_id),
    );
  }
  for (const entity of entities) {
    const entity_id = await ensureEntity(writer, entity);
    const { relevance } = entity;
    const occurrences = JSON.stringify(entity.occurrences);
    const before = left.get(entity_id);
    left.delete(entity_id);
    if (before === undefined) {
      await occurrenceRows.add(writer, {
        document_id: documentId,
        entity_id,
        relevance,
        occurrences,
      });
    } else if (before.relevance !== relevance || before.occurrences !== occurrences) {
      await occurrenceRows.change(writer, before, { relevance, occurrences });
    } else continue;
    isChanged = true;
  }
  for (const { id } of left.values()) {
    await occurrenceRows.remove(writer, { id });
    isChanged = true;
  }
  await database.dialect.afterOwnIds("entities")?.execute(writer);
  return isChanged;
}

async function ensureEntity(
  writer: Writer,
  { id, wikidata_id, name, description, wikipedia_url, metadata }: EntityToPut,
): Promise<number> {
  const known = await findEntityByWikidataId(writer, wikidata_id);
  if (known !== null) return known.id;
  const isFree = id !== null && (await findEntity(writer, id)) === null;
  const now = timestampNow();
  const values = {
    user_id: null,
    wikidata_id,
    name,
    description,
    wikipedia_url,
    created_at: now,
    updated_at: now,
  };
  const added = await entityRows.add(writer, {
    ...values,
    metadata: JSON.stringify(metadata),
    ...(isFree && { id }),
  });
  return added.id;
}
