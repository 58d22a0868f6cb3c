/** The access levels of a document: its readers once it is ready. */
export const accessLevels = ["public", "organization", "private", "invisible"] as const;

/** Where a document's file stands, as the API's `status` shows it. */
export const statuses = ["success", "readable", "pending", "error", "nofile", "deleted"] as const;

/** The statuses of a document that has pages to show. */
export const readyStatuses: readonly string[] = ["success", "readable"];

/** The statuses of a document that is being processed. */
export const busyStatuses: readonly string[] = ["pending", "readable"];

/** Whether everyone may see the document. */
export function isPublic({ access, status }: { access: string; status: string }): boolean {
  return access === "public" && readyStatuses.includes(status);
}

/**
 * {@link isPublic} as SQL on `documents`. The indexes of the list are declared with these very words, which is how an
 * engine knows that it may use them.
 */
export const publicDocuments = "documents.access = 'public' and documents.status in ('success', 'readable')";
