import { type Body, type Members, membersOf, valueOf } from "../../http/request/body.ts";
import { takes } from "../../http/fields/field-metadata.ts";
import {
  FieldError,
  type Field,
  type FieldTable,
  bulkLimit,
  membersIn,
  readList,
} from "../../http/fields/fields.ts";

/** What may be sent one at a time, or as a list. */
export type Sent = { list: readonly unknown[] } | { one: Members };

export function sentIn(table: FieldTable, body: Body): Sent {
  const value = valueOf(body);
  return Array.isArray(value) ? { list: value } : { one: membersIn(table, body) };
}

/** Every item; 400 with what is wrong with it, in the order of a list. */
export function readSent<T>(sent: Sent, read: (members: Members) => T): T[] {
  return "one" in sent ? [read(sent.one)] : readList(sent.list, read);
}

/** The values of a field in what was sent, as far as they can be read. */
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

/** A field whose values are different from those and from each other, as far as it has read them. */
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
