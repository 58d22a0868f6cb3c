/*
 * The vocabulary of shapes. A shape is JSON Schema at run time, for the published document, and a type for the
 * compiler: `Static<typeof Note>` is the type of a note. A shape with an `$id` is a component: the document contains it
 * once, under that name, and every use of it becomes a reference.
 */

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema of values of type T. The member `~type` exists for the compiler alone. It is not a symbol, which the
 * declarations in the npm package could not name.
 */
export type Schema<T> = JsonSchema & { readonly "~type"?: T };

/** The type of the values that a schema describes. */
export type Static<S> = S extends { readonly "~type"?: infer T } ? T : unknown;

/** The schema of a member that the object may lack. The mark exists for the compiler alone. */
export interface OptionalMember {
  readonly "~optional": true;
}

/** The schemas of an object's members, by name. */
export type Properties = Readonly<Record<string, JsonSchema>>;

/** The type of an object with these members. */
export type ObjectOf<P extends Properties> = {
  [Name in keyof P as P[Name] extends OptionalMember ? never : Name]: Static<P[Name]>;
} & {
  [Name in keyof P as P[Name] extends OptionalMember ? Name : never]?: Static<P[Name]>;
};

/** A record in which these members are expanded: the records themselves instead of their ids. */
export type Expanded<Shape, Name extends keyof Shape> = Omit<Shape, Name> & {
  [Member in Name]-?: Extract<Shape[Member], object>;
};

/** One page of a list. */
export interface Page<Item> {
  next: string | null;
  previous: string | null;
  results: Item[];
}

/** What a schema of any type may say besides: `description`, `format`, `minimum`, `$id` and so on. */
type Options = Readonly<Record<string, unknown>>;

const optional = new WeakSet<JsonSchema>();

function objectSchema<P extends Properties>(
  properties: P,
  options: Options & { additionalProperties: true },
): Schema<ObjectOf<P> & Record<string, unknown>> & { readonly properties: P };
function objectSchema<P extends Properties>(
  properties: P,
  options?: Options,
): Schema<ObjectOf<P>> & { readonly properties: P };
function objectSchema(properties: Properties, options?: Options): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.has(properties[name] as JsonSchema));
  return { type: "object", ...(required.length > 0 && { required }), properties, ...options };
}

/**
 * Writes JSON Schema. A library does the same, but it loads 370 files for it, which took a sixth of the processor
 * time that loading Quire takes.
 */
export const Type = {
  Object: objectSchema,
  Array: <T>(items: Schema<T>, options?: Options): Schema<T[]> => ({ type: "array", items, ...options }),
  String: (options?: Options): Schema<string> => ({ type: "string", ...options }),
  Integer: (options?: Options): Schema<number> => ({ type: "integer", ...options }),
  Number: (options?: Options): Schema<number> => ({ type: "number", ...options }),
  Boolean: (options?: Options): Schema<boolean> => ({ type: "boolean", ...options }),
  Null: (): Schema<null> => ({ type: "null" }),
  /** Any value. */
  Unknown: (): Schema<unknown> => ({}),
  /** One text only. */
  Literal: <const T extends string>(text: T): Schema<T> => ({ type: "string", const: text }),
  /** At least one of these. */
  Union: <S extends JsonSchema>(anyOf: readonly S[], options?: Options): Schema<Static<S>> => ({
    anyOf,
    ...options,
  }),
  /** A member that the object may lack. */
  Optional: <T>(schema: Schema<T>): Schema<T> & OptionalMember => {
    const copy = { ...schema };
    optional.add(copy);
    return copy as typeof copy & OptionalMember;
  },
};

/** Exactly one of these: an id, or the record that it is expanded to. */
export function oneOf<S extends JsonSchema>(schemas: readonly S[], description?: string): Schema<Static<S>> {
  return { oneOf: schemas, ...(description !== undefined && { description }) };
}

export function enumeration<const T extends string>(values: readonly T[], description?: string): Schema<T> {
  return { type: "string", enum: values, ...(description !== undefined && { description }) };
}

/** The schema of a plain type, or null. */
export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  const { type } = schema as { type?: unknown };
  return { ...schema, type: [type, "null"] };
}

/** An object whose members all have the same shape, whatever their names. */
export function dictionary<T>(
  value: Schema<T>,
  options: { $id?: string; description?: string } = {},
): Schema<Record<string, T>> {
  return { type: "object", additionalProperties: value, ...options };
}

const formatted = (format: string) => (description?: string) =>
  Type.String({ format, ...(description !== undefined && { description }) });

/** UTC, in ISO 8601 with microseconds and a trailing Z. */
export const dateTime = formatted("date-time");
export const uri = formatted("uri");
/** An address, or an empty text. */
export const uriOrEmpty = formatted("uri-reference");
export const uuid = formatted("uuid");

export function id(description?: string): Schema<number> {
  return Type.Integer({ format: "int64", minimum: 1, ...(description !== undefined && { description }) });
}

/** A page number in a response, counting from 0. */
export const pageNumber = (description = "the first page is 0") => Type.Integer({ minimum: 0, description });

/** A reference in a record: the id, or the whole record if `expand` requests it. */
export function expandable<T>(record: Schema<T>, description?: string): Schema<number | T> {
  return oneOf<Schema<number | T>>([id(), record], description);
}

export const link = nullable(uri());

/** The schema of one page of a list, and of what else the list shows. */
export function listOf<T>(name: string, item: Schema<T>): Schema<Page<T>>;
export function listOf<T, P extends Properties>(
  name: string,
  item: Schema<T>,
  more: P,
): Schema<Page<T> & ObjectOf<P>>;
export function listOf(name: string, item: JsonSchema, more: Properties = {}): JsonSchema {
  return Type.Object({ ...more, next: link, previous: link, results: Type.Array(item) }, { $id: name });
}
