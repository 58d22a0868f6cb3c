import type { Context } from "../../../context.ts";
import { documentFileKey } from "../../../files/keys.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { type DocumentRow, findDocumentRows } from "../store.ts";

/**
 * Checks which documents have their file in the store: the original, or the PDF. It runs before the transaction that
 * needs the answer, because inside it a slow store would make all writers wait. A document whose file key has changed
 * since then counts as having no file.
 */
export async function filesThere(
  { database, files }: Pick<Context, "database" | "files">,
  viewer: SignedInViewer,
  ids: readonly number[],
  which: "original" | "pdf",
): Promise<(row: DocumentRow) => boolean> {
  const keyOf = ({ id, slug, asset_url, original_extension }: DocumentRow): string | null => {
    const isElsewhere = asset_url !== null || !/^[\w-]+$/.test(slug);
    return isElsewhere ? null : documentFileKey(id, slug, which === "pdf" ? which : original_extension);
  };
  const rows = await findDocumentRows(database, viewer, ids);
  const keys = rows.map(keyOf).filter((key) => key !== null);
  const found = await Promise.all(keys.map(async (key) => ((await files.stat(key)) === null ? [] : [key])));
  const there = new Set<string | null>(found.flat());
  return (row) => there.has(keyOf(row));
}
