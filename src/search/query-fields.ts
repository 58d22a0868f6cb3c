import { dateRange } from "./query-dates.ts";
import type { Bound, ExactField, Query, RangeField, TextField } from "./query-tree.ts";
import type { RangeEnd } from "./query-tokens.ts";

/** A field of the query language. */
export type Field =
  | { kind: "text"; field: TextField }
  | { kind: "exact"; field: ExactField }
  | { kind: "number"; field: Exclude<RangeField, "created_at" | "updated_at">; isId: boolean }
  | { kind: "date"; field: "created_at" | "updated_at" };

const named = new Map<string, Field>(
  Object.entries({
    title: { kind: "text", field: "title" },
    source: { kind: "text", field: "source" },
    description: { kind: "text", field: "description" },
    text: { kind: "text", field: "text" },
    doctext: { kind: "text", field: "text" },
    id: { kind: "number", field: "id", isId: true },
    document: { kind: "number", field: "id", isId: true },
    user: { kind: "number", field: "user", isId: true },
    account: { kind: "number", field: "user", isId: true },
    organization: { kind: "number", field: "organization", isId: true },
    group: { kind: "number", field: "organization", isId: true },
    project: { kind: "number", field: "project", isId: true },
    projects: { kind: "number", field: "project", isId: true },
    parent: { kind: "number", field: "parent", isId: true },
    page_count: { kind: "number", field: "page_count", isId: false },
    pages: { kind: "number", field: "page_count", isId: false },
    created_at: { kind: "date", field: "created_at" },
    updated_at: { kind: "date", field: "updated_at" },
    access: { kind: "exact", field: "access" },
    status: { kind: "exact", field: "status" },
    language: { kind: "exact", field: "language" },
    text_language: { kind: "exact", field: "text_language" },
    slug: { kind: "exact", field: "slug" },
    original_extension: { kind: "exact", field: "original_extension" },
    noindex: { kind: "exact", field: "noindex" },
    tag: { kind: "exact", field: { data: "_tag" } },
  } satisfies Record<string, Field>),
);

/** The fixed names of fields; pages and keys of data have fields as well. */
export const fieldNames: readonly string[] = [...named.keys()];

export function fieldNamed(name: string): Field | null {
  const known = named.get(name);
  if (known !== undefined) return known;
  const page = /^page_no_([1-9]\d{0,5})$/.exec(name);
  if (page !== null) return { kind: "text", field: { page: Number(page[1]) } };
  const key = /^data_([\w-]{1,50})$/.exec(name);
  return key === null ? null : { kind: "exact", field: { data: key[1] as string } };
}

export type ValuedField = Exclude<Field, { kind: "text" }>;

export function nameOf({ field }: ValuedField): string {
  return typeof field === "string" ? field : `data_${field.data}`;
}

export function textFieldOf(field: Field | null): TextField | null {
  return field?.kind === "text" ? field.field : null;
}

/**
 * A query for one value of a field, or for values with this prefix. A value that the field cannot have matches
 * nothing.
 */
export function valueQuery(field: ValuedField, value: string, isStart: boolean, now: Date): Query {
  if (field.kind === "exact") {
    // PostgreSQL neither stores nor accepts such a text.
    if (value.includes("\0")) return { kind: "nothing" };
    return { kind: isStart ? "begins" : "is", field: field.field, value };
  }
  if (isStart && value === "") return { kind: "range", field: field.field, from: null, to: null };
  if (isStart) return { kind: "nothing" };
  const end = { value, isIncluded: true };
  return rangeQuery(field, end, end, now);
}

/** A query for the values between two bounds; `*` is no bound. */
export function rangeQuery(field: ValuedField, from: RangeEnd, to: RangeEnd, now: Date): Query {
  if (field.kind === "exact") return { kind: "nothing" };
  if (field.kind === "date") return dateRange(field.field, from, to, now);
  const [first, last] = [numberIn(from, field.isId), numberIn(to, field.isId)];
  if (first === undefined || last === undefined) return { kind: "nothing" };
  return {
    kind: "range",
    field: field.field,
    from: first === null ? null : wholeBound(first, Math.ceil(first), from.isIncluded),
    to: last === null ? null : wholeBound(last, Math.floor(last), to.isIncluded),
  };
}

/** All these numbers are integers: more than 1.5 means 2 or more. */
function wholeBound(value: number, whole: number, isIncluded: boolean): Bound {
  return { value: whole, isIncluded: isIncluded || value !== whole };
}

/** An id may follow a slug. Undefined if this is not a number. */
function numberIn({ value }: RangeEnd, isId: boolean): number | null | undefined {
  if (value === "*") return null;
  const text = isId ? value.slice(value.lastIndexOf("-") + 1) : value;
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
}
