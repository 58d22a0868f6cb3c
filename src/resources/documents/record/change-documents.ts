import { busyStatuses } from "../../document-states.ts";
import type { Context } from "../../../context.ts";
import type { Writer } from "../../../database/database.ts";
import { invalidFields, invalidRequest, notFound, permissionDenied } from "../../../errors.ts";
import type { Members } from "../../../http/request/body.ts";
import { type Condition, checkCondition } from "../../../http/request/entity-tag.ts";
import { type Extent, type Values, readFields, readList } from "../../../http/fields/fields.ts";
import { integer, unknownKey } from "../../../http/fields/field-kinds.ts";
import { timestampNow } from "../../../http/text/timestamp.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { mayChangeOwner, mayEdit, mayView } from "../access.ts";
import { notifyOpened } from "../../mails/notify-people.ts";
import { mayGiveTo, organizationIsThere, updateDocument } from "./change-store.ts";
import { filesThere } from "../files/files-there.ts";
import type { DocumentData } from "../data-field.ts";
import { findRoots } from "../families/family-store.ts";
import { followedIn, refuseFollowing } from "../families/refusals.ts";
import { changedFields, type onlyForNew, ownerFields, replacedFields } from "./fields.ts";
import { type Changes, addHistory } from "../history-store.ts";
import type { PageChange } from "../pages/page-fields.ts";
import { putPages } from "../pages/page-store.ts";
import type { Publisher } from "./publisher.ts";
import { type DocumentRow, accessFacts, lockDocumentRows } from "../store.ts";

/** Without the fields that exist only to be refused, which have no value. */
type DocumentChange = Omit<Values<typeof changedFields & typeof ownerFields>, keyof typeof onlyForNew>;

/**
 * Locks the document until the transaction ends. Throws 404, 403 or 412 unless the viewer may change it and `If-Match`
 * holds.
 */
export async function lockEditable(
  writer: Writer,
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  id: number,
  condition: Condition<DocumentRow> | null,
  refusal?: string,
): Promise<DocumentRow> {
  const [row] = await lockDocumentRows(writer, database.dialect, viewer, [id]);
  if (row === undefined || !mayView(viewer, accessFacts(row))) throw notFound();
  if (!mayEdit(viewer, accessFacts(row))) throw permissionDenied(refusal);
  if (condition !== null) checkCondition(row, condition);
  return row;
}

/** Changes one document. Returns its new row. */
export async function changeDocument(
  context: Pick<Context, "config" | "database" | "files">,
  publisher: Publisher,
  viewer: SignedInViewer,
  id: number,
  change: { members: Members; extent: Extent; condition: Condition<DocumentRow> },
): Promise<DocumentRow> {
  const { database } = context;
  const isThere = await filesThere(context, viewer, movesFile(change.members) ? [id] : [], "original");
  const row = await database.write(async (writer) => {
    const before = await lockEditable(writer, context, viewer, id, change.condition);
    const isOwner = mayChangeOwner(viewer, accessFacts(before));
    const values = readChange(change.members, change.extent, isOwner);
    checkFile(before, values, isThere);
    checkPages(before, values);
    checkRoot(before, values, await findRoots(writer, followedIn(values).length === 0 ? [] : [id]));
    await checkOwner(writer, viewer, values);
    await apply(writer, viewer, before, values);
    if (isOpened(before, values)) await notifyOpened(context, writer, [id], viewer.id);
    const [after] = await lockDocumentRows(writer, database.dialect, viewer, [id]);
    return after as DocumentRow;
  });
  if (row.publish_at !== null) await publisher.heed();
  return row;
}

/** Changes all documents that the items name, or none. Returns the new rows in order of ids. */
export async function changeDocuments(
  context: Pick<Context, "config" | "database" | "files">,
  publisher: Publisher,
  viewer: SignedInViewer,
  { value, extent }: { value: unknown; extent: Extent },
): Promise<DocumentRow[]> {
  const { database } = context;
  const items = readList(value, (members) => ({ id: readId(members), members }));
  const ids = [...new Set(items.map(({ id }) => id))];
  const moving = items.filter(({ members }) => movesFile(members)).map(({ id }) => id);
  const isThere = await filesThere(context, viewer, moving, "original");
  const rows = await database.write(async (writer) => {
    const found = await lockDocumentRows(writer, database.dialect, viewer, ids);
    const isWhole = found.length === ids.length && found.every((row) => mayEdit(viewer, accessFacts(row)));
    if (!isWhole) throw invalidRequest("Could not find all objects to update.");
    const isOwner = found.every((row) => mayChangeOwner(viewer, accessFacts(row)));
    const before = new Map(found.map((row) => [row.id, row]));
    const roots = await findRoots(writer, ids);
    const rowOf = (members: Members): DocumentRow => before.get(readId(members)) as DocumentRow;
    const changes = readList(value, (members) => {
      const values = readChange(members, extent, isOwner);
      checkFile(rowOf(members), values, isThere);
      checkPages(rowOf(members), values);
      checkRoot(rowOf(members), values, roots);
      return { row: rowOf(members), values };
    });
    for (const { values } of changes) await checkOwner(writer, viewer, values);
    // If two items name the same document, the last one wins.
    const last = new Map(changes.map(({ row, values }) => [row.id, { row, values }]));
    for (const { row, values } of last.values()) await apply(writer, viewer, row, values);
    const opened = [...last.values()].filter(({ row, values }) => isOpened(row, values));
    const openedIds = opened.map(({ row }) => row.id);
    await notifyOpened(context, writer, openedIds, viewer.id);
    return lockDocumentRows(writer, database.dialect, viewer, ids);
  });
  if (rows.some(({ publish_at }) => publish_at !== null)) await publisher.heed();
  return rows;
}

/** Whether more people may see the document after the change than before. */
function isOpened(before: DocumentRow, { access }: DocumentChange): boolean {
  const rank = ["invisible", "private", "organization", "public"];
  return access !== undefined && rank.indexOf(access) > rank.indexOf(before.access);
}

function readId(members: Members): number {
  return readFields({ id: bulkId }, members, "whole").id as number;
}

const bulkId = integer({ required: true });

function readChange(members: Members, extent: Extent, isOwner: boolean): DocumentChange {
  const table = extent === "whole" ? replacedFields : changedFields;
  return readFields(isOwner ? { ...table, ...ownerFields } : table, members, extent);
}

function movesFile(members: Members): boolean {
  return members.has("original_extension");
}

/**
 * The storage key of a file depends on its extension, so the extension is fixed once the file is stored. A document
 * with status `nofile` may have a stored file that has not been processed.
 */
function checkFile(
  row: DocumentRow,
  { original_extension }: DocumentChange,
  isThere: (row: DocumentRow) => boolean,
): void {
  if (original_extension === undefined || original_extension === row.original_extension) return;
  if (row.status === "nofile" && !isThere(row)) return;
  throw invalidFields({ original_extension: ["It may not be changed once the document has a file."] });
}

/** Page texts can be changed only for existing pages, and not while the document is being processed. */
function checkPages(row: DocumentRow, { pages }: DocumentChange): void {
  if (pages === undefined || pages === null) return;
  if (busyStatuses.includes(row.status)) {
    throw invalidRequest("You may not update `pages` while the document is processing");
  }
  if (pages.every(({ page }) => page < row.page_count)) return;
  throw invalidFields({ pages: [`\`page_number\` must be less than ${row.page_count}`] });
}

/** A document that is part of another has the rights of its root. */
function checkRoot(row: DocumentRow, values: DocumentChange, roots: ReadonlyMap<number, number>): void {
  const root = roots.get(row.id);
  if (root === undefined) return;
  const present: Record<string, unknown> = { ...row, user: row.user_id, organization: row.organization_id };
  const differs = (name: string): boolean => !isSame(present[name], values[name as keyof DocumentChange]);
  refuseFollowing(followedIn(values).filter(differs), root);
}

async function checkOwner(
  writer: Writer,
  viewer: SignedInViewer,
  { user, organization }: DocumentChange,
): Promise<void> {
  const errors: Record<string, string[]> = {};
  if (user !== undefined && !(await mayGiveTo(writer, viewer, user))) {
    errors["user"] = [unknownKey(user).message];
  }
  if (organization !== undefined) {
    const isOwn = viewer.organizations.has(organization);
    const isAllowed = isOwn || (viewer.isAdministrator && (await organizationIsThere(writer, organization)));
    if (!isAllowed) errors["organization"] = [unknownKey(organization).message];
  }
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}

async function apply(
  writer: Writer,
  viewer: SignedInViewer,
  before: DocumentRow,
  { user, organization, data, pages, ...values }: DocumentChange,
): Promise<void> {
  if (pages !== undefined && pages !== null && pages.length > 0)
    await changePages(writer, viewer, before.id, pages);
  const columns = {
    ...values,
    ...(data !== undefined && { data: JSON.stringify(data) }),
    ...(user !== undefined && { user_id: user }),
    ...(organization !== undefined && { organization_id: organization }),
  };
  await changeRow(writer, viewer, before, columns);
}

async function changePages(
  writer: Writer,
  viewer: SignedInViewer,
  documentId: number,
  pages: readonly PageChange[],
): Promise<void> {
  await putPages(writer, documentId, pages);
  const numbers = pages.map(({ page }) => page);
  const changes: Changes = { pages: [null, numbers] };
  await addHistory(writer, [{ documentId, userId: viewer.id, action: "changed", changes }]);
}

type Column = keyof DocumentRow;

/** Writes these columns and records their changes in the history. A null user stands for Quire itself. */
export async function changeRow(
  writer: Writer,
  { id: userId }: { id: number | null },
  before: DocumentRow,
  columns: Partial<Record<Column, unknown>>,
): Promise<void> {
  const changed = Object.entries(columns).filter(([name, value]) => !isSame(before[name as Column], value));
  await updateDocument(writer, before.id, { ...Object.fromEntries(changed), updated_at: timestampNow() });
  if (changed.length === 0) return;
  const changes: Changes = Object.fromEntries(
    changed.map(([name, value]) => [
      memberOf(name),
      name === "data"
        ? dataChange(before.data, String(value))
        : [withType(before[name as Column], value), value],
    ]),
  );
  await addHistory(writer, [{ documentId: before.id, userId, action: "changed", changes }]);
}

function isSame(before: unknown, value: unknown): boolean {
  return typeof value === "boolean" ? Boolean(before) === value : before === value;
}

function memberOf(column: string): string {
  return column.replace(/^(user|organization)_id$/, "$1");
}

/** SQLite's booleans are numbers. The history records booleans, as the API shows them. */
function withType(value: unknown, example: unknown): unknown {
  return typeof example === "boolean" ? Boolean(value) : value;
}

/** The keys that differ. Recording all of the data for each change of a key would soon outgrow everything else. */
function dataChange(before: string, after: string): [DocumentData, DocumentData] {
  const [from, to] = [JSON.parse(before) as DocumentData, JSON.parse(after) as DocumentData];
  const isUnchanged = ([key, values]: [string, string[]]): boolean =>
    JSON.stringify(from[key]) === JSON.stringify(values) &&
    JSON.stringify(to[key]) === JSON.stringify(values);
  const changed = (data: DocumentData): DocumentData =>
    Object.fromEntries(Object.entries(data).filter((entry) => !isUnchanged(entry)));
  return [changed(from), changed(to)];
}
