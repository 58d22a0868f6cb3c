import { type RawBuilder, sql } from "kysely";
import { publicDocuments } from "../document-states.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { ProjectAccess, Viewer } from "../../http/request/viewer.ts";

/**
 * Who may see and do what with a project; the rule for one row and the rule for a list stand side by side. Everyone
 * sees one that is not private, only its collaborators see one that is. Its admins change it; who made it has no
 * rights from that alone. An administrator may do everything, with what they can see.
 */
export interface ProjectFacts {
  private: boolean | number;
  /** The viewer's own, as a collaborator. */
  access: ProjectAccess | null;
}

/** The rule for one row. */
export function mayView(project: ProjectFacts): boolean {
  return !project.private || project.access !== null;
}

/** The rule for a list: a condition on `projects`, whose parameter is `viewer`. */
export function visibleTo(viewer: Viewer): RawBuilder<boolean> {
  if (viewer.kind === "anonymous") return sql<boolean>`projects.private = false`;
  return sql<boolean>`(projects.private = false or exists (
    select 1 from project_collaborators mine
    where mine.project_id = projects.id and mine.user_id = ${parameter("viewer")}))`;
}

/** Whether the viewer may change or delete the project, and say who collaborates. */
export function mayAdminister(viewer: Viewer, project: ProjectFacts): boolean {
  if (viewer.kind === "anonymous" || !mayView(project)) return false;
  return viewer.isAdministrator || project.access === "admin";
}

/** Whether the viewer may put documents into the project and take them out. */
export function mayEditDocuments(viewer: Viewer, project: ProjectFacts): boolean {
  return mayAdminister(viewer, project) || (viewer.kind === "user" && project.access === "edit");
}

/**
 * Whether the viewer, the parameter `viewer` (null: nobody in particular), is shown a document, by its id: what
 * everyone may see, or what has an audience that they belong to.
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
