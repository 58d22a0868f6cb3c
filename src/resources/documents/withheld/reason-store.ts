import { BulkInsert } from "../../../database/bulk-insert.ts";
import type { Reader, Writer } from "../../../database/database.ts";
import { rowsOf } from "../../../database/rows.ts";
import type { RedactionReasonsTable } from "../../../database/tables.ts";
import { knownReasons } from "../../../contract/reasons.ts";
import type { OwnReason, RedactionReason } from "../../../contract/withheld.ts";
import { pageTexts } from "../../../texts/pages.ts";

/** The reasons that may be given: those that every installation has, then those of administrators. */
export async function findReasons(reader: Pick<Reader, "selectFrom">): Promise<RedactionReason[]> {
  const { labels } = pageTexts({ language: "en" }).reasons;
  const own = await findOwnReasons(reader);
  return [
    ...knownReasons.map(({ set, code, key }) => ({ code, label: labels[key], set })),
    ...own.map(({ code, label }) => ({ code, label, set: "own" as const })),
  ];
}

/** The reasons that administrators have added, in their order. */
export async function findOwnReasons(reader: Pick<Reader, "selectFrom">): Promise<OwnReason[]> {
  const rows = await rowsOf(reader, "redaction_reasons", {}, "position");
  return rows.map(({ code, label }) => ({ code, label }));
}

/** Replaces the reasons of administrators. Redactions keep what a code meant when they were made. */
export async function replaceOwnReasons(writer: Writer, reasons: readonly OwnReason[]): Promise<void> {
  await writer.deleteFrom("redaction_reasons").execute();
  const rows = reasons.map(({ code, label }, position) => ({ code, label, position }));
  await new BulkInsert<RedactionReasonsTable>("redaction_reasons", ["code", "label", "position"]).run(
    writer,
    rows,
  );
}
