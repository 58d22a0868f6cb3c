import type { Database, Writer } from "../../database/database.ts";
import { invalidFields, notFound, permissionDenied } from "../../errors.ts";
import type { SentItem } from "../../http/collection.ts";
import { type Field, readFields } from "../../http/fields/fields.ts";
import { unknownKey } from "../../http/fields/field-kinds.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { type ParentDocument, lockParent } from "../documents/parent-document.ts";
import { mayChangeOccurrences } from "./access.ts";
import { changedOccurrenceFields, newOccurrenceFields, replacedOccurrenceFields } from "./fields.ts";
import { type OccurrenceRow, findEntityIdsOf, findOccurrence, occurrenceRows } from "./occurrence-store.ts";
import { type Sent, different, readSent, valuesIn } from "./sent.ts";
import { lockEntities } from "./store.ts";

/** An entity of a document, and the document. */
export interface LocatedOccurrence {
  row: OccurrenceRow;
  document: ParentDocument;
}

/** Adds all entities of a request to a document, or none. Returns them in the order of the request. */
export async function createOccurrences(
  database: Database,
  viewer: SignedInViewer,
  documentId: number,
  sent: Sent,
): Promise<OccurrenceRow[]> {
  return database.write(async (writer) => {
    const document = await lockEditable(writer, database, viewer, documentId);
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
    for (const occurrence of occurrences) rows.push(await occurrenceRows.add(writer, occurrence));
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
  writer: Writer,
  { row: before, document }: LocatedOccurrence,
  { members, extent }: SentItem,
): Promise<LocatedOccurrence> {
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
  await occurrenceRows.change(writer, before, after);
  return { row: { ...before, ...after }, document };
}

/** The occurrence, with its document locked. Throws 404 or 403 unless the viewer may change it. */
export async function lockOccurrence(
  writer: Writer,
  database: Database,
  viewer: SignedInViewer,
  ids: { document: number; entity: number },
): Promise<LocatedOccurrence> {
  const document = await lockEditable(writer, database, viewer, ids.document);
  const row = await findOccurrence(writer, ids.document, ids.entity);
  if (row === null) throw notFound();
  return { row, document };
}

/**
 * Locks the document and its entities until the transaction ends. Throws 404 or 403 unless the viewer may change it.
 */
async function lockEditable(
  writer: Writer,
  { dialect }: Database,
  viewer: SignedInViewer,
  id: number,
): Promise<ParentDocument> {
  const document = await lockParent(writer, dialect, viewer, id);
  if (mayChangeOccurrences(viewer, document)) return document;
  throw permissionDenied("You do not have permission to edit entities on this document");
}
