import { type RawBuilder, sql } from "kysely";
import { publicDocuments } from "../document-states.ts";
import type { Dialect } from "../../database/dialect.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { SignedInViewer, Viewer } from "../../http/request/viewer.ts";

/**
 * The condition on `users` for users that a viewer may know about: the viewer, everyone who shares an organization or a
 * project with the viewer, and everyone who has published a document. Administrators know about all users. The query
 * parameter is `viewer`.
 */
export function isKnownTo(dialect: Dialect, viewer: Viewer): RawBuilder<boolean> {
  const hasPublished = sql<boolean>`exists (
      select 1 from documents where documents.user_id = users.id
      and ${dialect.conditionOfIndex(sql`${sql.raw(publicDocuments)}`)}
    )`;
  if (viewer.kind === "anonymous") return hasPublished;
  if (viewer.isAdministrator) return sql<boolean>`1 = 1`;
  const me = parameter("viewer");
  return sql<boolean>`(users.id = ${me} or exists (
      select 1 from organization_members mine join organization_members theirs
      on theirs.organization_id = mine.organization_id where mine.user_id = ${me} and theirs.user_id = users.id
    ) or exists (
      select 1 from project_collaborators mine join project_collaborators theirs
      on theirs.project_id = mine.project_id where mine.user_id = ${me} and theirs.user_id = users.id
    ) or ${hasPublished})`;
}

/**
 * The condition on `organizations` for organizations that a viewer may know about. Anonymous viewers know about those
 * that have published a document. Signed-in viewers know about all except the individual organizations of users whom
 * they may not know about. The query parameter is `viewer`.
 */
export function isOrganizationKnownTo(dialect: Dialect, viewer: Viewer): RawBuilder<boolean> {
  if (viewer.kind === "anonymous") {
    return sql<boolean>`exists (
      select 1 from documents where documents.organization_id = organizations.id
      and ${dialect.conditionOfIndex(sql`${sql.raw(publicDocuments)}`)}
    )`;
  }
  return sql<boolean>`not exists (
      select 1 from users where users.uuid = organizations.uuid and not ${isKnownTo(dialect, viewer)}
    )`;
}

/** Users change only themselves. */
export function mayChange(viewer: SignedInViewer, userId: number): boolean {
  return viewer.id === userId;
}
