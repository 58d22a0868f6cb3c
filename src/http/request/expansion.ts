import type { Query } from "./query.ts";

/** The references to replace by the objects that they refer to, including nested ones. */
export interface Expansion {
  has(name: string): boolean;
  within(name: string): Expansion;
  /** True if nothing is to be expanded. */
  readonly isEmpty: boolean;
}

type Tree = Map<string, Tree>;

/**
 * Parses `expand`: names separated by commas, dots for nested names, `~all` or `*` for all. A list expands only the
 * names that it permits, exactly as written there: `user.organization` expands the user too. A record expands any
 * name; there, "all" means those of the first level. Unknown names are ignored. With `named`, only names count.
 */
export function readExpansion(
  query: Query,
  permitted: readonly string[] | "any",
  takes: "all" | "named" = "all",
): Expansion {
  const names = query.list("expand");
  if (names.length === 0) return noExpansion;
  const isAll = takes === "all" && (names.includes("~all") || names.includes("*"));
  const tree: Tree = new Map();
  if (permitted === "any") {
    for (const name of names.slice(0, maxNames)) grow(tree, name.split(".").slice(0, maxDepth));
    return expansionOf(tree, isAll);
  }
  for (const name of permitted) if (isAll || names.includes(name)) grow(tree, name.split("."));
  return expansionOf(tree, false);
}

/** More than there are expandable names. */
const maxNames = 100;
const maxDepth = 5;

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

const noExpansion = expansionOf(new Map(), false);

/** Finds objects by their ids, as they appear expanded. `within` says what to expand in them. */
export type ExpandedObjects = (
  ids: readonly number[],
  within: Expansion,
) => Promise<ReadonlyMap<number, object>>;

/**
 * Replaces ids in records with the objects that they name. The table has the members that contain ids. The id of an
 * object that is not found stays.
 */
export async function expandMembers(
  records: readonly Record<string, unknown>[],
  expansion: Expansion,
  members: Readonly<Record<string, ExpandedObjects>>,
): Promise<void> {
  for (const [name, find] of Object.entries(members)) {
    if (!expansion.has(name)) continue;
    const ids = new Set(records.map((record) => record[name]).filter((id) => typeof id === "number"));
    const found = await find([...ids], expansion.within(name));
    for (const record of records) record[name] = found.get(record[name] as number) ?? record[name];
  }
}

/** Selects the members of a record to include: see {@link readSelection}. */
export interface Selection {
  of(record: Record<string, unknown>): Record<string, unknown>;
  readonly isWhole: boolean;
}

/** Whether records have all their members, and references instead of what they refer to. */
export function isPlain({ expansion, selection }: { expansion: Expansion; selection: Selection }): boolean {
  return expansion.isEmpty && selection.isWhole;
}

const everything: Selection = { of: (record) => record, isWhole: true };

/** Parses `fields` (only these members) and `omit` (all but these); dots reach into expanded members. */
export function readSelection(query: Query): Selection {
  const [shown, hidden] = [query.list("fields"), query.list("omit")];
  if (shown.length + hidden.length === 0) return everything;
  const [fields, omit]: [Tree, Tree] = [new Map(), new Map()];
  for (const name of shown.slice(0, maxNames)) grow(fields, name.split(".").slice(0, maxDepth));
  for (const name of hidden.slice(0, maxNames)) grow(omit, name.split(".").slice(0, maxDepth));
  return {
    of: (record) => selected(record, fields, omit) as Record<string, unknown>,
    isWhole: fields.size === 0 && omit.size === 0,
  };
}

function selected(value: unknown, fields: Tree, omit: Tree): unknown {
  if (fields.size === 0 && omit.size === 0) return value;
  if (Array.isArray(value)) return value.map((item) => selected(item, fields, omit));
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
