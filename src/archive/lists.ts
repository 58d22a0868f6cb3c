import { readFields } from "../http/fields/fields.ts";
import { timestampNow } from "../http/text/timestamp.ts";
import { isPicture, isUuid } from "../import/read-named.ts";
import {
  type Fields,
  RecordError,
  expected,
  flagIn,
  idIn,
  isFields,
  isId,
  momentIn,
  textIn,
} from "../import/record-fields.ts";
import { newEntityFields } from "../resources/entities/fields.ts";
import { isUsername, unsetPassword } from "../resources/users/account-store.ts";
import { isEmailAddress } from "../resources/users/add-user.ts";

/*
 * The lists of an archive: each member of an element, in the order in which it is written, with the way out of a row
 * and the way into one. A reader throws a RecordError, or the ApiError of a field, if an element differs from what an
 * export writes.
 */

interface Member {
  /** The column, by default the one of the same name. */
  readonly column?: string;
  /** The value for the archive; by default that of the column. */
  readonly show?: (value: unknown) => unknown;
  /** The value of the column. `row` has the columns of the members before this one. */
  readonly read: (fields: Fields, name: string, row: Readonly<Record<string, unknown>>) => unknown;
}

type Members = Readonly<Record<string, Member>>;
type Values = Readonly<Record<string, unknown>>;

/** The row that the members of an element make. */
export type RowIn<M extends Members> = {
  [
    Name in keyof M as M[Name] extends { column: infer Column extends string } ? Column : Name & string
  ]: ReturnType<M[Name]["read"]>;
};

/** The element of a row. */
export function elementOf(members: Members, row: Values): Values {
  return Object.fromEntries(
    Object.entries(members).map(([name, { column = name, show = (value: unknown) => value }]) => [
      name,
      show(row[column]),
    ]),
  );
}

/** The row of an element. */
export function rowIn<M extends Members>(members: M, fields: Fields): RowIn<M> {
  const row: Record<string, unknown> = {};
  for (const [name, { column = name, read }] of Object.entries(members))
    row[column] = read(fields, name, row);
  return row as RowIn<M>;
}

/** The rows of the elements that an element has in one of its members. */
export function rowsIn<M extends Members>(members: M, fields: Fields, name: string): RowIn<M>[] {
  const value: unknown = fields[name] ?? [];
  if (!Array.isArray(value) || !value.every(isFields))
    throw new RecordError(`${name}: expected an array of objects`);
  return value.map((each) => rowIn(members, each));
}

const id = { read: idIn };
const user = { column: "user_id", read: idIn } as const;
const flag = { show: Boolean, read: flagIn };
const text = (maxLength: number) => ({
  read: (fields: Fields, name: string) => textIn(fields, name, maxLength),
});
const uuid = {
  read(fields: Fields, name: string) {
    const read = textIn(fields, name, 100);
    if (!isUuid(read)) throw expected(name, "a UUID");
    return read.toLowerCase();
  },
};
const picture = {
  read(fields: Fields, name: string) {
    const address = textIn(fields, name, 2000);
    if (address !== "" && !isPicture(address)) throw expected(name, "the address of a picture");
    return address;
  },
};
const times = {
  created_at: { read: (fields: Fields, name: string) => momentIn(fields, name) ?? timestampNow() },
  updated_at: {
    read: (fields: Fields, name: string, row: Values) =>
      momentIn(fields, name) ?? (row["created_at"] as string),
  },
} as const;

const rights = ["view", "edit", "admin"] as const;
const access = {
  read(fields: Fields, name: string) {
    const right = rights.find((each) => each === fields[name]);
    if (right === undefined) throw expected(name, `one of ${rights.join(", ")}`);
    return right;
  },
};

/** What an archive says of everyone whom it names. */
export const identity = {
  id,
  uuid,
  username: {
    read(fields: Fields, name: string) {
      const username = textIn(fields, name, 1000);
      if (username === "") throw expected(name, "a text that is not blank");
      return username;
    },
  },
  name: text(1000),
  avatar_url: picture,
  ...times,
} as const;

/** What else it says of a user whose account it has. */
export const account = {
  email: {
    read(fields: Fields, name: string) {
      const email = textIn(fields, name, 254);
      if (email !== "" && !isEmailAddress(email)) throw expected(name, "an email address, or nothing");
      return email;
    },
  },
  organization: {
    column: "organization_id",
    read: (fields: Fields, name: string) => ((fields[name] ?? null) === null ? null : idIn(fields, name)),
  },
  active: {
    column: "is_active",
    show: Boolean,
    read: (fields: Fields, name: string) => (fields[name] ?? null) === null || flagIn(fields, name),
  },
  administrator: { column: "is_administrator", ...flag },
  account: {
    column: "password_hash",
    show: (hash: unknown) => hash !== null,
    read(fields: Fields, name: string, row: Values) {
      if (!flagIn(fields, name)) return null;
      if (isUsername(row["username"] as string)) return unsetPassword;
      throw expected(
        "username",
        "1 to 150 letters (a to z), digits and @ . + - _, as the user has an account",
      );
    },
  },
} as const;

export const organization = {
  id,
  uuid,
  name: text(1000),
  slug: text(1000),
  avatar_url: picture,
  individual: flag,
  ...times,
} as const;

export const member = { user, admin: { column: "is_admin", ...flag } } as const;

export const project = {
  id,
  title: text(1000),
  slug: text(1000),
  description: text(100_000),
  private: flag,
  user,
  ...times,
} as const;

export const collaborator = { user, access } as const;

/** The rest of its members are those that the API takes. */
const entityFrame = {
  id,
  user: {
    column: "user_id",
    read: (fields: Fields, name: string) => (fields[name] === null ? null : idIn(fields, name)),
  },
  ...times,
} as const;

export const savedSearch = { uuid, user, name: text(1000), query: text(100_000), ...times } as const;

export const readPerson = (fields: Fields) => rowIn({ ...identity, ...account }, fields);

export function readOrganization(fields: Fields) {
  const row = rowIn(organization, fields);
  return { ...row, row, members: rowsIn(member, fields, "members") };
}

export function readProject(fields: Fields) {
  const pinned: unknown = fields["pinned_by"] ?? [];
  if (!Array.isArray(pinned) || !pinned.every(isId)) throw expected("pinned_by", "an array of ids");
  const row = rowIn(project, fields);
  return {
    ...row,
    row,
    collaborators: rowsIn(collaborator, fields, "collaborators"),
    pinned_by: [...new Set(pinned)],
  };
}

export function readEntity(fields: Fields) {
  const values = readFields(newEntityFields, new Map(Object.entries(fields)), "whole");
  const { wikidata_id = "", name = "", description = "", wikipedia_url = "", metadata = {} } = values;
  const texts = { wikidata_id, name, description, wikipedia_url, metadata: JSON.stringify(metadata) };
  return { ...rowIn(entityFrame, fields), ...texts };
}

export function entityElement(row: Values): Values {
  const { wikidata_id, name, description, wikipedia_url, metadata } = row;
  const { id: number, ...frame } = elementOf(entityFrame, row);
  const texts = {
    wikidata_id,
    name,
    description,
    wikipedia_url,
    metadata: JSON.parse(String(metadata)) as unknown,
  };
  return { id: number, ...texts, ...frame };
}

export const readSearch = (fields: Fields) => rowIn(savedSearch, fields);
