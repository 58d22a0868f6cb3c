/*
 * Branches of the tree of folders and containers, as people and programs name them, and as keys of the database: see
 * migrations/baseline/paths.ts.
 */

/** A folder, or a container (such as an archive) or a folder in it. */
export type Branch =
  | { kind: "folder"; names: readonly string[] }
  | { kind: "container"; id: number; names: readonly string[] };

/** The root of the tree. */
export const treeRoot: Branch = { kind: "folder", names: [] };

/** Reads a folder, such as `Leak/Mails`; without names, it is the root. */
export function readFolder(text: string): Branch {
  return { kind: "folder", names: namesIn(text) };
}

/** Reads a container, and perhaps a folder in it: `42`, `42/docs`. A slug may come before the id. */
export function readContainer(text: string): Branch | null {
  const [first = "", ...names] = text.split("/");
  const id = /^(?:.*-)?(\d{1,15})$/su.exec(first.trim())?.[1];
  return id === undefined ? null : { kind: "container", id: Number(id), names: namesIn(names.join("/")) };
}

const namesIn = (text: string): string[] =>
  text
    .replaceAll("\t", " ")
    .split("/")
    .filter((name) => name !== "");

/** The value of the parameter and the search field that name a branch. */
export function branchText(branch: Branch): string {
  const start = branch.kind === "container" ? [String(branch.id)] : [];
  return [...start, ...branch.names].join("/");
}

/** The start of the keys of everything in folders of these names, below another start. */
export const keyOfFolders = (names: readonly string[]): string => names.map((name) => `1${name}/`).join("");

/** The end of the range of keys that begin with a start which ends in a slash. */
export const endOfKeys = (start: string): string => `${start.slice(0, -1)}0`;

/** A name in a key: a folder, or a document. */
export type KeyName = { kind: "folder"; name: string } | { kind: "document"; name: string; id: number };

/** The names in a key, from the root on. */
export function namesInKey(key: string): KeyName[] {
  return key
    .split("/")
    .filter((name) => name !== "")
    .map((text) => {
      if (text.startsWith("1")) return { kind: "folder", name: text.slice(1) };
      const [name = "", id = ""] = text.slice(1).split("\t");
      return { kind: "document", name, id: Number(id) };
    });
}
