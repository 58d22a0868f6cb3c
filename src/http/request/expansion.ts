import type { Query } from "./query.ts";

/** Which references are to be shown as what they refer to, and which of those within them. */
export interface Expansion {
  has(name: string): boolean;
  within(name: string): Expansion;
  /** Nothing is to be expanded. */
  readonly isEmpty: boolean;
}

type Tree = Map<string, Tree>;

/**
 * Reads `expand`: names with commas, dots for those within, `~all` or `*` for all. A list expands only the names that
 * it permits, each as it stands there: `user.organization` expands the user too. A record expands any name, and all of
 * them are those of the first level. Unknown names are nobody's, and so ignored; `named` takes names alone.
 */
export function readExpansion(
  query: Query,
  permitted: readonly string[] | "any",
  takes: "all" | "named" = "all",
): Expansion {
  const asked = query.list("expand");
  const isAll = takes === "all" && (asked.includes("~all") || asked.includes("*"));
  const tree: Tree = new Map();
  if (permitted === "any") {
    for (const name of asked.slice(0, maxNames)) grow(tree, name.split(".").slice(0, deepest));
    return expansionOf(tree, isAll);
  }
  for (const name of permitted) if (isAll || asked.includes(name)) grow(tree, name.split("."));
  return expansionOf(tree, false);
}

/** More than there are names to expand. */
const maxNames = 100;
const deepest = 5;

function grow(tree: Tree, [first, ...rest]: string[]): void {
  if (first === undefined) return;
  const branch = tree.get(first) ?? new Map<string, Tree>();
  tree.set(first, branch);
  grow(branch, rest);
}

function expansionOf(tree: Tree, isAll: boolean): Expansion {
  return {
    has: (name) => isAll || tree.has(name),
    within: (name) => expansionOf(tree.get(name) ?? new Map(), false),
    isEmpty: !isAll && tree.size === 0,
  };
}

/** Which members of a record are shown: see {@link readSelection}. */
export interface Selection {
  of(record: Record<string, unknown>): Record<string, unknown>;
  readonly isWhole: boolean;
}

/** Reads `fields` (only these members) and `omit` (not these); dots reach into expanded members. */
export function readSelection(query: Query): Selection {
  const [fields, omit]: [Tree, Tree] = [new Map(), new Map()];
  for (const name of query.list("fields").slice(0, maxNames)) grow(fields, name.split(".").slice(0, deepest));
  for (const name of query.list("omit").slice(0, maxNames)) grow(omit, name.split(".").slice(0, deepest));
  return {
    of: (record) => selected(record, fields, omit) as Record<string, unknown>,
    isWhole: fields.size === 0 && omit.size === 0,
  };
}

function selected(value: unknown, fields: Tree, omit: Tree): unknown {
  if (fields.size === 0 && omit.size === 0) return value;
  if (Array.isArray(value)) return value.map((one) => selected(one, fields, omit));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(
    ([name]) => (fields.size === 0 || fields.has(name)) && omit.get(name)?.size !== 0,
  );
  const nothing: Tree = new Map();
  return Object.fromEntries(
    members.map(([name, member]) => [
      name,
      selected(member, fields.get(name) ?? nothing, omit.get(name) ?? nothing),
    ]),
  );
}
