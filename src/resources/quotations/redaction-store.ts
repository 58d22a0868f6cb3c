import type { Reader } from "../../database/database.ts";

/** When parts of a document were last redacted. */
export interface Redactions {
  /** By page, counting from 0. */
  pages: ReadonlyMap<number, string>;
  /** When a page was redacted whose number is unknown because pages were moved later; null if there is no such page. */
  somewhere: string | null;
}

/** The redactions of the document's present file. */
export async function findRedactions(
  reader: Pick<Reader, "selectFrom">,
  documentId: number,
): Promise<Redactions> {
  const receipts = await reader
    .selectFrom("document_receipts")
    .select(["step", "at", "details"])
    .where("document_id", "=", documentId)
    .where("outcome", "=", "done")
    .where("step", "in", ["redacted", "modified", "replaced"])
    .orderBy("id")
    .execute();
  let pages = new Map<number, string>();
  let somewhere: string | null = null;
  for (const { step, at, details } of receipts) {
    if (step === "redacted") {
      const { pages: numbers = [] } = JSON.parse(details) as { pages?: number[] };
      for (const number of numbers) pages.set(number - 1, at);
      continue;
    }
    somewhere = step === "replaced" ? null : latest([somewhere, ...pages.values()]);
    pages = new Map();
  }
  return { pages, somewhere };
}

/** The latest of these times; null if the list is empty. */
export function latest(moments: readonly (string | null)[]): string | null {
  return moments.reduce(
    (one, other) => (one === null || (other !== null && other > one) ? other : one),
    null,
  );
}
