import { boostOf } from "./query-tokens.ts";
import type { Query } from "./query-tree.ts";

export type Modifier = "must" | "mustNot" | null;

/** A part of a list of clauses. */
export interface Clause {
  modifier: Modifier;
  query: Query;
  /** The field of the clause, if its values can narrow the results. */
  filter: string | null;
  /** Whether the clause comes from a parameter in addition to the query. */
  isParameter: boolean;
}

/**
 * Combines adjacent clauses: any of them matches, but all with a `+` must and none with a `-` may. Of narrowing
 * filters, any value of each field matches.
 */
export function combined(
  clauses: readonly Clause[],
  mayNarrow: (clause: Clause) => boolean = () => false,
): Query {
  const narrowing = new Map<string, Query[]>();
  const rest: Clause[] = [];
  for (const clause of clauses) {
    const { filter, modifier, query } = clause;
    if (filter === null || modifier === "mustNot" || !mayNarrow(clause)) rest.push(clause);
    else narrowing.set(filter, [...(narrowing.get(filter) ?? []), query]);
  }
  const of = (modifier: Modifier): Query[] =>
    rest.filter((clause) => clause.modifier === modifier).map(({ query }) => query);
  const [plainClauses, required, excluded] = [of(null), of("must"), of("mustNot")];
  const optional: Query[] =
    plainClauses.length === 0
      ? []
      : [anyOf(required.length > 0 ? [{ kind: "everything" }, ...plainClauses] : plainClauses)];
  const all: Query[] = [
    ...[...narrowing.values()].map(anyOf),
    ...required,
    ...optional,
    ...(excluded.length === 0 ? [] : [negation(anyOf(excluded))]),
  ];
  return all.length === 0 ? { kind: "everything" } : allOf(all);
}

/**
 * Joins the operands of AND or OR; null if there are none. A single clause keeps its modifier, for the list that
 * contains it.
 */
export function joined(kind: "and" | "or", clauses: readonly (Clause | null)[]): Clause | null {
  const all = clauses.filter((clause) => clause !== null);
  const [first] = all;
  if (first === undefined || all.length === 1) return first ?? null;
  const of = all.map(({ modifier, query }) => (modifier === "mustNot" ? negation(query) : query));
  return { modifier: null, query: { kind, of }, filter: null, isParameter: false };
}

/** `(a b)^2` is `(a^2 b^2)`. */
export function boosted(query: Query, by: number): Query {
  if (by === 1) return query;
  switch (query.kind) {
    case "words":
      return { ...query, boost: boostOf(query.boost * by) };
    case "and":
    case "or":
      return { ...query, of: query.of.map((operand) => boosted(operand, by)) };
    case "not":
      return { ...query, of: boosted(query.of, by) };
    case "everything":
    case "nothing":
    case "has":
    case "is":
    case "begins":
    case "range":
      return query;
  }
}

function anyOf(of: readonly Query[]): Query {
  return of.length === 1 ? (of[0] as Query) : { kind: "or", of };
}

function allOf(of: readonly Query[]): Query {
  return of.length === 1 ? (of[0] as Query) : { kind: "and", of };
}

function negation(of: Query): Query {
  if (of.kind === "not") return of.of;
  if (of.kind === "everything") return { kind: "nothing" };
  return of.kind === "nothing" ? { kind: "everything" } : { kind: "not", of };
}

/** What follows `exact:` has words without other forms. Any other name leaves a clause as it is. */
export function namedBy(name: string, clause: Clause | null): Clause | null {
  return name === "exact" && clause !== null ? { ...clause, query: exactly(clause.query) } : clause;
}

/** The query for the same words and no other forms of them. */
function exactly(query: Query): Query {
  if (query.kind === "not") return { ...query, of: exactly(query.of) };
  if (query.kind === "and" || query.kind === "or") return { ...query, of: query.of.map(exactly) };
  if (query.kind !== "words" || query.words.length > 1) return query;
  return query.words.every((word) => "word" in word) ? { ...query, exact: true } : query;
}
