import type { Reader } from "../../database/database.ts";

/** A person who works on a document: its owner, or a collaborator of a project that it is in. */
export interface DocumentPerson {
  userId: number;
  documentId: number;
  isOwner: boolean;
  /** Whether ownership or the project lets them change the document. */
  isEditor: boolean;
}

/**
 * The people of these documents, in the order of their ids, each once for each document. A document that is part of
 * another has none, since people are told of the whole.
 */
export async function findPeople(
  reader: Pick<Reader, "selectFrom">,
  documentIds: readonly number[],
): Promise<DocumentPerson[]> {
  if (documentIds.length === 0) return [];
  const children = reader.selectFrom("document_children").select("child_id");
  const owners = await reader
    .selectFrom("documents")
    .select(["id as document_id", "user_id"])
    .where("id", "in", documentIds)
    .where("id", "not in", children.where("child_id", "in", documentIds))
    .execute();
  const collaborators = await reader
    .selectFrom("project_memberships")
    .innerJoin("project_collaborators", "project_collaborators.project_id", "project_memberships.project_id")
    .select([
      "project_memberships.document_id",
      "project_memberships.edit_access",
      "project_collaborators.user_id",
      "project_collaborators.access",
    ])
    .where("project_memberships.document_id", "in", documentIds)
    .execute();
  const wholes = new Set(owners.map(({ document_id }) => document_id));
  const people = new Map<string, DocumentPerson>();
  for (const { document_id: documentId, user_id: userId } of owners)
    people.set(`${userId} ${documentId}`, { userId, documentId, isOwner: true, isEditor: true });
  for (const { document_id: documentId, user_id: userId, access, edit_access } of collaborators) {
    if (!wholes.has(documentId)) continue;
    const known = people.get(`${userId} ${documentId}`);
    const isEditor = known?.isEditor === true || (access !== "view" && Boolean(edit_access));
    people.set(`${userId} ${documentId}`, { userId, documentId, isOwner: known?.isOwner ?? false, isEditor });
  }
  return [...people.values()].toSorted(
    (one, other) => one.userId - other.userId || one.documentId - other.documentId,
  );
}
