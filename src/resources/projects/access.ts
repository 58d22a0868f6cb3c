import { type RawBuilder, sql } from "kysely";
import { publicDocuments } from "../document-states.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { ProjectAccess, Viewer } from "../../http/request/viewer.ts";

/**
 * The access rules of projects. The rule for one row and the rule for a list stand side by side. Everyone may see a
 * public project, and only its collaborators may see a private one. Its admins may change it. Having created a project
 * gives no rights by itself. Administrators may do everything with the projects that they can see.
 */
export interface ProjectFacts {
  private: boolean | number;
  /** The viewer's access as a collaborator. Null if the viewer is not one. */
  access: ProjectAccess | null;
}

/** The rule for one row. */
export function mayView(project: ProjectFacts): boolean {
  return !project.private || project.access !== null;
}

/** The rule for a list: a condition on `projects`. The query parameter is `viewer`. */
export function visibleTo(viewer: Viewer): RawBuilder<boolean> {
  if (viewer.kind === "anonymous") return sql<boolean>`projects.private = false`;
  return sql<boolean>`(projects.private = false or exists (
    select 1 from project_collaborators mine
    where mine.project_id = projects.id and mine.user_id = ${parameter("viewer")}))`;
}

/** Whether the viewer may change or delete the project and manage its collaborators. */
export function mayAdminister(viewer: Viewer, project: ProjectFacts): boolean {
  if (viewer.kind === "anonymous" || !mayView(project)) return false;
  return viewer.isAdministrator || project.access === "admin";
}

/** Whether the viewer may add documents to the project and remove them. */
export function mayEditDocuments(viewer: Viewer, project: ProjectFacts): boolean {
  return mayAdminister(viewer, project) || (viewer.kind === "user" && project.access === "edit");
}

/**
 * The condition that the viewer may see the document with this id: the document is public, or one of its audiences
 * includes the viewer. The query parameter is `viewer`, which is null for an anonymous viewer.
 */
export function isShownDocument(id: RawBuilder<unknown>): RawBuilder<boolean> {
  const me = parameter("viewer");
  return sql<boolean>`(exists (
      select 1 from documents where documents.id = ${id}
      and ${sql.raw(publicDocuments)}
    ) or exists (
      select 1 from document_audiences where document_audiences.document_id = ${id} and audience in (
        select 'user:' || id from users where id = ${me}
        union all select 'organization:' || organization_id from organization_members where user_id = ${me}
        union all select 'project:' || project_id from project_collaborators where user_id = ${me}
      )
    ))`;
}
