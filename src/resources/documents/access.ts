import { type RawBuilder, sql } from "kysely";
import type { Dialect } from "../../database/dialect.ts";
import type { SignedInViewer, Viewer } from "../../http/request/viewer.ts";
import { isPublic, publicDocuments } from "../document-states.ts";

/**
 * Who may do what with a document. The rules for one row and the rules for a list stand side by side here, and
 * access-worlds.test.ts holds them to each other. As in that API:
 *
 * - What everyone may see is public and ready. What is not ready is for its owner and the collaborators it is shared
 *   with, also when it is public; for the members of its organization when its access is `organization`.
 * - Its owner, the members of its organization (unless it is private) and the collaborators who may edit change it.
 *   Once it is public, collaborators no longer do, nor does an owner who has left its organization.
 * - An administrator may do everything, with what they can see; they see no more than others.
 */
export interface AccessFacts {
  access: string;
  status: string;
  user_id: number;
  organization_id: number;
  /** Of the projects that the viewer collaborates in, those that the document is shared with. */
  sharing: readonly number[];
}

/** The tables that say of each row whether everyone may see its document. */
type VisibleTable = "documents" | "document_data" | "project_memberships";

/** The rule for one row. */
export function mayView(viewer: Viewer, document: AccessFacts): boolean {
  if (isPublic(document)) return true;
  const { access, status, user_id, organization_id, sharing } = document;
  if (viewer.kind === "anonymous" || access === "invisible" || status === "deleted") return false;
  if (user_id === viewer.id || sharing.length > 0) return true;
  return access === "organization" && viewer.organizations.has(organization_id);
}

/** Whether the viewer may change the document. */
export function mayEdit(viewer: Viewer, document: AccessFacts): boolean {
  if (mayShare(viewer, document)) return true;
  if (viewer.kind === "anonymous" || document.access === "public" || !mayView(viewer, document)) return false;
  return document.sharing.some((project) => mayEditDocumentsOf(viewer, project));
}

/** Whether the viewer may delete the document, or let collaborators of a project change it. */
export function mayShare(viewer: Viewer, document: AccessFacts): boolean {
  if (viewer.kind === "anonymous" || !mayView(viewer, document)) return false;
  if (viewer.isAdministrator) return true;
  const { access, user_id, organization_id } = document;
  const isMember = viewer.organizations.has(organization_id);
  if (user_id === viewer.id) return access !== "public" || isMember;
  return isMember && access !== "private";
}

/** Whether the viewer may give the document to someone else. */
export function mayChangeOwner(viewer: Viewer, document: AccessFacts): boolean {
  if (viewer.kind === "anonymous" || !mayShare(viewer, document)) return false;
  return viewer.isAdministrator || document.user_id === viewer.id;
}

/** Whether the viewer may put documents into a project, and change those that are shared with it. */
export function mayEditDocumentsOf(viewer: SignedInViewer, project: number): boolean {
  return mayEditIn(viewer.projects.get(project));
}

function mayEditIn(access: string | undefined): boolean {
  return access === "edit" || access === "admin";
}

/**
 * What everyone may see, as a condition that begins an index range of that table. The rest of what a viewer may see
 * are the documents of {@link audiencesOf} them.
 */
export function visibleToAll(table: VisibleTable): RawBuilder<boolean> {
  return table === "documents"
    ? sql<boolean>`${sql.raw(publicDocuments)}`
    : sql<boolean>`${sql.ref(`${table}.is_public`)} = true`;
}

/** Whom the rows of `document_audiences` name that show a document to this viewer. */
export function audiencesOf(viewer: Viewer): string[] {
  if (viewer.kind === "anonymous") return [];
  return [
    `user:${viewer.id}`,
    ...[...viewer.organizations].map((id) => `organization:${id}`),
    ...[...viewer.projects.keys()].map((id) => `project:${id}`),
  ];
}

/** Whether the viewer may change a document that they see: {@link mayEdit} as a condition on `documents`. */
export function editableBy(dialect: Dialect, viewer: Viewer): RawBuilder<boolean> {
  if (viewer.kind === "anonymous") return sql<boolean>`1 = 0`;
  if (viewer.isAdministrator) return sql<boolean>`1 = 1`;
  const own = sql`${dialect.list([...viewer.organizations])}`;
  const isMember = dialect.isAmong(sql.ref("documents.organization_id"), own);
  const projects = [...viewer.projects.keys()].filter((project) => mayEditDocumentsOf(viewer, project));
  const sharedWith = sql`${dialect.list(projects.map((project) => `project:${project}`))}`;
  return sql<boolean>`((documents.user_id = ${viewer.id} and (documents.access <> 'public' or ${isMember}))
    or (documents.access <> 'private' and ${isMember})
    or (documents.access <> 'public' and exists (select 1 from document_audiences
      where document_audiences.document_id = documents.id
        and ${dialect.isAmongTexts(sql.ref("document_audiences.audience"), sharedWith)})))`;
}
