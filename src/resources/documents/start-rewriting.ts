import type { Context } from "../../context.ts";
import type { Writer } from "../../database/database.ts";
import { undoable } from "../../errors.ts";
import { documentFileKey } from "../../files/keys.ts";
import type { SignedInViewer } from "../../http/viewer.ts";
import { mayView } from "./access.ts";
import { lockEditable } from "./change-documents.ts";
import { busyStatuses, setStatus } from "./processing-store.ts";
import { type PageSource, documentsNamed, readModifications, readRedactions } from "./rewrite-fields.ts";
import { type PageBox, addRewrite } from "./rewrite-store.ts";
import { type DocumentRow, accessFacts, lockDocumentRows } from "./row-store.ts";

type Storage = Pick<Context, "database" | "files" | "jobs">;

/** Has boxes on pages blackened, and what is under them removed; the boxes. */
export async function startRedacting(
  context: Storage,
  viewer: SignedInViewer,
  id: number,
  value: unknown,
): Promise<PageBox[]> {
  const boxes = await context.database.write(async (writer) => {
    const row = await lockIdle(context, writer, viewer, id);
    const plan = readRedactions(value, row);
    await checkFile(context, row);
    await setStatus(writer, id, { to: "pending" });
    await addRewrite(writer, id, { kind: "redact", userId: viewer.id, plan });
    return plan;
  });
  context.jobs.ring();
  return boxes;
}

/** Has the pages of a document removed, moved, turned, or others put between them; the list as it was understood. */
export async function startModifying(
  context: Storage,
  viewer: SignedInViewer,
  id: number,
  value: unknown,
): Promise<Record<string, unknown>[]> {
  const { database } = context;
  const items = await database.write(async (writer) => {
    const own = await lockIdle(context, writer, viewer, id);
    const named = documentsNamed(value).filter((one) => one !== id);
    const others = (await lockDocumentRows(writer, database.dialect, viewer, named)).filter((row) =>
      mayView(viewer, accessFacts(row)),
    );
    const sources = new Map<number, PageSource>([own, ...others].map((row) => [row.id, row]));
    const read = readModifications(value, own, sources);
    for (const row of [own, ...others]) await checkFile(context, row);
    for (const row of others) {
      if (row.status !== "success") throw undoable(`Document ${row.id} is not ready to take pages from`);
    }
    await setStatus(writer, id, { to: "pending" });
    const plan = read.flatMap(({ pages }) => pages);
    await addRewrite(writer, id, { kind: "modify", userId: viewer.id, plan });
    return read;
  });
  context.jobs.ring();
  return items.map(({ shown }) => shown);
}

/** The document, which the viewer may change, and with whose file nothing is being done. */
async function lockIdle(
  context: Storage,
  writer: Writer,
  viewer: SignedInViewer,
  id: number,
): Promise<DocumentRow> {
  const row = await lockEditable(writer, context, viewer, id, null, "You may not edit this document");
  if (busyStatuses.includes(row.status)) throw undoable("Already processing");
  return row;
}

async function checkFile({ files }: Storage, { id, slug, asset_url }: DocumentRow): Promise<void> {
  const mayBe = asset_url === null && /^[\w-]+$/.test(slug);
  if (mayBe && (await files.stat(documentFileKey(id, slug, "pdf"))) !== null) return;
  throw undoable(`There is no PDF of document ${id} to change`);
}
