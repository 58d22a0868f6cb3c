import type { AuditEntry } from "../../contract/keeping.ts";
import type { Context } from "../../context.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { mayView } from "../documents/access.ts";
import { accessFacts, findDocumentRows } from "../documents/store.ts";

/**
 * The entries without what they tell of documents that the viewer may not see, or that are gone, because nobody knows
 * any more who might have seen them: which members have changed stays, their values do not. The hash of a file that was
 * redacted would confirm a guess of what it was; that of a document that was disposed of is its certificate.
 */
export async function shownTo(
  database: Context["database"],
  viewer: SignedInViewer,
  entries: readonly AuditEntry[],
): Promise<AuditEntry[]> {
  const ids = [...new Set(entries.map(({ document }) => document).filter((id) => id !== null))];
  const seen = new Set(
    (await findDocumentRows(database, viewer, ids))
      .filter((row) => mayView(viewer, accessFacts(row)))
      .map(({ id }) => id),
  );
  return entries.map((entry) => {
    if (entry.source !== "document" || entry.action === "disposed") return entry;
    const isHidden = entry.document !== null && !seen.has(entry.document);
    const details = Object.entries(entry.details).map(([name, value]) => {
      const isSecret = isHidden || name === "file_hash";
      return [name, isSecret ? null : value] as const;
    });
    return { ...entry, details: Object.fromEntries(details) };
  });
}
