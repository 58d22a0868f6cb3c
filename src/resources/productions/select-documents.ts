import type { Context } from "../../context.ts";
import { productionLimits } from "../../contract/limits.ts";
import { invalidFields } from "../../errors.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { busyStatuses } from "../document-states.ts";
import { mayEdit } from "../documents/access.ts";
import { orUnavailable } from "../documents/search/search-documents.ts";
import { type DocumentRow, accessFacts, findVisibleDocuments } from "../documents/store.ts";
import { findNow } from "../searches/compare.ts";
import { findContainments, findCopies, findPartsOf } from "./selection-store.ts";

/** A document of a production, with its place in its family. */
export interface Selected {
  row: DocumentRow;
  /** The document of the production that it is a part of. */
  parent: number | null;
  /** The first document of its family; itself without one. */
  root: number;
}

export interface Selection {
  documents: Selected[];
  /** How many more were found, which the viewer may not edit. */
  leftOut: number;
}

type Asked = { documents?: readonly number[] | undefined; query: string; families: boolean };

/**
 * The documents that are to be produced, in their order: a family together, its container first. A document of which
 * the viewer has a redacted copy gives its place to the copy: what is hidden there is not to get out here.
 *
 * @throws {ApiError} 400 if nothing is asked for, if a document that is named may not be edited, or if the file of one
 *   is being worked on: its pages are not known yet
 */
export async function selectDocuments(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  { documents: named, query, families }: Asked,
): Promise<Selection> {
  if ((named === undefined || named.length === 0) === (query === ""))
    throw invalidFields({ documents: ["Name either documents or a query."] });
  const found = named ?? [...(await orUnavailable(() => findNow(database, viewer, { query }, null)))];
  const chosen = [...new Set(named ?? found.toSorted((one, other) => one - other))];
  checkCount(chosen.length);
  const rows = new Map<number, DocumentRow>();
  const seen = await addEditable(database, viewer, chosen, rows);
  const missing = chosen.filter((id) => !rows.has(id));
  if (named !== undefined && missing.length > 0)
    throw invalidFields({
      documents: missing.slice(0, maxNamed).map((id) => `There is no document ${id} that you may edit.`),
    });
  let leftOut = seen.length - rows.size;
  const parts = families
    ? (await findPartsOf(database, [...rows.keys()])).map(({ child_id }) => child_id)
    : [];
  const more = [...new Set(parts)].filter((id) => !rows.has(id));
  checkCount(rows.size + more.length);
  await addEditable(database, viewer, more, rows);
  leftOut += more.filter((id) => !rows.has(id)).length;
  const { stands, unmade } = await copiesFor(database, viewer, rows);
  checkIdle([...rows.values(), ...unmade]);
  return { documents: await inFamilies(database, rows, stands), leftOut };
}

/** How many documents an error names. */
const maxNamed = 20;

function checkCount(count: number): void {
  const { documents } = productionLimits;
  if (count > documents)
    throw invalidFields({
      documents: [`A production has ${documents} documents at most; these are ${count}.`],
    });
}

/** Refuses documents whose pages are not known yet, and those of which a redacted copy is being made. */
function checkIdle(rows: readonly DocumentRow[]): void {
  const busy = rows.filter(({ status }) => busyStatuses.includes(status));
  if (busy.length === 0) return;
  throw invalidFields({
    documents: busy
      .slice(0, maxNamed)
      .map(({ id }) => `Document ${id} is being worked on: wait until it is done.`),
  });
}

const idsAtOnce = 500;

/** Adds those of these documents that the viewer may edit. Returns the ids of those that they may see. */
async function addEditable(
  database: Context["database"],
  viewer: SignedInViewer,
  ids: readonly number[],
  to: Map<number, DocumentRow>,
): Promise<number[]> {
  const seen: number[] = [];
  for (let start = 0; start < ids.length; start += idsAtOnce) {
    const some = ids.slice(start, start + idsAtOnce);
    const rows = new Map((await findVisibleDocuments(database, viewer, some)).map((row) => [row.id, row]));
    for (const id of some) {
      const row = rows.get(id);
      if (row === undefined) continue;
      seen.push(id);
      if (mayEdit(viewer, accessFacts(row))) to.set(id, row);
    }
  }
  return seen;
}

/** The redacted copy that stands for each document that has one, which `rows` gets; and copies still to be made. */
async function copiesFor(
  database: Context["database"],
  viewer: SignedInViewer,
  rows: Map<number, DocumentRow>,
): Promise<{ stands: Map<number, number>; unmade: DocumentRow[] }> {
  const stands = new Map<number, number>();
  const unmade: DocumentRow[] = [];
  for (let originals = [...rows.keys()]; originals.length > 0;) {
    const copies = await findCopies(database, originals);
    const editable = new Map<number, DocumentRow>();
    await addEditable(
      database,
      viewer,
      copies.map(({ copy_id }) => copy_id),
      editable,
    );
    originals = [];
    for (const { copy_id, original_id, made_at } of copies) {
      const copy = editable.get(copy_id);
      if (copy === undefined) continue;
      if (made_at === null) unmade.push(copy);
      else {
        rows.set(copy_id, copy);
        stands.set(original_id, copy_id);
        originals.push(copy_id);
      }
    }
  }
  return { stands, unmade };
}

async function inFamilies(
  database: Context["database"],
  rows: ReadonlyMap<number, DocumentRow>,
  stands: ReadonlyMap<number, number>,
): Promise<Selected[]> {
  const shownFor = (id: number): number => {
    const copy = stands.get(id);
    return copy === undefined ? id : shownFor(copy);
  };
  const contained = (await findContainments(database, [...rows.keys()])).filter(({ parent_id }) =>
    rows.has(parent_id),
  );
  const childrenOf = Map.groupBy(
    contained.toSorted((one, other) => one.position - other.position),
    ({ parent_id }) => parent_id,
  );
  const isPart = new Set(contained.map(({ child_id }) => child_id));
  const isCopy = new Set(stands.values());
  const selected = new Map<number, Selected>();
  const add = (id: number, parent: number | null, root: number | null): void => {
    const shown = shownFor(id);
    const row = rows.get(shown);
    if (row === undefined) return;
    if (!selected.has(shown)) selected.set(shown, { row, parent, root: root ?? shown });
    for (const { child_id } of childrenOf.get(id) ?? []) add(child_id, shown, root ?? shown);
  };
  for (const id of rows.keys()) if (!isPart.has(id) && !isCopy.has(id)) add(id, null, null);
  return [...selected.values()];
}
