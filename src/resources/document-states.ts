/** The statuses of a document that has pages to show. */
export const readyStatuses: readonly string[] = ["success", "readable"];

/** The statuses of a document that is being processed. */
export const busyStatuses: readonly string[] = ["pending", "readable"];

/** Whether everyone may see the document. */
export function isPublic({ access, status }: { access: string; status: string }): boolean {
  return access === "public" && readyStatuses.includes(status);
}

/**
 * {@link isPublic} as SQL on `documents`. The indexes of the list are declared with exactly this text as
 * `Dialect.conditionOfIndex` writes it, because engines use a partial index only for a query with the same condition.
 */
export const publicDocuments = "documents.access = 'public' and documents.status in ('success', 'readable')";
