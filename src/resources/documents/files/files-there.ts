import type { Context } from "../../../context.ts";
import { documentFileKey } from "../../../files/keys.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { type DocumentRow, findDocumentRows } from "../store.ts";

/**
 * Which of these documents have their file, the one that came or the PDF that it is read as. It is asked before the
 * transaction that needs it, which would make everyone wait for a store that takes its time; what has another key by
 * then counts as absent.
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
