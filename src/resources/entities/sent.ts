import { bulkLimit } from "../../contract/limits.ts";
import { type Body, type Members, membersOf, valueOf } from "../../http/request/body.ts";
import { takes } from "../../http/fields/field-metadata.ts";
import { FieldError, type Field, type FieldTable, membersIn, readList } from "../../http/fields/fields.ts";

/** The body of a request that contains one item or a list of items. */
export type Sent = { list: readonly unknown[] } | { one: Members };

export function sentIn(table: FieldTable, body: Body): Sent {
  const value = valueOf(body);
  return Array.isArray(value) ? { list: value } : { one: membersIn(table, body) };
}

/** Reads every item. Throws 400 with the errors of each item, in the order of the list. */
export function readSent<T>(sent: Sent, read: (members: Members) => T): T[] {
  return "one" in sent ? [read(sent.one)] : readList(sent.list, read);
}

/** The valid values of one field in all items. */
export function valuesIn<T>(sent: Sent, name: string, field: Field<T>): T[] {
  const all = "one" in sent ? [sent.one] : sent.list.slice(0, bulkLimit).filter(isObject).map(membersOf);
  return all.flatMap((members) => {
    const value = members.get(name);
    return takes(field, value) ? [field.read(value)] : [];
  });
}

function isObject(item: unknown): boolean {
  return typeof item === "object" && item !== null && !Array.isArray(item);
}

/** Restricts a field to values that are not among `those` and that it has not read before. */
export function different<F extends Field>(field: F, those: ReadonlySet<unknown>, message: string): F {
  const seen = new Set(those);
  return {
    ...field,
    read(value: unknown) {
      const read = field.read(value);
      if (seen.has(read)) throw new FieldError(message);
      seen.add(read);
      return read;
    },
  };
}
