import { describingNames } from "../../../contract/describing-fields.ts";
import { documentLimits } from "../../../contract/limits.ts";
import type { Context } from "../../../context.ts";
import { actionRefused, notFound, permissionDenied } from "../../../errors.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { mayEdit, mayEditDocumentsOf } from "../access.ts";
import { refuseHiding } from "../families/refusals.ts";
import { setStatus } from "../file-facts-store.ts";
import { filesThere } from "../files/files-there.ts";
import { addRewrite } from "../processing/rewrite-store.ts";
import { createDocuments, readNewDocument } from "../record/create-documents.ts";
import type { Publisher } from "../record/publisher.ts";
import { accessFacts, findDocument, idsIn } from "../store.ts";
import { addCopy } from "./copies-store.ts";
import { readCopy } from "./redaction-fields.ts";
import { findReasons } from "../withheld/reason-store.ts";
import { lockIdle, notEditable, withoutPdf } from "./start-rewriting.ts";

/**
 * Creates a document that becomes a redacted copy of another, and queues the work. The other document stays as it is
 * meanwhile. The copy has its describing fields, and is in those of its projects whose documents the viewer may edit.
 * Returns the id of the copy.
 */
export async function startCopying(
  context: Pick<Context, "database" | "files" | "jobs">,
  publisher: Publisher,
  viewer: SignedInViewer,
  id: number,
  value: unknown,
): Promise<number> {
  const { database } = context;
  const isThere = await filesThere(context, viewer, [id], "pdf");
  const original = await findDocument(database, viewer, id);
  if (original === null) throw notFound();
  if (!mayEdit(viewer, accessFacts(original))) throw permissionDenied(notEditable);
  const wanted = readCopy(value, { ...original, reasons: await findReasons(database.reader) });
  const projects = idsIn(original.sharing_projects).filter((project) => mayEditDocumentsOf(viewer, project));
  const members = new Map<string, unknown>([
    ...describingNames.map((name) => [name, original[name]] as const),
    ["title", wanted.title ?? `${original.title.slice(0, maxTitle)} (redacted)`],
    ["access", wanted.access],
    ["data", JSON.parse(original.data)],
    ["language", original.language],
    ["noindex", Boolean(original.noindex)],
    ["projects", projects],
  ]);
  const document = readNewDocument(viewer, members);
  const [copy] = await createDocuments(context, publisher, viewer, [document], async (writer, copyId) => {
    const row = await lockIdle(context, writer, viewer, id);
    if (wanted.original_access !== undefined) await refuseHiding(writer, id);
    if (!isThere(row)) throw withoutPdf(row);
    const fileHash = row.file_hash;
    if (fileHash !== original.file_hash) throw actionRefused(`Document ${id} has another file by now`);
    await setStatus(writer, copyId, { to: "pending" });
    await addCopy(writer, copyId, { id, fileHash, access: wanted.original_access ?? null });
    const { plan } = wanted;
    await addRewrite(writer, copyId, { kind: "redact", userId: viewer.id, plan, statusBefore: "error" });
  });
  context.jobs.notify();
  return copy?.id ?? 0;
}

/** Leaves room for the addition to the title of a copy. */
const maxTitle = documentLimits.title - 20;
