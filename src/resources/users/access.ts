import { type RawBuilder, sql } from "kysely";
import { publicDocuments } from "../document-states.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { SignedInViewer, Viewer } from "../../http/request/viewer.ts";

/**
 * Whom a viewer knows of: themselves, those of an organization or a project of theirs, and whoever has published a
 * document; an administrator knows of all. As a condition on `users`, whose parameter is `viewer`.
 */
export function isKnownTo(viewer: Viewer): RawBuilder<boolean> {
  const hasPublished = sql<boolean>`exists (
      select 1 from documents where documents.user_id = users.id
      and ${sql.raw(publicDocuments)}
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

/** Users change only themselves. */
export function mayChange(viewer: SignedInViewer, userId: number): boolean {
  return viewer.id === userId;
}
