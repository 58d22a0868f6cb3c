import { bulkLimit } from "../../contract/limits.ts";
import { ApiError, invalidFields, invalidWhole } from "../../errors.ts";
import { type Body, type Members, membersOf, nameOfType } from "../request/body.ts";

/**
 * A field that clients may send. One table of fields validates a body (every error at once, in the words of Django
 * REST framework), describes the body in OPTIONS and in the schema, and draws the form of the browsable page.
 */
export interface Field<T = unknown> {
  readonly type: FieldType;
  /** Validates and converts a value. Throws a {@link FieldError}. */
  readonly read: (value: unknown) => T;
  readonly label?: string;
  readonly help?: string;
  /** Whether a whole object must contain it. */
  readonly required?: boolean;
  /** The field's value if a whole object is sent without it; without a default, the field stays absent. */
  readonly default?: T;
  readonly nullable?: boolean;
  readonly maxLength?: number;
  readonly choices?: readonly string[];
  /** The name of a field of the same table: a body has either that or this one. */
  readonly insteadOf?: string;
  /** The name of a field of the same table without which a body may not have this one. */
  readonly needs?: string;
  /** A valid value for the published schema, which otherwise shows an example of the field's type. */
  readonly example?: T;
  /** The field of a list's items. */
  readonly item?: Field;
  /**
   * Additions to the published schema where the type says too little, such as the members of a JSON value or the format
   * of a text.
   */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Left out of forms and of the schema: it exists only to be rejected. */
  readonly hidden?: boolean;
}

export type FieldType =
  | "string"
  | "text"
  | "url"
  | "boolean"
  | "integer"
  | "number"
  | "choice"
  | "datetime"
  | "list"
  | "json"
  | "file";

export type FieldTable = Readonly<Record<string, Field>>;

/** The values that a table reads: a field is present if it was sent. */
export type Values<Table extends FieldTable> = {
  -readonly [Name in keyof Table]?: Table[Name] extends Field<infer T>
    ? T | (Table[Name] extends { nullable: true } ? null : never)
    : never;
};

/** The errors of a value: messages, or for a nested value, errors by part. */
export class FieldError extends Error {
  readonly messages: unknown;

  constructor(...messages: string[]) {
    super(messages.join(" "));
    this.messages = messages;
  }

  static nested(messages: unknown): FieldError {
    const error = new FieldError();
    Object.assign(error, { messages });
    return error;
  }
}

/** The file of a form, which the route stores before it reads the other fields. JSON cannot have it. */
export const fileField: Field<undefined> = {
  type: "file",
  label: "File",
  read: () => undefined,
};

/**
 * Whether a body is a whole object, in which missing fields take their default or are an error, or a part of one, in
 * which they stay absent.
 */
export type Extent = "whole" | "part";

/** Validates an object by a table; throws 400 with every message by field. Members without a field are ignored. */
export function readFields<Table extends FieldTable>(
  table: Table,
  members: Members,
  extent: Extent,
): Values<Table> {
  const values = new Map<string, unknown>();
  const errors = new Map<string, unknown>();
  for (const [name, field] of Object.entries(table)) {
    try {
      const value = readMember(field, members.get(name), extent);
      if (value !== undefined) values.set(name, value);
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      errors.set(name, error.messages);
    }
  }
  if (errors.size > 0) throw invalidFields(Object.fromEntries(errors));
  return Object.fromEntries(values) as Values<Table>;
}

function readMember(field: Field, value: unknown, extent: Extent): unknown {
  if (value === undefined) {
    if (extent === "part") return undefined;
    if (field.default !== undefined) return field.default;
    if (field.required === true) throw new FieldError("This field is required.");
    return undefined;
  }
  if (value !== null) return field.read(value);
  if (field.nullable === true) return field.hidden === true ? undefined : null;
  throw new FieldError("This field may not be null.");
}

/** The members of a body that is one object: JSON, or a form whose texts are converted to the table's types. */
export function membersIn(table: FieldTable, body: Body): Members {
  if ("json" in body) return membersOf(body.json);
  return new Map(
    Object.entries(table).flatMap(([name, field]) => {
      const texts = body.form.get(name);
      const value = texts === undefined ? undefined : valueOfTexts(field, texts);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/**
 * A form cannot express null or an absent value for an empty control, so an empty text becomes one of these if the
 * field allows it.
 */
function valueOfTexts(field: Field, texts: readonly string[]): unknown {
  const [last = ""] = texts.slice(-1);
  if (field.type === "list") return texts.filter((item) => item !== "");
  if (last === "" && field.nullable === true) return null;
  if (last === "" && !["string", "text", "url", "choice"].includes(field.type)) return undefined;
  if (field.type !== "json") return last;
  try {
    return JSON.parse(last) as unknown;
  } catch {
    // The text stays as it is, and the field's own error names the type that it expects.
    return last;
  }
}

/** A list of errors stops after this many: one megabyte can hold half a million invalid items. */
const maxErrors = 100;

/**
 * Reads each item of a list. Throws 400 with a list of errors in the order of the request, `{}` for valid items, up
 * to the hundredth invalid one. `read` throws an ApiError (400) for an invalid item.
 */
export function readList<T>(
  value: unknown,
  read: (members: Members, index: number) => T,
  maxItems = bulkLimit,
): T[] {
  if (!Array.isArray(value)) {
    throw invalidWhole(`Expected a list of items but got type "${nameOfType(value)}".`);
  }
  if (value.length > maxItems) throw tooMany();
  const errors: unknown[] = [];
  let invalidCount = 0;
  const items = value.map((item: unknown, index) => {
    try {
      errors.push({});
      return read(membersOf(item), index);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error;
      errors[index] = error.body;
      invalidCount += 1;
      if (invalidCount === maxErrors) throw new ApiError(400, errors);
      return undefined;
    }
  });
  if (invalidCount > 0) throw new ApiError(400, errors);
  return items as T[];
}

export const tooManyMessage = `Bulk API operations are limited to ${bulkLimit} at a time`;

export function tooMany(): ApiError {
  return invalidWhole(tooManyMessage);
}
