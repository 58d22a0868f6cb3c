import type { Context } from "../../context.ts";
import { actionRefused, invalidFields, notFound } from "../../errors.ts";
import { readFields } from "../../http/fields/fields.ts";
import type { Members } from "../../http/request/body.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { mayEdit } from "../documents/access.ts";
import { addImportedFiles, addToImport, beginImport, endImport } from "../documents/import-run-store.ts";
import { accessFacts, findVisibleDocuments } from "../documents/store.ts";
import { reportFields, uploadFields } from "./fields.ts";
import { type ImportRow, findImport, lockImport } from "./store.ts";

/*
 * Imports of folders that a page or a program uploads file by file: it opens the import, and reports what has become of
 * the files. A report without files says that it is still there.
 */

/** Opens an import, and returns its id. */
export async function openUpload(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  members: Members,
): Promise<number> {
  const { name = "", seen = 0 } = readFields(uploadFields, members, "whole");
  return database.write((writer) =>
    beginImport(writer, { kind: "upload", name, seen, user_id: viewer.id, document_id: null }),
  );
}

/**
 * Notes what has become of files. A file whose document is not the viewer's, or is deleted by then, is counted only, as
 * if it had been noted before. A report whose answer was lost may be sent again: `reported` says what of it is new.
 *
 * @throws {ApiError} 404 if it is not an upload of the viewer, 400 if it has ended
 */
export async function reportUpload(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  id: number,
  members: Members,
): Promise<void> {
  checkOwn(viewer, await findImport(database.reader, id));
  const { files: sent = [], reported, ended } = readFields(reportFields, members, "whole");
  const named = [...new Set(sent.flatMap(({ document }) => document ?? []))];
  const seen = new Map((await findVisibleDocuments(database, viewer, named)).map((row) => [row.id, row]));
  const isOwn = ({ document, outcome }: (typeof sent)[number]): boolean => {
    if (document === undefined) return true;
    const row = seen.get(document);
    return row !== undefined && (outcome !== "added" || mayEdit(viewer, accessFacts(row)));
  };
  await database.write(async (writer) => {
    const row = checkOwn(viewer, await lockImport(writer, id));
    const files = reported === undefined ? sent : sent.slice(countedBeyond(row, reported));
    if (row.outcome !== null) {
      if (reported !== undefined && files.length === 0 && (sent.length > 0 || ended !== undefined)) return;
      throw actionRefused("The import has ended");
    }
    await addImportedFiles(writer, id, files.filter(isOwn));
    const count = (outcome: string): number => files.filter((file) => file.outcome === outcome).length;
    await addToImport(writer, id, {
      added: count("added"),
      known: count("known"),
      skipped: count("skipped"),
      failed: count("failed"),
    });
    if (ended !== undefined) await endImport(writer, id, ended);
  });
}

/** How many files of the import were counted beyond this number. */
function countedBeyond({ added, known, skipped, failed }: ImportRow, reported: number): number {
  const counted = added + known + skipped + failed;
  if (reported > counted) throw invalidFields({ reported: [`Only ${counted} files were reported before.`] });
  return counted - reported;
}

function checkOwn(viewer: SignedInViewer, row: ImportRow | null): ImportRow {
  if (row === null || row.user_id !== viewer.id || row.kind !== "upload") throw notFound();
  return row;
}
