import { type CorrectedMentions, type MentionKind, mentionKinds } from "../../../contract/search.ts";
import type { Database, Writer } from "../../../database/database.ts";
import { invalidFields, permissionDenied } from "../../../errors.ts";
import { choice, text } from "../../../http/fields/field-kinds.ts";
import { readFields } from "../../../http/fields/fields.ts";
import type { Members } from "../../../http/request/body.ts";
import type { Query } from "../../../http/request/query.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { maxValueLength, mentionValue } from "../../../recognisers/values.ts";
import { planSearch } from "../../../search/plan.ts";
import { mayEdit } from "../access.ts";
import { addHistory } from "../history-store.ts";
import { type Correction, correctValue } from "../pages/correction-store.ts";
import { findMentionsAgain } from "../pages/mention-store.ts";
import { lockParent } from "../parent-document.ts";
import { type SearchedNotes, orUnavailable, timeLimitSeconds } from "../search/search-documents.ts";
import { readSearch } from "../search/search-request.ts";
import { accessFacts, lockDocumentRows } from "../store.ts";
import { type CorrectableRequest, findCorrectable } from "./correctable-store.ts";

/** The members of a body that corrects a value. */
export const correctionFields = {
  kind: choice<MentionKind, { required: true; label: string }>(mentionKinds, {
    required: true,
    label: "Kind",
  }),
  value: text({
    required: true,
    maxLength: maxValueLength,
    label: "Value",
    help: "As the list of mentions has it",
    example: "ada@example.org",
  }),
  becomes: text({
    required: true,
    nullable: true,
    maxLength: maxValueLength,
    label: "Becomes",
    help: "The value that it is, in any way to write it; null if it is no mention; itself: as recognised",
    example: "ada.lovelace@example.org",
  }),
};

/** @throws {ApiError} 400 */
export function readCorrection(members: Members): Correction {
  const { kind = "email", value = "", becomes = null } = readFields(correctionFields, members, "whole");
  if (becomes === null || becomes === value) return { kind, value, becomes };
  const meant = mentionValue(kind, becomes);
  const isDay = kind !== "birth_date" || (meant !== null && /^\d{4}-\d\d-\d\d$/.test(meant));
  if (meant === null || !isDay)
    throw invalidFields({ becomes: [`"${becomes}" is no value of the kind ${kind}`] });
  return { kind, value, becomes: meant };
}

/** How many documents one request corrects. */
export const maxCorrected = 500;

/**
 * Corrects a value in a document. Throws 404 or 403 unless the viewer may change it, and 400 if it does not mention the
 * value.
 */
export async function correctInDocument(
  database: Database,
  viewer: SignedInViewer,
  id: number,
  members: Members,
): Promise<void> {
  await database.write(async (writer) => {
    const { isEditable } = await lockParent(writer, database.dialect, viewer, id);
    if (!isEditable) throw permissionDenied();
    const correction = readCorrection(members);
    const changed = await correct(writer, viewer, [id], correction);
    if (changed === 0) throw invalidFields({ value: ["The document does not mention this"] });
  });
}

/** Access to the documents of a search. */
export interface Searched {
  viewer: SignedInViewer;
  notes: SearchedNotes;
  query: Query;
}

/**
 * The documents of a search that the viewer may change and that have a value, one more than {@link maxCorrected} at
 * most. Throws 503 if the search takes too long.
 */
export async function findInSearch(
  database: Database,
  { viewer, notes, query }: Searched,
  value: Pick<CorrectableRequest, "kind" | "value" | "state">,
): Promise<number[]> {
  const search = readSearch(query, viewer);
  return orUnavailable(async () => {
    const plan = await planSearch(search.query);
    const request = { ...value, limit: maxCorrected + 1 };
    return findCorrectable(database, viewer, notes.condition, plan, request, timeLimitSeconds);
  });
}

/**
 * Corrects a value in those documents of a search that mention it and that the viewer may change, up to
 * {@link maxCorrected} of them; or makes it as recognised in those in which it was corrected. Returns how many these
 * were, and whether there are more.
 */
export async function correctInSearch(
  database: Database,
  searched: Searched,
  members: Members,
): Promise<CorrectedMentions> {
  const correction = readCorrection(members);
  const { kind, value, becomes } = correction;
  const { viewer } = searched;
  const state = becomes === value ? "corrected" : "mentioned";
  const found = await findInSearch(database, searched, { kind, value, state });
  const ids = found.slice(0, maxCorrected);
  const documents = await database.write(async (writer) => {
    const rows = await lockDocumentRows(writer, database.dialect, viewer, ids);
    const own = rows.filter((row) => mayEdit(viewer, accessFacts(row))).map(({ id }) => id);
    return correct(writer, viewer, own, correction);
  });
  return { documents, more: found.length > maxCorrected };
}

/** Corrects a value in locked documents. Returns in how many of them. The history names no value. */
async function correct(
  writer: Writer,
  viewer: SignedInViewer,
  documents: readonly number[],
  correction: Correction,
): Promise<number> {
  const { kind, value, becomes } = correction;
  const { changed, incomplete } = await correctValue(writer, documents, correction);
  await findMentionsAgain(writer, incomplete);
  const to = becomes === null ? "rejected" : becomes === value ? "recognised" : "merged";
  const changes = { mentions: [kind, to] } as const;
  await addHistory(
    writer,
    changed.map((documentId) => ({ documentId, userId: viewer.id, action: "changed", changes })),
  );
  return changed.length;
}
