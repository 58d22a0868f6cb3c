import type { Database } from "../../database/database.ts";
import type { Expansion } from "../../http/request/expansion.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { mapInSlices } from "../../http/text/slices.ts";
import { findPresentedUsers } from "../users/expand.ts";
import type { OccurrenceRow } from "./occurrence-store.ts";
import { type EntityRow, findEntities } from "./store.ts";

export type EntityJson = Record<string, unknown>;

export function presentEntity(row: EntityRow): EntityJson {
  const { id, user_id, wikidata_id, name, description, wikipedia_url, created_at, updated_at } = row;
  return {
    access: "public",
    created_at,
    description,
    id,
    metadata: JSON.parse(row.metadata) as unknown,
    name,
    updated_at,
    user: user_id,
    wikidata_id,
    wikipedia_url,
  };
}

/** An entity of a document. The document itself is not named. */
export function presentOccurrence({ entity_id, relevance, occurrences }: OccurrenceRow): EntityJson {
  return { entity: entity_id, relevance, occurrences: JSON.parse(occurrences) as unknown };
}

export interface RenderContext {
  viewer: Viewer;
  expansion: Expansion;
  inDetail: boolean;
}

/** Entities as the API shows them, with expansions. */
export async function presentEntities(
  database: Database,
  rows: readonly EntityRow[],
  { viewer, expansion, inDetail }: RenderContext,
): Promise<EntityJson[]> {
  const entities = rows.map(presentEntity);
  if (!expansion.has("user")) return entities;
  const ids = rows.flatMap(({ user_id }) => (user_id === null ? [] : [user_id]));
  const users = await findPresentedUsers(database, viewer, ids, expansion.within("user"), { inDetail });
  for (const [index, { user_id }] of rows.entries()) {
    Object.assign(entities[index] ?? {}, { user: users.get(user_id ?? 0) ?? user_id });
  }
  return entities;
}

/** Entities of a document as the API shows them, with expansions. */
export async function presentOccurrences(
  database: Database,
  rows: readonly OccurrenceRow[],
  context: RenderContext,
): Promise<EntityJson[]> {
  // Each may have 128 KiB of JSON.
  const occurrences = await mapInSlices(rows, presentOccurrence, 10);
  if (!context.expansion.has("entity")) return occurrences;
  const found = await findEntities(
    database,
    rows.map(({ entity_id }) => entity_id),
  );
  const expansion = context.expansion.within("entity");
  const entities = await presentEntities(database, [...found.values()], { ...context, expansion });
  const byId = new Map(entities.map((entity) => [entity["id"], entity]));
  for (const json of occurrences) json["entity"] = byId.get(json["entity"]) ?? json["entity"];
  return occurrences;
}
