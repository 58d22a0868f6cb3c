import type { Database, Reader, Writer } from "../../../database/database.ts";
import { timestampNow } from "../../../http/text/timestamp.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { addHistory } from "../history-store.ts";
import { type DocumentRow, findVisibleDocuments } from "../store.ts";

/** The document of which another is to be the redacted copy. */
export interface OriginalOfCopy {
  id: number;
  /** SHA-1 of its PDF. */
  fileHash: string;
  /** The access that it gets once the copy is made; null to leave it as it is. */
  access: string | null;
}

export async function addCopy(writer: Writer, copyId: number, original: OriginalOfCopy): Promise<void> {
  const { id, fileHash, access } = original;
  const row = { copy_id: copyId, original_id: id, original_hash: fileHash, original_access: access };
  await writer.insertInto("redacted_copies").values(row).execute();
}

/** The original of a copy that is still to be made; null for any other document. */
export async function findOriginal(
  reader: Pick<Reader, "selectFrom">,
  copyId: number,
): Promise<OriginalOfCopy | null> {
  const row = await reader
    .selectFrom("redacted_copies")
    .select(["original_id", "original_hash", "original_access"])
    .where("copy_id", "=", copyId)
    .where("made_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) return null;
  return { id: row.original_id, fileHash: row.original_hash, access: row.original_access };
}

/** Notes that a copy has been made, and gives the original the access that was asked for. */
export async function endCopy(
  writer: Writer,
  copyId: number,
  { id, access }: OriginalOfCopy,
  userId: number,
): Promise<void> {
  await writer
    .updateTable("redacted_copies")
    .set({ made_at: timestampNow() })
    .where("copy_id", "=", copyId)
    .execute();
  if (access === null) return;
  const before = await writer
    .selectFrom("documents")
    .select("access")
    .where("id", "=", id)
    .executeTakeFirst();
  if (before === undefined || before.access === access || before.access === "invisible") return;
  await writer
    .updateTable("documents")
    .set({ access, updated_at: timestampNow() })
    .where("id", "=", id)
    .execute();
  const changes = { access: [before.access, access] as const };
  await addHistory(writer, [{ documentId: id, userId, action: "changed", changes }]);
}

/** The document of which this one is a redacted copy, and its redacted copies, as far as the viewer may see them. */
export async function findCopies(
  database: Database,
  viewer: Viewer,
  id: number,
): Promise<{ original: DocumentRow | null; copies: DocumentRow[] }> {
  const rows = await database.reader
    .selectFrom("redacted_copies")
    .select(["copy_id", "original_id"])
    .where((where) => where.or([where("copy_id", "=", id), where("original_id", "=", id)]))
    .orderBy("copy_id")
    .execute();
  const ids = rows.map(({ copy_id, original_id }) => (copy_id === id ? original_id : copy_id));
  const found = await findVisibleDocuments(database, viewer, ids);
  const originalId = rows.find(({ copy_id }) => copy_id === id)?.original_id;
  return {
    original: found.find((row) => row.id === originalId) ?? null,
    copies: found.filter((row) => row.id !== originalId),
  };
}
