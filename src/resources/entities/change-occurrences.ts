import type { Context } from "../../context.ts";
import type { Writer } from "../../database/database.ts";
import { invalidFields, notFound, permissionDenied } from "../../errors.ts";
import type { Members } from "../../http/request/body.ts";
import { type Extent, type Field, readFields, unknownKey } from "../../http/fields/fields.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { type ParentDocument, lockParent } from "../documents/parent-document.ts";
import { type Condition, checkCondition } from "../projects/change-projects.ts";
import { mayChangeOccurrences } from "./access.ts";
import { changedOccurrenceFields, newOccurrenceFields, replacedOccurrenceFields } from "./fields.ts";
import {
  type OccurrenceRow,
  deleteOccurrence,
  findEntityIdsOf,
  findOccurrence,
  insertOccurrence,
  updateOccurrence,
} from "./occurrence-store.ts";
import { type Sent, different, readSent, valuesIn } from "./sent.ts";
import { lockEntities } from "./store.ts";

export interface OccurrenceIds {
  document: number;
  entity: number;
}

/** Adds all entities of a request to a document, or none. Returns them in the order of the request. */
export async function createOccurrences(
  dependencies: Pick<Context, "database">,
  viewer: SignedInViewer,
  documentId: number,
  sent: Sent,
): Promise<OccurrenceRow[]> {
  const { database } = dependencies;
  return database.write(async (writer) => {
    const document = await lockEditable(writer, dependencies, viewer, documentId);
    const { entity, ...table } = newOccurrenceFields(document);
    const named = valuesIn(sent, "entity", entity);
    const known = await lockEntities(writer, database, named);
    const own = await findEntityIdsOf(writer, database, document.id, named);
    const fresh = different(restrictedTo(entity, known), own, "The document has this entity already.");
    const occurrences = readSent(sent, (members) => {
      const values = readFields({ entity: fresh, ...table }, members, "whole");
      return {
        document_id: document.id,
        // Each of these is required or has a default.
        entity_id: values.entity ?? 0,
        relevance: values.relevance ?? 0,
        occurrences: JSON.stringify(values.occurrences ?? []),
      };
    });
    const rows: OccurrenceRow[] = [];
    for (const occurrence of occurrences) rows.push(await insertOccurrence(writer, occurrence));
    return rows;
  });
}

function restrictedTo<F extends Field<number>>(field: F, known: ReadonlySet<number>): F {
  return {
    ...field,
    read(value: unknown) {
      const id = field.read(value);
      if (!known.has(id)) throw unknownKey(id);
      return id;
    },
  };
}

/** Replaces an occurrence, or changes the fields that were sent. Its entity cannot change. */
export async function changeOccurrence(
  dependencies: Pick<Context, "database">,
  viewer: SignedInViewer,
  ids: OccurrenceIds,
  { members, extent, condition }: { members: Members; extent: Extent; condition: Condition<OccurrenceRow> },
): Promise<OccurrenceRow> {
  return dependencies.database.write(async (writer) => {
    const document = await lockEditable(writer, dependencies, viewer, ids.document);
    const before = await getOccurrence(writer, ids, condition);
    const sentEntity = members.get("entity");
    if (
      sentEntity !== undefined &&
      sentEntity !== before.entity_id &&
      sentEntity !== String(before.entity_id)
    ) {
      throw invalidFields({ entity: ["You may not update `entity`"] });
    }
    const table = extent === "whole" ? replacedOccurrenceFields(document) : changedOccurrenceFields(document);
    const { relevance = before.relevance, occurrences } = readFields(table, members, extent);
    const after = {
      relevance,
      occurrences: occurrences === undefined ? before.occurrences : JSON.stringify(occurrences),
    };
    await updateOccurrence(writer, before.id, after);
    return { ...before, ...after };
  });
}

/** Removes an entity from a document. */
export async function removeOccurrence(
  dependencies: Pick<Context, "database">,
  viewer: SignedInViewer,
  ids: OccurrenceIds,
  condition: Condition<OccurrenceRow>,
): Promise<void> {
  await dependencies.database.write(async (writer) => {
    await lockEditable(writer, dependencies, viewer, ids.document);
    const { id } = await getOccurrence(writer, ids, condition);
    await deleteOccurrence(writer, id);
  });
}

/**
 * Locks the document and its entities until the transaction ends. Throws 404 or 403 unless the viewer may change it.
 */
async function lockEditable(
  writer: Writer,
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  id: number,
): Promise<ParentDocument> {
  const document = await lockParent(writer, database.dialect, viewer, id);
  if (mayChangeOccurrences(viewer, document)) return document;
  throw permissionDenied("You do not have permission to edit entities on this document");
}

async function getOccurrence(
  writer: Writer,
  { document, entity }: OccurrenceIds,
  condition: Condition<OccurrenceRow>,
): Promise<OccurrenceRow> {
  const row = await findOccurrence(writer, document, entity);
  if (row === null) throw notFound();
  checkCondition(row, condition);
  return row;
}
