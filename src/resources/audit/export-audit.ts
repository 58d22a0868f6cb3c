import { setImmediate } from "node:timers/promises";
import type { AuditEntry, auditFormats } from "../../contract/keeping.ts";
import type { Context } from "../../context.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { byteOrderMark, csvLine, withoutFormula } from "../../http/text/csv.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { shownTo } from "./shown-entries.ts";
import { type AuditRange, addAuditExport, auditEntries } from "./store.ts";

export type AuditFormat = (typeof auditFormats)[number];

/**
 * The audit log as text, a batch at a time. When this returns, the export is a part of the log. Without a viewer, on
 * the command line, nothing is left out.
 */
export async function exportAudit(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer | null,
  range: AuditRange,
  format: AuditFormat,
): Promise<AsyncGenerator<string>> {
  await database.write((writer) =>
    addAuditExport(writer, { at: timestampNow(), user_id: viewer?.id ?? null, ...range, format }),
  );
  return linesOf(database, viewer, range, format);
}

async function* linesOf(
  database: Context["database"],
  viewer: SignedInViewer | null,
  range: AuditRange,
  format: AuditFormat,
): AsyncGenerator<string> {
  if (format === "csv") yield byteOrderMark + csvLine(columns);
  for await (const entries of auditEntries(database, range)) {
    const shown = viewer === null ? entries : await shownTo(database, viewer, entries);
    yield shown.map((entry) => (format === "csv" ? csvOf(entry) : `${JSON.stringify(entry)}\n`)).join("");
    // Other requests have their turn.
    await setImmediate();
  }
}

const columns = ["at", "source", "id", "action", "user", "username", "document", "details"] as const;

function csvOf(entry: AuditEntry): string {
  return csvLine(
    columns.map((column) => {
      const value = entry[column];
      if (typeof value === "object" && value !== null) return JSON.stringify(value);
      return value === null ? "" : withoutFormula(String(value));
    }),
  );
}
