import type { TreeBranch, TreeEntry } from "../../../contract/family.ts";
import type { Database } from "../../../database/database.ts";
import { invalidFields, notFound } from "../../../errors.ts";
import { type Cursor, decodeCursor } from "../../../http/request/cursor.ts";
import type { Neighbours } from "../../../http/request/pagination.ts";
import type { Query } from "../../../http/request/query.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { type Branch, branchText, namesInKey, readContainer, readFolder, treeRoot } from "../branches.ts";
import { type DocumentRow, findVisibleDocuments } from "../store.ts";
import { type BranchCount, countFrom, countIn, findChildKeys, findStart } from "./tree-store.ts";

/** The branch that a request names by `folder` or `container`. Throws 400. */
export function branchIn(query: Query): Branch {
  const [folder, container] = [query.last("folder") ?? "", query.last("container") ?? ""];
  if (container === "") return folder === "" ? treeRoot : readFolder(folder);
  if (folder !== "") throw invalidFields({ container: ["Name a folder or a container, not both."] });
  const branch = readContainer(container);
  if (branch === null) throw invalidFields({ container: [`“${container}” is not a valid value.`] });
  return branch;
}

/** A branch, and a page of what is directly in it. */
export interface TreePage extends BranchCount {
  branch: Branch;
  name: string;
  path: TreeBranch[];
  children: TreeChild[];
  neighbours: Neighbours;
}

export interface TreeChild extends BranchCount {
  name: string;
  branch: Branch;
  /** Null for a folder. */
  row: DocumentRow | null;
}

/** Throws 404 if the viewer sees nothing in the branch, unless it is the root. */
export async function readTree(
  database: Database,
  viewer: Viewer,
  branch: Branch,
  { cursor: text, limit }: { cursor: string | undefined; limit: number },
): Promise<TreePage> {
  const cursor = decodeCursor(text, ordering);
  if (!isStorable(branch)) throw notFound();
  const start = await findStart(database, viewer, branch);
  if (start === null) throw notFound();
  const count = await countFrom(database, viewer, start);
  if (count.documents === 0 && start !== "") throw notFound();
  const at = cursor.key === null ? null : `${start}${String(cursor.key.value)}`;
  const { keys, before, after } = await findChildKeys(database, viewer, start, {
    at,
    reverse: cursor.reverse,
    limit,
  });
  const around = namesInKey(start);
  const named = [...around, ...keys.flatMap((key) => namesInKey(key).slice(-1))];
  const ids = named.flatMap((name) => (name.kind === "document" ? [name.id] : []));
  const rows = new Map(
    (await findVisibleDocuments(database, viewer, [...new Set(ids)])).map((row) => [row.id, row]),
  );
  const counts = await countIn(database, viewer, keys);
  const path = branchesAround(around, rows);
  return {
    ...count,
    branch,
    name: path.at(-1)?.name ?? "",
    path: path.slice(0, -1),
    children: keys.flatMap((key, index) => childOf(key, branch, counts[index] as BranchCount, rows)),
    neighbours: neighboursOf(start, { keys, before, after }),
  };
}

const ordering = {
  name: "path",
  mayHave: (value: unknown) => typeof value === "string" && /^[12][^/]*$/su.test(value),
};

const isStorable = ({ names }: Branch): boolean =>
  names.every((name) => name.isWellFormed() && !name.includes("\0"));

type Rows = ReadonlyMap<number, DocumentRow>;

/** The branches from the root to the one with this key. */
function branchesAround(names: ReturnType<typeof namesInKey>, rows: Rows): TreeBranch[] {
  let branch: Branch = treeRoot;
  return names.map((at) => {
    branch =
      at.kind === "folder"
        ? { ...branch, names: [...branch.names, at.name] }
        : { kind: "container", id: at.id, names: [] };
    const name = at.name || (at.kind === "document" ? rows.get(at.id)?.title : undefined) || "";
    return { name, ...presentBranch(branch) };
  });
}

/** None if the document is hidden or gone by now. */
function childOf(key: string, parent: Branch, count: BranchCount, rows: Rows): TreeChild[] {
  const at = namesInKey(key).at(-1);
  if (at === undefined) return [];
  const { name } = at;
  if (at.kind === "folder")
    return [{ name, branch: { ...parent, names: [...parent.names, name] }, row: null, ...count }];
  const row = rows.get(at.id);
  const branch: Branch = { kind: "container", id: at.id, names: [] };
  return row === undefined ? [] : [{ name: name || row.title, branch, row, ...count }];
}

export function presentBranch(branch: Branch): Pick<TreeEntry, "folder" | "container"> {
  const text = branchText(branch);
  return branch.kind === "folder" ? { folder: text, container: null } : { folder: null, container: text };
}

/** A page without rows was reached from rows that are gone: its neighbours are the first or the last page. */
function neighboursOf(
  start: string,
  { keys, before, after }: { keys: readonly string[]; before: boolean; after: boolean },
): Neighbours {
  const beside = (key: string | undefined, reverse: boolean): Cursor => ({
    reverse,
    offset: 0,
    ordering: key === undefined ? null : ordering.name,
    key: key === undefined ? null : { id: 0, value: key.slice(start.length) },
  });
  return {
    next: after ? beside(keys.at(-1), false) : null,
    previous: before ? beside(keys[0], true) : null,
  };
}
