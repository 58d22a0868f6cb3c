import type { Database, Writer } from "../../../database/database.ts";
import type { Dialect } from "../../../database/dialect.ts";
import { timestampNow } from "../../../http/text/timestamp.ts";
import { anonymous } from "../../../http/request/viewer.ts";
import { type DocumentData, maxData } from "../data-field.ts";
import { isMember } from "../../organizations/member-store.ts";
import { changeRow } from "../record/change-documents.ts";
import { updateDocument } from "../record/change-store.ts";
import { isFileInWork, isReadingUnbegun } from "../processing/file-work-store.ts";
import { addHistory, hasAccessInHistory } from "../history-store.ts";
import { findRewrite } from "../processing/rewrite-store.ts";
import { type DocumentRow, lockDocumentRows } from "../store.ts";
import { lockForPutting } from "../record/import-store.ts";
import { joinProject } from "../record/document-of-file-store.ts";

/** New values for a document that was made of a file before. Null leaves the document's value unchanged. */
export interface KnownDocumentChange {
  access: string | null;
  language: string | null;
  /** The new owner. If they do not belong to the document's organization, it moves to `ownOrganization`. */
  owner: { user: number; ownOrganization: number } | null;
  organization: number | null;
  projects: readonly number[];
}

/** An existing document cannot be changed as requested. The message says why. */
export class KnownDocumentError extends Error {
  override readonly name = "KnownDocumentError";
}

/**
 * Changes the existing document of a file. Returns whether anything has changed.
 *
 * @throws {KnownDocumentError}
 */
export async function changeKnownDocument(
  database: Database,
  ids: readonly number[],
  change: KnownDocumentChange,
): Promise<boolean> {
  if (Object.values(change).every((value) => value === null || isEmptyList(value))) return false;
  const [id] = ids;
  if (id === undefined || ids.length > 1) {
    throw new KnownDocumentError(
      `several documents were made of this file (${ids.join(", ")}): change them one by one`,
    );
  }
  const { dialect } = database;
  return database.write(async (writer) => {
    await lockForPutting(writer, dialect, { projects: change.projects, documents: [id] });
    const [row] = await lockDocumentRows(writer, dialect, anonymous, [id]);
    if (row === undefined) return false;
    const columns = await changedColumns(writer, dialect, row, change);
    const isChanged = Object.keys(columns).length > 0;
    if (isChanged) await changeRow(writer, { id: null }, row, columns);
    return (await joinProjects(writer, id, change.projects)) || isChanged;
  });
}

/**
 * Adds a path to those under which the file of a document has been found. Returns whether there are several now: the
 * first path of a document that has none is no news.
 */
export async function addPath(database: Database, id: number, path: string): Promise<boolean> {
  return database.write(async (writer) => {
    const [row] = await lockDocumentRows(writer, database.dialect, anonymous, [id]);
    if (row === undefined) return false;
    const before = JSON.parse(row.data) as DocumentData;
    const { path: paths = [] } = before;
    const data = JSON.stringify({ ...before, path: [...paths, path] });
    if (paths.includes(path) || Buffer.byteLength(data) > maxData) return false;
    await changeRow(writer, { id: null }, row, { data });
    return paths.length > 0;
  });
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

type Columns = Partial<Pick<DocumentRow, "access" | "language" | "organization_id" | "user_id">>;

async function changedColumns(
  writer: Writer,
  dialect: Dialect,
  row: DocumentRow,
  { access, language, owner, organization }: KnownDocumentChange,
): Promise<Columns> {
  const columns: Columns = {};
  if (access !== null && access !== row.access) {
    await checkAccess(writer, row, access);
    columns.access = access;
  }
  if (language !== null && language !== row.language) {
    await checkLanguage(writer, dialect, row);
    columns.language = language;
  }
  if (owner !== null && owner.user !== row.user_id) columns.user_id = owner.user;
  const to = organization ?? (await organizationWith(writer, row, owner));
  if (to !== row.organization_id) columns.organization_id = to;
  return columns;
}

/** The organization for the new owner. In another one, they could not change the document once it is public. */
async function organizationWith(
  writer: Writer,
  row: DocumentRow,
  owner: KnownDocumentChange["owner"],
): Promise<number> {
  const { organization_id: organization } = row;
  if (owner === null || owner.user === row.user_id) return organization;
  return (await isMember(writer, { organization, user: owner.user })) ? organization : owner.ownOrganization;
}

/** The access levels, from the fewest readers to the most. */
const levels = ["invisible", "private", "organization", "public"];

/**
 * An import may show a document to more people only if no user has decided otherwise: by choosing its access when they
 * created it, by changing its access since, or by requesting a redaction.
 */
async function checkAccess(writer: Writer, row: DocumentRow, access: string): Promise<void> {
  if (levels.indexOf(access) < levels.indexOf(row.access)) return;
  const name = `document ${row.id} of this file stays ${row.access}, not ${access}`;
  if ((await findRewrite(writer, row.id, "redact")) !== null) {
    throw new KnownDocumentError(`${name}: it is being redacted`);
  }
  if (row.access === "invisible" || (await hasAccessInHistory(writer, row.id))) {
    throw new KnownDocumentError(`${name}: its access was chosen elsewhere. Change it on its page`);
  }
}

/** The language cannot change once reading has begun: part of the text would have been read in the old language. */
async function checkLanguage(writer: Writer, dialect: Dialect, row: DocumentRow): Promise<void> {
  if (!(await isFileInWork(writer, row)) || (await isReadingUnbegun(writer, dialect, row.id))) return;
  throw new KnownDocumentError(
    `document ${row.id} of this file stays in language ${row.language || "unknown"} while it is being processed`,
  );
}

async function joinProjects(
  writer: Writer,
  documentId: number,
  projects: readonly number[],
): Promise<boolean> {
  let isChanged = false;
  for (const project of projects) {
    if (!(await joinProject(writer, documentId, project))) continue;
    isChanged = true;
    const changes = { project: [null, project], edit_access: [null, false] } as const;
    await updateDocument(writer, documentId, { updated_at: timestampNow() });
    await addHistory(writer, [{ documentId, userId: null, action: "shared", changes }]);
  }
  return isChanged;
}
