import { type Expression, type RawBuilder, sql } from "kysely";
import type { Dialect } from "../../database/dialect.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { SignedInViewer, Viewer } from "../../http/request/viewer.ts";
import { accessLevels, statuses } from "../../contract/document.ts";
import { isPublic, publicDocuments, readyStatuses } from "../document-states.ts";

/**
 * The access rules of documents. The rules for one row and the rules for a list stand side by side here, and
 * access-random.test.ts checks that they agree. They follow DocumentCloud:
 *
 * - Everyone may see documents that are public and ready. A document that is not ready is visible to its owner and to
 *   the collaborators it is shared with, even if it is public. Members of its organization also see it if its access
 *   is `organization`.
 * - The owner, the members of the organization (unless the document is private) and collaborators with edit access may
 *   change a document. Once it is public, collaborators may not, and neither may an owner who has left the
 *   organization.
 * - Administrators may do everything with the documents they can see. They see no more than other users.
 *
 * Quire adds guests: visitors who have opened a guest link. A guest sees the documents that the link covers, and may do
 * nothing with them. The rule for a list does not know guests: they have the lists that everyone has. The token of an
 * add-on's run reaches the documents of the run alone. Its lists are those of the person, with these ids as a filter.
 */
export interface AccessFacts {
  id: number;
  access: string;
  status: string;
  user_id: number;
  organization_id: number;
  /** The ids of the projects that the document is shared with and that the viewer collaborates in. */
  sharing: readonly number[];
}

/** The tables in which each row says whether everyone may see its document. */
type VisibleTable = "documents" | "document_data" | "project_memberships";

/** The rule for one row. */
export function mayView(viewer: Viewer, document: AccessFacts): boolean {
  if (viewer.kind === "user" && viewer.run?.documents.has(document.id) === false) return false;
  if (isPublic(document)) return true;
  const { id, access, status, user_id, organization_id, sharing } = document;
  if (access === "invisible" || status === "deleted") return false;
  if (viewer.kind === "anonymous") return viewer.guest?.documents.has(id) === true;
  if (user_id === viewer.id || sharing.length > 0) return true;
  return access === "organization" && viewer.organizations.has(organization_id);
}

/** Whether the viewer, who may see the document, may have its files and its text, and its pages in the largest size. */
export function mayDownload(viewer: Viewer, document: AccessFacts): boolean {
  if (viewer.kind === "user" || isPublic(document)) return true;
  return viewer.guest?.documents.get(document.id)?.mayDownload === true;
}

/** Whether the viewer may know who is behind the documents that they see: guests see no people. */
export function mayKnowPeople(viewer: Viewer): boolean {
  return viewer.kind === "user" || viewer.guest === undefined;
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

/**
 * {@link mayShare} as a condition on rows of `documents` in the trash; `status` is the status that they had. It has the
 * parameters of {@link EditableValues} and `viewerProjects`, the ids of the viewer's projects.
 */
export function deletableBy(
  dialect: Dialect,
  viewer: SignedInViewer,
  status: Expression<unknown>,
): RawBuilder<boolean> {
  const isOwner = sql`documents.user_id = ${parameter("viewerId")}`;
  const isMember = dialect.isAmong(sql.ref("documents.organization_id"), parameter("viewerOrganizations"));
  const isShared = sql`exists (select 1 from project_memberships
    where project_memberships.document_id = documents.id and project_memberships.edit_access = true
      and ${dialect.isAmong(sql.ref("project_memberships.project_id"), parameter("viewerProjects"))})`;
  const ready = sql.join(readyStatuses.map((one) => sql.lit(one)));
  const isPublished = sql`documents.access = 'public' and ${status} in (${ready})`;
  const isSeen = sql<boolean>`((${isPublished}) or (documents.access <> 'invisible'
    and (${isOwner} or (documents.access = 'organization' and ${isMember}) or ${isShared})))`;
  if (viewer.isAdministrator) return isSeen;
  return sql<boolean>`${isSeen} and ((${isOwner} and (documents.access <> 'public' or ${isMember}))
    or (documents.access <> 'private' and ${isMember}))`;
}

/** Whether the viewer may give the document to someone else. */
export function mayChangeOwner(viewer: Viewer, document: AccessFacts): boolean {
  if (viewer.kind === "anonymous" || !mayShare(viewer, document)) return false;
  return viewer.isAdministrator || document.user_id === viewer.id;
}

/** Whether the viewer may add documents to a project and change those that are shared with it. */
export function mayEditDocumentsOf(viewer: SignedInViewer, project: number): boolean {
  return mayEditIn(viewer.projects.get(project));
}

function mayEditIn(access: string | undefined): boolean {
  return access === "edit" || access === "admin";
}

/**
 * The condition for rows that everyone may see. It begins an index range of the table. The other documents that a
 * viewer may see are those with an audience from {@link audiencesOf}.
 */
export function visibleToAll(dialect: Dialect, table: VisibleTable): RawBuilder<boolean> {
  return table === "documents"
    ? dialect.conditionOfIndex(sql<boolean>`${sql.raw(publicDocuments)}`)
    : sql<boolean>`${sql.ref(`${table}.is_public`)} = true`;
}

/** The viewer's audiences: a row of `document_audiences` with one of them makes its document visible to the viewer. */
export function audiencesOf(viewer: Viewer): string[] {
  if (viewer.kind === "anonymous") return [];
  return [
    `user:${viewer.id}`,
    ...[...viewer.organizations].map((id) => `organization:${id}`),
    ...audiencesOfProjects(viewer),
  ];
}

/** The viewer's audiences by projects alone. */
export function audiencesOfProjects(viewer: Viewer): string[] {
  return viewer.kind === "anonymous" ? [] : [...viewer.projects.keys()].map((id) => `project:${id}`);
}

/**
 * The condition for documents that the viewer may see by their columns alone, as ranges of `documents_filtered`: those
 * that everyone sees, and others as their owner or as a member of their organization. Collaborators also see those with
 * an audience from {@link audiencesOfProjects}.
 */
export function visibleByColumns(dialect: Dialect, viewer: SignedInViewer): RawBuilder<unknown> {
  const ofMember = dialect.isAmong(
    sql.ref("documents.organization_id"),
    sql`${dialect.list([...viewer.organizations])}`,
  );
  return sql`${seenByPeople} and (${sql.raw(publicDocuments)} or documents.user_id = ${viewer.id}
    or (documents.access = 'organization' and ${ofMember}))`;
}

const literals = (values: readonly string[]): RawBuilder<unknown> =>
  sql.join(values.map((value) => sql.lit(value)));

/** Nobody sees a document with another access or status, not even its owner. */
const seenByPeople = sql`documents.access in (${literals(accessLevels.filter((access) => access !== "invisible"))})
  and documents.status in (${literals(statuses.filter((status) => status !== "deleted"))})`;

/** The kinds of viewer for which queries differ. The kind is part of a query's shape. */
export function kindOf(viewer: Viewer): "all" | "user" | "collaborator" {
  if (viewer.kind === "anonymous") return "all";
  return viewer.projects.size === 0 ? "user" : "collaborator";
}

/** The values of the parameters with which a query names the viewer's projects. */
export function viewerValues(dialect: Dialect, viewer: Viewer): Record<string, unknown> {
  return kindOf(viewer) === "collaborator" ? { viewerProjects: projectsOf(dialect, viewer) } : {};
}

/** The ids of the viewer's projects, as the value of a parameter. */
export function projectsOf(dialect: Dialect, viewer: Viewer): unknown {
  return dialect.list(viewer.kind === "anonymous" ? [] : [...viewer.projects.keys()]);
}

/**
 * {@link mayEdit} as a condition on rows of `documents` that the viewer may see. `bound` gives the placeholder for each
 * of the {@link editableValues}; by default they are values of the query itself.
 */
export function editableBy(
  dialect: Dialect,
  viewer: Viewer,
  bound?: (name: keyof EditableValues) => Expression<unknown>,
): RawBuilder<boolean> {
  if (viewer.kind === "anonymous") return sql<boolean>`1 = 0`;
  if (viewer.isAdministrator) return sql<boolean>`1 = 1`;
  const values = editableValues(dialect, viewer);
  const value = (name: keyof EditableValues): Expression<unknown> => bound?.(name) ?? sql`${values[name]}`;
  const isMember = dialect.isAmong(sql.ref("documents.organization_id"), value("viewerOrganizations"));
  return sql<boolean>`((documents.user_id = ${value("viewerId")} and (documents.access <> 'public' or ${isMember}))
    or (documents.access <> 'private' and ${isMember})
    or (documents.access <> 'public' and exists (select 1 from document_audiences
      where document_audiences.document_id = documents.id
        and ${dialect.isAmongTexts(sql.ref("document_audiences.audience"), value("editableProjects"))})))`;
}

export interface EditableValues {
  viewerId: number | null;
  viewerOrganizations: unknown;
  /** The audiences of the projects in which the viewer may change documents. */
  editableProjects: unknown;
}

export function editableValues(dialect: Dialect, viewer: Viewer): EditableValues {
  const isUser = viewer.kind === "user";
  const projects = isUser ? [...viewer.projects.keys()] : [];
  return {
    viewerId: isUser ? viewer.id : null,
    viewerOrganizations: dialect.list(isUser ? [...viewer.organizations] : []),
    editableProjects: dialect.list(
      projects
        .filter((project) => isUser && mayEditDocumentsOf(viewer, project))
        .map((project) => `project:${project}`),
    ),
  };
}
