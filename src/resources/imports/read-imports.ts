import type { Import, ImportFile, ImportProgress } from "../../contract/work.ts";
import { importFileStates } from "../../contract/work.ts";
import type { Context } from "../../context.ts";
import { invalidFields, notFound } from "../../errors.ts";
import { textIn } from "../../http/request/list-filters.ts";
import type { Query } from "../../http/request/query.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { type DocumentRow, findDocument, findVisibleDocuments } from "../documents/store.ts";
import { maySeeImport } from "./access.ts";
import { presentImport, presentImportFile, presentProgress, recentTime } from "./present.ts";
import {
  type FileFilter,
  type ImportFileRow,
  type ImportRow,
  countImportFiles,
  findImport,
  findLastFailures,
  stateOf,
} from "./store.ts";

/** An import that the viewer may see, with the archive that it is about. Throws 404 for any other. */
export async function getImport(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  id: number,
): Promise<{ row: ImportRow; document: DocumentRow | null }> {
  const row = await findImport(database.reader, id);
  if (row === null) throw notFound();
  const document = row.document_id === null ? null : await findDocument(database, viewer, row.document_id);
  if (!maySeeImport(viewer, row, document)) throw notFound();
  return { row, document };
}

export async function getProgress(
  context: Pick<Context, "database">,
  viewer: SignedInViewer,
  id: number,
): Promise<ImportProgress> {
  const { row, document } = await getImport(context, viewer, id);
  return presentProgress(row, document, await countImportFiles(context.database.reader, id, recentTime()));
}

export async function presentImports(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  rows: readonly ImportRow[],
): Promise<Import[]> {
  const ids = rows.flatMap(({ document_id }) => document_id ?? []);
  const documents = new Map((await findVisibleDocuments(database, viewer, ids)).map((row) => [row.id, row]));
  return rows.map((row) => presentImport(row, documents.get(row.document_id ?? 0) ?? null));
}

/** The files as the viewer may see them: those whose document they may not see any more are left out. */
export async function presentFiles(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  web: string,
  rows: readonly ImportFileRow[],
): Promise<ImportFile[]> {
  const ids = rows.flatMap(({ document_id }) => document_id ?? []);
  const documents = new Map((await findVisibleDocuments(database, viewer, ids)).map((row) => [row.id, row]));
  const unread = rows.flatMap((row) => (stateOf(row) === "unreadable" ? (row.document_id ?? []) : []));
  const failures = await findLastFailures(
    database.reader,
    unread.filter((id) => documents.has(id)),
  );
  return rows.flatMap((row) => {
    const document = documents.get(row.document_id ?? 0) ?? null;
    const isHidden = row.document_id !== null && document === null;
    const failure = failures.get(row.document_id ?? 0) ?? null;
    return isHidden ? [] : [presentImportFile(row, { document, failure, web })];
  });
}

/** Which files a request asks for. Throws 400 for a state that there is not. */
export function filterIn(query: Query): FileFilter {
  const states = query.list("state").map((text) => {
    const state = importFileStates.find((one) => one === text);
    if (state !== undefined) return state;
    const message = `Select a valid choice. ${text} is not one of the available choices.`;
    throw invalidFields({ state: [message] });
  });
  return { states, extension: textIn(query, "extension")?.toLowerCase() };
}
