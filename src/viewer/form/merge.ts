import { type Client, RefusedError } from "../model/send.ts";

/** The name of a field of a form. */
export type FieldName<Values> = keyof Values & string;

/** The values of a record at one moment. */
export interface Version<Values> {
  values: Values;
  /** The entity tag of the record; null if it is not known, or if the API has none for records of this kind. */
  etag: string | null;
}

/** A record of the API that one form changes, and that others may change meanwhile. */
export interface SharedRecord<Values, Saved> {
  read: () => Promise<Version<Values>>;
  /** Sends what makes of one set of values the other. The API refuses it (412) unless the entity tag is current. */
  write: (from: Values, to: Values, etag: string | null) => Promise<Saved>;
  /** Fields that are one value, such as the page and the edges of a box. */
  together?: readonly FieldName<Values>[];
}

/** A record of the API at a path below its root. */
export function recordAt<Values extends object, Item>(
  client: Client,
  path: string,
  {
    valuesOf,
    together = [],
    changesOf = (from, to) => changedIn(from, to, together),
  }: {
    /** The values in a response. */
    valuesOf: (item: Item) => Values;
    together?: readonly FieldName<Values>[];
    /** What to send so that some values become others. Otherwise these are the values that differ. */
    changesOf?: (from: Values, to: Values) => unknown;
  },
): SharedRecord<Values, Item> {
  return {
    together,
    read: async () => {
      const { body, etag } = await client.exchange("GET", path);
      return { values: valuesOf(body as Item), etag };
    },
    write: async (from, to, ifMatch) => {
      const { body } = await client.exchange("PATCH", path, { value: changesOf(from, to), ifMatch });
      return body as Item;
    },
  };
}

/** Others have changed the same fields to different values. */
export class ConflictError<Values> extends Error {
  override readonly name = "ConflictError";
  readonly fields: readonly FieldName<Values>[];
  /** The record as others left it. */
  readonly theirs: Version<Values>;
  /** Their values, but for the fields that were edited here. */
  readonly merged: Values;

  constructor(fields: readonly FieldName<Values>[], theirs: Version<Values>, merged: Values) {
    super(`changed by others: ${fields.join(", ")}`);
    this.fields = fields;
    this.theirs = theirs;
    this.merged = merged;
  }
}

/** The fields in which two sets of values differ. Those that are one value differ together. */
export function differences<Values extends object>(
  from: Values,
  to: Values,
  together: readonly FieldName<Values>[] = [],
): FieldName<Values>[] {
  const differing = (Object.keys(from) as FieldName<Values>[]).filter(
    (field) => JSON.stringify(from[field]) !== JSON.stringify(to[field]),
  );
  const others = differing.filter((field) => !together.includes(field));
  return others.length === differing.length ? differing : [...others, ...together];
}

/** The values that make of `from` the values `to`. */
export function changedIn<Values extends object>(
  from: Values,
  to: Values,
  together: readonly FieldName<Values>[] = [],
): Partial<Values> {
  const changed = differences(from, to, together).map((field) => [field, to[field]] as const);
  return Object.fromEntries(changed) as unknown as Partial<Values>;
}

/**
 * Brings values up to date after somebody else has changed the record. Fields that were not edited here take the new
 * values. `conflicts` are the fields that both have changed, to different values: they stay as they were edited here.
 */
export function merge<Values extends object>(
  base: Values,
  mine: Values,
  theirs: Values,
  together: readonly FieldName<Values>[] = [],
): { merged: Values; conflicts: FieldName<Values>[] } {
  const edited = new Set(differences(base, mine, together));
  const differing = new Set(differences(theirs, mine, together));
  const conflicts = differences(base, theirs, together).filter(
    (field) => edited.has(field) && differing.has(field),
  );
  return { merged: { ...theirs, ...changedIn(base, mine, together) }, conflicts };
}

/**
 * Saves what was edited. If others have changed other fields meanwhile, their changes stay.
 *
 * @throws {ConflictError} If they have changed the same fields.
 */
export async function saveMerged<Values extends object, Saved>(
  { read, write, together }: SharedRecord<Values, Saved>,
  base: Version<Values>,
  mine: Values,
): Promise<Saved> {
  let [from, to] = [base, mine];
  let isCurrent = base.etag !== null;
  for (;;) {
    if (!isCurrent) {
      const theirs = await read();
      const { merged, conflicts } = merge(from.values, to, theirs.values, together);
      if (conflicts.length > 0) throw new ConflictError(conflicts, theirs, merged);
      [from, to] = [theirs, merged];
    }
    try {
      return await write(from.values, to, from.etag);
    } catch (error) {
      if (!(error instanceof RefusedError && error.status === 412)) throw error;
      isCurrent = false;
    }
  }
}
