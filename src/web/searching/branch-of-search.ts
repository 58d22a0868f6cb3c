import type { Database } from "../../database/database.ts";
import type { Query } from "../../http/request/query.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { type Branch, branchText, readContainer, readFolder } from "../../resources/documents/branches.ts";
import { findDocument } from "../../resources/documents/store.ts";

/** A branch of the tree of folders and containers to which a search is limited. */
export interface SearchedBranch {
  name: string;
  /** Its clause in the query language. */
  clause: string;
  /** The parameter of the search that names it. */
  parameter: Readonly<Record<string, string>>;
  /** The page on which one browses it. */
  tree: string;
  /** The same search everywhere. */
  without: string;
}

export function treeAddress(home: string, branch: Branch): string {
  const text = branchText(branch);
  return `${home}tree/${text === "" ? "" : `?${branch.kind}=${encodeURIComponent(text)}`}`;
}

/** The parameter that limits a search to a branch: a value in quotes, since it may have spaces. */
export function branchParameter(branch: Branch): Record<string, string> {
  return { [branch.kind]: `"${branchText(branch).replaceAll(/["\\]/g, String.raw`\$&`)}"` };
}

/** The branch that the parameters of a page of results name; null without one. */
export async function searchedBranch(
  database: Database,
  viewer: Viewer,
  query: Query,
  { home, linkTo }: { home: string; linkTo: (query: Query) => string },
): Promise<SearchedBranch | null> {
  for (const kind of ["folder", "container"] as const) {
    const sent = (query.last(kind) ?? "").trim();
    const value = unquoted(sent);
    const branch = kind === "folder" ? readFolder(value) : readContainer(value);
    if (sent === "" || branch === null) continue;
    const clauses = Object.entries(branchParameter(branch)).map(([name, quoted]) => `${name}:${quoted}`);
    return {
      name: await nameOf(database, viewer, branch),
      clause: clauses.join(" "),
      parameter: { [kind]: sent },
      tree: treeAddress(home, branch),
      without: linkTo(query.with(kind, null)),
    };
  }
  return null;
}

const unquoted = (text: string): string =>
  /^".*"$/su.test(text) ? text.slice(1, -1).replaceAll(/\\(.)/gsu, "$1") : text;

/** The path of a folder, and for a container its title and the folder in it. */
async function nameOf(database: Database, viewer: Viewer, branch: Branch): Promise<string> {
  if (branch.kind === "folder") return branch.names.join(" / ");
  const title = (await findDocument(database, viewer, branch.id))?.title ?? "";
  return [title === "" ? String(branch.id) : title, ...branch.names].join(" / ");
}
