import type { Database } from "../../../database/database.ts";
import type { Expansion, Selection } from "../../../http/request/expansion.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { findOrganizations } from "../../organizations/list-store.ts";
import { presentOrganization } from "../../organizations/present.ts";
import { findProjectsFor } from "../../projects/list-store.ts";
import { presentProject } from "../../projects/present.ts";
import { findPresentedUsers } from "../../users/expand.ts";
import { mayEdit } from "../access.ts";
import { type Bases, recordText } from "./present.ts";
import { type DocumentRow, accessFacts } from "../store.ts";

/** What a list of documents expands; a record expands any of these, and what is within. */
export const listExpansions = ["user", "user.organization", "organization", "projects", "sections"];

export type JsonRecord = Record<string, unknown>;

export interface ExpandOptions {
  expansion: Expansion;
  selection: Selection;
  inDetail: boolean;
  /** The address to upload a document's file to, for who may; none is shown if it is not given. */
  uploadTo?: ((row: DocumentRow) => string | null) | undefined;
  /** None: what belongs to documents is not expanded. */
  parts?: DocumentParts;
}

/**
 * What belongs to documents, further up than they are (notes, sections), as it stands expanded in them: by the
 * documents' ids, what this viewer is shown. Asked once for all documents of an answer.
 */
export type DocumentPart = (
  viewer: Viewer,
  documents: readonly DocumentRow[],
  expansion: Expansion,
) => Promise<ReadonlyMap<number, readonly JsonRecord[]>>;

/** By the names under which documents show them. */
export type DocumentParts = Readonly<Record<string, DocumentPart>>;

/** Documents as the API shows them, with what they refer to in place of its id, and only the members that are asked for. */
export async function expandedRecords(
  database: Database,
  viewer: Viewer,
  rows: readonly DocumentRow[],
  bases: Bases,
  { expansion, selection, inDetail, uploadTo, parts = {} }: ExpandOptions,
): Promise<JsonRecord[]> {
  const records = rows.map((row) => {
    const text = recordText(row, bases, mayEdit(viewer, accessFacts(row)));
    return JSON.parse(text) as JsonRecord & { projects: number[]; user: number; organization: number };
  });
  const users = expansion.has("user")
    ? await findPresentedUsers(
        database,
        viewer,
        records.map(({ user }) => user),
        expansion.within("user"),
        { inDetail },
      )
    : null;
  const organizations = expansion.has("organization")
    ? await findOrganizations(database, [...new Set(records.map(({ organization }) => organization))])
    : null;
  const projects = expansion.has("projects")
    ? await findProjectsFor(database, viewer, [...new Set(records.flatMap((record) => record.projects))])
    : null;
  const belonging = new Map<string, Awaited<ReturnType<DocumentPart>>>();
  for (const [name, find] of Object.entries(parts)) {
    if (expansion.has(name)) belonging.set(name, await find(viewer, rows, expansion.within(name)));
  }
  return records.map((record, index) => {
    const row = rows[index] as DocumentRow;
    const organization = organizations?.get(record.organization);
    const shown: JsonRecord = { ...record };
    if (users !== null) shown["user"] = users.get(record.user) ?? null;
    if (organization !== undefined) {
      shown["organization"] = presentOrganization(organization, viewer, { inDetail });
    }
    if (projects !== null) {
      const own = record.projects.flatMap((id) => projects.get(id) ?? []);
      shown["projects"] = own.map((project) => presentProject(project, viewer));
    }
    for (const [name, found] of belonging) shown[name] = found.get(row.id) ?? [];
    const address = uploadTo?.(row) ?? null;
    if (address !== null) shown["presigned_url"] = address;
    return selection.of(shown);
  });
}
