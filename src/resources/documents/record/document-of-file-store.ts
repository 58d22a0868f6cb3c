import type { Database, Writer } from "../../../database/database.ts";
import type { Dialect } from "../../../database/dialect.ts";
import { reserveId } from "../../../database/reserved-ids.ts";
import { enqueue } from "../../../jobs/queue.ts";
import { indexTexts } from "../../../search/text-index.ts";
import { processJob } from "../file-facts-store.ts";
import { type ArrivedFile, findDocumentsOfFile, noteArrival } from "../files/received-file-store.ts";
import { describingParts } from "../indexed-fields.ts";
import type { DocumentToPut } from "./new-rows-store.ts";

/** Reserves an id for a new document. It stays unused if the document is never added. */
export async function reserveDocumentId(database: Database): Promise<number> {
  return database.write((writer) => reserveId(writer, database.dialect, "documents"));
}

/**
 * Adds the document of a file that is in the store under the document's id, and has it processed. Does nothing if the
 * file has a document by now ("known"), or if an imported record has taken the id meanwhile ("taken").
 */
export async function addDocumentOfFile(
  writer: Writer,
  dialect: Dialect,
  { values, projects }: DocumentToPut,
  file: ArrivedFile,
): Promise<"added" | "known" | "taken"> {
  await dialect.lockForWriting("documents")?.execute(writer);
  const known = await findDocumentsOfFile(writer, file.sha1, values.original_extension);
  if (known.length > 0) return "known";
  const added = await writer
    .insertInto("documents")
    .values(values)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) return "taken";
  await indexTexts(writer, describingParts(values.id, values), { areNew: true });
  await noteArrival(writer, values.id, file, { isRead: true });
  const { id: subject, user_id: owner } = values;
  await enqueue(writer, { kind: processJob, subject, owner, urgency: "bulk" });
  for (const project of projects) await joinProject(writer, values.id, project);
  return "added";
}

/** Adds a document to a project, without sharing it with the collaborators. Returns false if it was in it already. */
export async function joinProject(writer: Writer, document_id: number, project_id: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await writer
    .insertInto("project_memberships")
    .values({ document_id, project_id, edit_access: false })
    .onConflict((conflict) => conflict.columns(["document_id", "project_id"]).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function hasDocuments({ reader }: Database): Promise<boolean> {
  const found = await reader.selectFrom("documents").select("id").limit(1).execute();
  return found.length > 0;
}
