import { type Insertable, sql } from "kysely";
import packageJson from "../../../package.json" with { type: "json" };
import type { Writer } from "../../database/database.ts";
import { hasRow, removeRows, rowsOf, valueOf } from "../../database/rows.ts";
import type { ImportEnd, ImportFilesTable, ImportsTable } from "../../database/tables.ts";
import { timestampNow } from "../../http/text/timestamp.ts";

/*
 * Writes what people see of imports: see migrations/baseline/imports.ts.
 */

export type ImportOutcome = ImportFilesTable["outcome"];

/** What became of a file. */
export interface ImportedFile {
  path: string;
  outcome: ImportOutcome;
  document?: number;
  /** The archive that could not give it out. */
  container?: number;
  reason?: string;
}

export type ImportCounts = Record<ImportOutcome, number>;

export const noCounts: ImportCounts = { added: 0, changed: 0, known: 0, skipped: 0, failed: 0 };

/** Begins an import, and returns its id. */
export async function beginImport(
  writer: Writer,
  about: Pick<Insertable<ImportsTable>, "kind" | "name" | "seen" | "user_id" | "document_id">,
): Promise<number> {
  const now = timestampNow();
  const row = {
    version: packageJson.version,
    started_at: now,
    updated_at: now,
    ended_at: null,
    outcome: null,
  };
  const { id } = await writer
    .insertInto("imports")
    .values({ ...about, ...row })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Begins the import of what is in an archive or a mailbox, or goes on with it. */
export async function openImportOf(writer: Writer, documentId: number): Promise<void> {
  const now = timestampNow();
  const again = { ended_at: null, outcome: null, updated_at: now, version: packageJson.version };
  await writer
    .insertInto("imports")
    .values({
      kind: "container",
      name: "",
      user_id: null,
      document_id: documentId,
      started_at: now,
      ...again,
    })
    .onConflict((conflict) => conflict.column("document_id").doUpdateSet(again))
    .execute();
  await countFilesOf(writer, documentId);
}

/** The import of what is in an archive or a mailbox; null for another document. */
export async function findImportOf(
  reader: Pick<Writer, "selectFrom">,
  documentId: number,
): Promise<number | null> {
  return valueOf(reader, "imports", "id", { document_id: documentId });
}

const filesThat = (outcome: ImportOutcome) => sql<number>`(select count(*) from import_files
  where import_id = imports.id and outcome = ${outcome})`;

/** Counts what has become of the files in an archive or a mailbox: those that never arrived are gone. */
async function countFilesOf(writer: Writer, documentId: number): Promise<void> {
  await writer
    .updateTable("imports")
    .set({ added: filesThat("added"), skipped: filesThat("skipped"), failed: filesThat("failed") })
    .where("document_id", "=", documentId)
    .execute();
}

/** Whether a container in an import could not give something out. */
export async function hasLeftOut(reader: Pick<Writer, "selectFrom">, container: number): Promise<boolean> {
  return hasRow(reader, "import_files", { container_id: container });
}

/** Removes the names of what a container could not give out. */
export async function forgetLeftOut(writer: Writer, container: number): Promise<void> {
  await removeRows(writer, "import_files", { container_id: container });
}

/** What a container could not give out, with the reasons, in its order. */
export async function findLeftOut(
  reader: Pick<Writer, "selectFrom">,
  container: number,
): Promise<{ path: string; reason: string }[]> {
  const rows = await reader
    .selectFrom("import_files")
    .select(["path", "reason"])
    .where("container_id", "=", container)
    .where("outcome", "=", "skipped")
    .orderBy("id")
    .execute();
  return rows.map(({ path, reason }) => ({ path, reason: reason ?? "" }));
}

/** Replaces some of what a container in the import could not give out. */
export async function replaceLeftOut(
  writer: Writer,
  importId: number,
  container: number,
  {
    files,
    isReplaced,
  }: { files: readonly ImportedFile[]; isReplaced: (row: Pick<ImportedFile, "path" | "outcome">) => boolean },
): Promise<void> {
  const before = await rowsOf(writer, "import_files", { container_id: container, import_id: importId });
  const gone = before.filter(isReplaced);
  const ids = gone.map(({ id }) => id);
  for (let start = 0; start < ids.length; start += rowsAtOnce) {
    const some = ids.slice(start, start + rowsAtOnce);
    await writer.deleteFrom("import_files").where("id", "in", some).execute();
  }
  await addImportedFiles(writer, importId, files);
  const more = (outcome: ImportOutcome): number => {
    const count = (of: readonly Pick<ImportedFile, "outcome">[]): number =>
      of.filter((file) => file.outcome === outcome).length;
    return count(files) - count(gone);
  };
  await addToImport(writer, importId, { skipped: more("skipped"), failed: more("failed") });
}

/** Ends the import of what is in an archive or a mailbox. What is in the things in it may still come. */
export async function endImportOf(writer: Writer, documentId: number, outcome: ImportEnd): Promise<void> {
  const id = await findImportOf(writer, documentId);
  if (id === null) return;
  await countFilesOf(writer, documentId);
  await endImport(writer, id, outcome);
}

const rowsAtOnce = 500;

export async function addImportedFiles(
  writer: Writer,
  importId: number,
  files: readonly ImportedFile[],
): Promise<void> {
  const rows = files.map(({ path, outcome, document, container, reason }) => ({
    import_id: importId,
    // It may have been deleted meanwhile.
    document_id: sql<number | null>`(select id from documents where id = ${document ?? null})`,
    container_id: container ?? null,
    path: path.toWellFormed().replaceAll("\0", "�"),
    extension: extensionIn(path),
    outcome,
    reason: reason ?? null,
  }));
  for (let start = 0; start < rows.length; start += rowsAtOnce)
    await writer
      .insertInto("import_files")
      .values(rows.slice(start, start + rowsAtOnce))
      .execute();
}

/** Adds to the counts of an import, which is alive. */
export async function addToImport(
  writer: Writer,
  importId: number,
  more: Partial<ImportCounts>,
): Promise<void> {
  const { added, changed, known, skipped, failed } = { ...noCounts, ...more };
  await sql`update imports set added = added + ${added}, changed = changed + ${changed}, known = known + ${known},
    skipped = skipped + ${skipped}, failed = failed + ${failed}, updated_at = ${timestampNow()}
    where id = ${importId}`.execute(writer);
}

export async function endImport(writer: Writer, importId: number, outcome: ImportEnd): Promise<void> {
  const now = timestampNow();
  await writer
    .updateTable("imports")
    .set({ outcome, ended_at: now, updated_at: now })
    .where("id", "=", importId)
    .execute();
}

/** The extension of a file by its name, in lower case. Empty for a name that has none, or a strange one. */
function extensionIn(path: string): string {
  return /\.([a-z\d]{1,10})$/i.exec(path)?.[1]?.toLowerCase() ?? "";
}
