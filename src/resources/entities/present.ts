import type { Database } from "../../database/database.ts";
import { type Expansion, expandMembers } from "../../http/request/expansion.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { mapInSlices } from "../../http/text/slices.ts";
import { expandedUsers } from "../users/expand.ts";
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
  await expandMembers(entities, expansion, { user: expandedUsers(database, viewer, { inDetail }) });
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
  await expandMembers(occurrences, context.expansion, {
    async entity(ids, expansion) {
      const found = await findEntities(database, ids);
      const entities = await presentEntities(database, [...found.values()], { ...context, expansion });
      return new Map([...found.keys()].map((id, index) => [id, entities[index] ?? {}]));
    },
  });
  return occurrences;
}
