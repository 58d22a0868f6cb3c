import type { Database } from "../../../database/database.ts";
import { type Expansion, type Selection, expandMembers } from "../../../http/request/expansion.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { mapInSlices } from "../../../http/text/slices.ts";
import { findProjectsFor } from "../../projects/list-store.ts";
import { presentProject } from "../../projects/present.ts";
import { expandedOrganizations, expandedUsers } from "../../users/expand.ts";
import { mayEdit } from "../access.ts";
import { type BaseUrls, recordText } from "../present.ts";
import { type DocumentRow, accessFacts } from "../store.ts";

/** The expansions of a list of documents. A record can expand these and anything within them. */
export const listExpansions = ["user", "user.organization", "organization", "projects", "sections"];

export type JsonRecord = Record<string, unknown>;

export interface ExpandOptions {
  expansion: Expansion;
  selection: Selection;
  inDetail: boolean;
  /**
   * Gives the upload address for a document's file, or null if the viewer may not upload it. If absent, none is shown.
   */
  uploadTo?: ((row: DocumentRow) => string | null) | undefined;
  /** If absent, the children of documents are not expanded. */
  parts?: DocumentParts;
}

/**
 * Finds children of documents (notes, sections) as they appear when expanded, by document id, restricted to what the
 * viewer may see. Called once for all documents of a response. These resources are above documents and are passed in.
 */
export type DocumentPart = (
  viewer: Viewer,
  documents: readonly DocumentRow[],
  expansion: Expansion,
) => Promise<ReadonlyMap<number, readonly JsonRecord[]>>;

/** By the names of their fields in a document. */
export type DocumentParts = Readonly<Record<string, DocumentPart>>;

/** Documents as the API shows them, with expanded objects in place of their ids, and only the selected fields. */
export async function expandedRecords(
  database: Database,
  viewer: Viewer,
  rows: readonly DocumentRow[],
  baseUrls: BaseUrls,
  { expansion, selection, inDetail, uploadTo, parts = {} }: ExpandOptions,
): Promise<JsonRecord[]> {
  const parsed = (row: DocumentRow): JsonRecord & { projects: number[] } =>
    JSON.parse(recordText(row, baseUrls, mayEdit(viewer, accessFacts(row)))) as never;
  // A record may have hundreds of kilobytes of data.
  const records = await mapInSlices(rows, parsed, 25);
  await expandMembers(records, expansion, {
    user: expandedUsers(database, viewer, { inDetail }),
    organization: expandedOrganizations(database, viewer, { inDetail }),
  });
  const projects = expansion.has("projects")
    ? await findProjectsFor(database, viewer, [...new Set(records.flatMap((record) => record.projects))])
    : null;
  const children = new Map<string, Awaited<ReturnType<DocumentPart>>>();
  for (const [name, find] of Object.entries(parts)) {
    if (expansion.has(name)) children.set(name, await find(viewer, rows, expansion.within(name)));
  }
  return records.map((record, index) => {
    const row = rows[index] as DocumentRow;
    const expanded: JsonRecord = { ...record };
    if (projects !== null) {
      const own = record.projects.flatMap((id) => projects.get(id) ?? []);
      expanded["projects"] = own.map((project) => presentProject(project, viewer));
    }
    for (const [name, found] of children) expanded[name] = found.get(row.id) ?? [];
    const address = uploadTo?.(row) ?? null;
    if (address !== null) expanded["presigned_url"] = address;
    return selection.of(expanded);
  });
}
