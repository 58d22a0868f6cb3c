import { type MentionKind, mentionKinds } from "../contract/search.ts";
import { recognise } from "../recognisers/recognise.ts";
import { mentionValue } from "../recognisers/values.ts";
import { dateRange } from "./query-dates.ts";
import type { Bound, ExactField, Query, RangeField, TextField } from "./query-tree.ts";
import type { RangeEnd } from "./query-tokens.ts";

type NumberField = Exclude<RangeField, "created_at" | "updated_at" | "mention_date" | "mention_birth_date">;

/** A field of the query language. */
export type Field =
  | { kind: "text"; field: TextField }
  | { kind: "exact"; field: ExactField }
  | { kind: "number"; field: NumberField; isId: boolean }
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
    folder: { kind: "exact", field: "folder" },
    container: { kind: "exact", field: "container" },
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
  const mention = mentionFieldNamed(name);
  if (mention !== undefined) return { kind: "exact", field: mention };
  const key = /^data_([\w-]{1,50})$/.exec(name);
  return key === null ? null : { kind: "exact", field: { data: key[1] as string } };
}

export type ValuedField = Exclude<Field, { kind: "text" }>;

export function nameOf({ field }: ValuedField): string {
  if (typeof field === "string") return field;
  return "mention" in field ? mentionFieldName(field) : `data_${field.data}`;
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
    const { field: exact } = field;
    if (typeof exact === "object" && "mention" in exact) return mentionQuery(exact, value, isStart);
    return { kind: isStart ? "begins" : "is", field: exact, value };
  }
  if (isStart && value === "") return { kind: "range", field: field.field, from: null, to: null };
  if (isStart) return { kind: "nothing" };
  const end = { value, isIncluded: true };
  return rangeQuery(field, end, end, now);
}

/** A query for the values between two bounds; `*` is no bound. */
export function rangeQuery(field: ValuedField, from: RangeEnd, to: RangeEnd, now: Date): Query {
  if (field.kind === "exact") {
    const { field: exact } = field;
    const isMention = typeof exact === "object" && "mention" in exact;
    return isMention ? mentionRange(exact, from, to) : { kind: "nothing" };
  }
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

/*
 * Fields for what documents mention: `mention_iban:DE89…` for a kind, and `mention:…` for any. A value may be written
 * in any way in which it may stand in a document.
 */

type MentionField = Extract<ExactField, { mention: unknown }>;

const kinds: ReadonlySet<MentionKind> = new Set(mentionKinds);

/** The kind that `mention_iban` names; null for `mention`, and undefined for another name. */
function mentionFieldNamed(name: string): MentionField | undefined {
  if (name === "mention") return { mention: null };
  const kind = mentionKinds.find((one) => name === `mention_${one}`);
  return kind === undefined ? undefined : { mention: kind };
}

export const mentionFieldName = ({ mention }: MentionField): string =>
  mention === null ? "mention" : `mention_${mention}`;

const isPartOfDate = (text: string): boolean => /^\d{4}(?:-\d{2})?$/.test(text);
const hasDays = ({ mention }: MentionField): boolean => mention === "date" || mention === "birth_date";

/** A query for a value, however it is written, or for those with a prefix. A year or a month stands for its days. */
function mentionQuery(field: MentionField, written: string, isStart: boolean): Query {
  const text = written.trim();
  if (isStart || (hasDays(field) && isPartOfDate(text))) return { kind: "begins", field, value: text };
  if (field.mention !== null) return valueOf(field.mention, text);
  const [only] = recognise(text, kinds);
  const isWhole = only !== undefined && only.start === 0 && only.end === text.length;
  const kind = isWhole ? mentionKinds.find((one) => one === only.kind) : undefined;
  if (kind !== undefined) return valueOf(kind, text);
  // The same letters and digits in the form of an address, of a telephone number, and of any other number.
  const forms = (["email", "phone", "iban"] as const).flatMap((one) => mentionValue(one, text) ?? []);
  const values = Array.from(new Set([text, ...forms]), (value): Query => ({ kind: "is", field, value }));
  return values.length === 1 ? (values[0] as Query) : { kind: "or", of: values };
}

function valueOf(kind: MentionKind, text: string): Query {
  return { kind: "is", field: { mention: kind }, value: mentionValue(kind, text) ?? text };
}

/** A query for days between two bounds, each of which may be a year or a month. Other values have no order. */
function mentionRange(field: MentionField, from: RangeEnd, to: RangeEnd): Query {
  const { mention } = field;
  if (mention !== "date" && mention !== "birth_date") return { kind: "nothing" };
  const [first, last] = [
    boundOf(from, from.isIncluded ? "first" : "last"),
    boundOf(to, to.isIncluded ? "last" : "first"),
  ];
  if (first === undefined || last === undefined) return { kind: "nothing" };
  return { kind: "range", field: `mention_${mention}`, from: first, to: last };
}

/** The first or the last day of what a bound says. Null for no bound, and undefined if it is no date. */
function boundOf({ value, isIncluded }: RangeEnd, day: "first" | "last"): Bound | null | undefined {
  if (value === "*") return null;
  if (!/^\d{4}(?:-\d{2}(?:-\d{2})?)?$/.test(value)) return undefined;
  const rest = day === "first" ? "-01-01" : "-12-31";
  // Days are compared as texts, so that the 31st of any month is right.
  const full = value.length === 4 ? value + rest : value.length === 7 ? value + rest.slice(3) : value;
  return { value: full, isIncluded };
}
