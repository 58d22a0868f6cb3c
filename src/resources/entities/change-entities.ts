import type { Database, Writer } from "../../database/database.ts";
import { conflict, invalidFields, notFound } from "../../errors.ts";
import type { SentItem } from "../../http/collection.ts";
import { readFields } from "../../http/fields/fields.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { changedEntityFields, newEntityFields, replacedEntityFields } from "./fields.ts";
import { isInUse } from "./occurrence-store.ts";
import { type Sent, different, readSent, valuesIn } from "./sent.ts";
import { type EntityRow, findEntity, lockEntities, lockWikidataIds, entityRows } from "./store.ts";

/** Adds all entities of a request, or none. Returns them in the order of the request. */
export async function createEntities(
  database: Database,
  viewer: SignedInViewer,
  sent: Sent,
): Promise<EntityRow[]> {
  return database.write(async (writer) => {
    const named = valuesIn(sent, "wikidata_id", newEntityFields.wikidata_id);
    const taken = await lockWikidataIds(writer, database, named);
    const isTakenMessage = "entity with this wikidata id already exists.";
    const table = {
      ...newEntityFields,
      wikidata_id: different(newEntityFields.wikidata_id, taken, isTakenMessage),
    };
    const now = timestampNow();
    const entities = readSent(sent, (members) => {
      const values = readFields(table, members, "whole");
      // Each of these is required or has a default.
      const { wikidata_id = "", name = "", description = "", wikipedia_url = "", metadata = {} } = values;
      return {
        user_id: viewer.id,
        wikidata_id,
        name: name === "" ? wikidata_id : name,
        description,
        wikipedia_url,
        metadata: JSON.stringify(metadata),
        created_at: now,
        updated_at: now,
      };
    });
    const rows: EntityRow[] = [];
    for (const entity of entities) rows.push(await entityRows.add(writer, entity));
    return rows;
  });
}

/** Replaces an entity, or changes the fields that were sent. */
export async function changeEntity(
  writer: Writer,
  before: EntityRow,
  { members, extent }: SentItem,
): Promise<EntityRow> {
  const sentId = members.get("wikidata_id");
  if (sentId !== undefined && sentId !== before.wikidata_id) {
    throw invalidFields({ wikidata_id: ["You may not update `wikidata_id`"] });
  }
  const table = extent === "whole" ? replacedEntityFields : changedEntityFields;
  const { name, metadata, ...values } = readFields(table, members, extent);
  return entityRows.change(writer, before, {
    ...values,
    ...(name !== undefined && { name: name === "" ? before.wikidata_id : name }),
    ...(metadata !== undefined && { metadata: JSON.stringify(metadata) }),
    updated_at: timestampNow(),
  });
}

/** Deletes an entity. Throws 409 if a document has it. */
export async function removeEntity(writer: Writer, { id }: EntityRow): Promise<void> {
  if (await isInUse(writer, id)) throw conflict("There are documents that have this entity.");
  await entityRows.remove(writer, { id });
}

/** The entity, locked until the transaction ends. Throws 404 if there is no such entity. */
export async function lockEntity(writer: Writer, database: Database, id: number): Promise<EntityRow> {
  await lockEntities(writer, database, [id]);
  const row = await findEntity(writer, id);
  if (row === null) throw notFound();
  return row;
}
