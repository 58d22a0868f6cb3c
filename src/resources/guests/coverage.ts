import type { Database } from "../../database/database.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { isPublic } from "../document-states.ts";
import { mayShare, mayView } from "../documents/access.ts";
import { type DocumentRow, accessFacts, findVisibleDocuments } from "../documents/store.ts";
import { mayAdminister } from "../projects/access.ts";
import { findProject } from "../projects/list-store.ts";
import { findNow, findOwner, isRefusal } from "../searches/compare.ts";
import { findSearchOf } from "../searches/store.ts";
import { type GuestLinkRow, findAmongProject, findDocumentsOfProject } from "./store.ts";

/** What a link leads to, for a page. */
export interface LinkSubject {
  kind: "document" | "project" | "search";
  title: string;
  /** The ids of the documents that it may cover, the newest first. */
  ids: () => Promise<readonly number[]>;
}

/**
 * The documents among these that a link covers at this moment. A link gives what its maker may give: a document that
 * they may share, the documents of a project that they administer and that its collaborators see, or, of what their
 * saved search finds, the documents that they may share or that are public.
 */
export async function coveredBy(
  database: Database,
  link: GuestLinkRow,
  ids: readonly number[],
): Promise<DocumentRow[]> {
  const maker = await findOwner(database, link.user_id);
  if (maker === null || ids.length === 0) return [];
  if (link.document_id !== null) {
    return shareable(database, maker, ids.includes(link.document_id) ? [link.document_id] : []);
  }
  if (link.project_id !== null) return ofProject(database, maker, link.project_id, ids);
  return shareable(database, maker, await findBySearch(database, maker, link, ids));
}

/** What a link leads to at this moment; null if its maker may not share it any more. */
export async function subjectOf(database: Database, link: GuestLinkRow): Promise<LinkSubject | null> {
  const maker = await findOwner(database, link.user_id);
  if (maker === null) return null;
  if (link.document_id !== null) {
    const [document] = await shareable(database, maker, [link.document_id]);
    if (document === undefined) return null;
    return { kind: "document", title: document.title, ids: async () => [document.id] };
  }
  if (link.project_id !== null) {
    const project = await findProject(database, maker, link.project_id);
    if (project === null || !mayAdminister(maker, project)) return null;
    const ids = () => findDocumentsOfProject(database, project.id);
    return { kind: "project", title: project.title, ids };
  }
  const search = await findSearchOf(database.reader, { id: link.search_id ?? 0, user_id: maker.id });
  if (search === null) return null;
  const ids = async () =>
    (await findBySearch(database, maker, link, null)).toSorted((one, other) => other - one);
  return { kind: "search", title: search.name, ids };
}

async function shareable(
  database: Database,
  maker: SignedInViewer,
  ids: readonly number[],
): Promise<DocumentRow[]> {
  const rows = await findVisibleDocuments(database, maker, ids);
  return rows.filter((row) => isPublic(row) || mayShare(maker, accessFacts(row)));
}

/** A project shows a guest what it shows a collaborator without other rights. */
async function ofProject(
  database: Database,
  maker: SignedInViewer,
  id: number,
  ids: readonly number[],
): Promise<DocumentRow[]> {
  const project = await findProject(database, maker, id);
  if (project === null || !mayAdminister(maker, project)) return [];
  const among = [...(await findAmongProject(database, id, ids))];
  const collaborator: SignedInViewer = {
    ...maker,
    id: nobody,
    isAdministrator: false,
    organizations: new Set(),
    projects: new Map([[id, "view"]]),
  };
  const rows = await findVisibleDocuments(database, collaborator, among);
  return rows.filter((row) => mayView(collaborator, accessFacts(row)));
}

/** No user has this id. */
const nobody = -1;

async function findBySearch(
  database: Database,
  maker: SignedInViewer,
  link: GuestLinkRow,
  among: readonly number[] | null,
): Promise<number[]> {
  const search = await findSearchOf(database.reader, { id: link.search_id ?? 0, user_id: maker.id });
  if (search === null) return [];
  const found = await findNow(database, maker, search, among).catch((error: unknown) => {
    if (isRefusal(error)) return new Set<number>();
    throw error;
  });
  return [...found];
}
