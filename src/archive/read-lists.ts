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
import { isPicture, isUuid } from "../import/read-record.ts";
import { timestampNow } from "../http/text/timestamp.ts";
import { readFields } from "../http/fields/fields.ts";
import { newEntityFields } from "../resources/entities/fields.ts";
import { isUsername } from "../resources/users/account-store.ts";
import { isEmailAddress } from "../resources/users/add-user.ts";

/*
 * Readers of the lists of an archive. Each throws a RecordError, or the ApiError of a field, if an element differs from
 * what an export writes.
 */

interface Times {
  created_at: string;
  updated_at: string;
}

interface Identity extends Times {
  id: number;
  uuid: string;
  name: string;
  avatar_url: string;
}

export interface ArchivedPerson extends Identity {
  username: string;
  /** Empty if unknown. */
  email: string;
  /** The id of the active organization. */
  organization: number | null;
  /** Whether the user can sign in after setting a password. */
  isAccount: boolean;
  isActive: boolean;
  isAdministrator: boolean;
}

export interface ArchivedOrganization extends Identity {
  slug: string;
  individual: boolean;
  members: { user: number; admin: boolean }[];
}

export interface ArchivedProject extends Times {
  id: number;
  title: string;
  slug: string;
  description: string;
  private: boolean;
  user: number;
  collaborators: { user: number; access: "view" | "edit" | "admin" }[];
  pinned_by: number[];
}

export interface ArchivedEntity extends Times {
  id: number;
  user_id: number | null;
  wikidata_id: string;
  name: string;
  description: string;
  wikipedia_url: string;
  /** JSON. */
  metadata: string;
}

export interface ArchivedSearch extends Times {
  uuid: string;
  user_id: number;
  name: string;
  query: string;
}

export function readPerson(fields: Fields): ArchivedPerson {
  const username = textIn(fields, "username", 1000);
  if (username === "") throw expected("username", "a text that is not blank");
  const email = textIn(fields, "email", 254);
  if (email !== "" && !isEmailAddress(email)) throw expected("email", "an email address, or nothing");
  const isAccount = flagIn(fields, "account");
  if (isAccount && !isUsername(username)) {
    throw expected("username", "1 to 150 letters (a to z), digits and @ . + - _, as the user has an account");
  }
  return {
    ...identityIn(fields),
    username,
    email,
    organization: fields["organization"] === undefined ? null : idOrNullIn(fields, "organization"),
    isAccount,
    isActive: (fields["active"] ?? null) === null || flagIn(fields, "active"),
    isAdministrator: flagIn(fields, "administrator"),
  };
}

export function readOrganization(fields: Fields): ArchivedOrganization {
  return {
    ...identityIn(fields),
    slug: textIn(fields, "slug", 1000),
    individual: flagIn(fields, "individual"),
    members: objectsIn(fields, "members").map((member) => ({
      user: idIn(member, "user"),
      admin: flagIn(member, "admin"),
    })),
  };
}

const rights = ["view", "edit", "admin"] as const;

export function readProject(fields: Fields): ArchivedProject {
  const pinned: unknown = fields["pinned_by"] ?? [];
  if (!Array.isArray(pinned) || !pinned.every(isId)) throw expected("pinned_by", "an array of ids");
  return {
    id: idIn(fields, "id"),
    title: textIn(fields, "title", 1000),
    slug: textIn(fields, "slug", 1000),
    description: textIn(fields, "description", 100_000),
    private: flagIn(fields, "private"),
    user: idIn(fields, "user"),
    ...timesIn(fields),
    collaborators: objectsIn(fields, "collaborators").map((collaborator) => {
      const access = rights.find((right) => right === collaborator["access"]);
      if (access === undefined) throw expected("access", `one of ${rights.join(", ")}`);
      return { user: idIn(collaborator, "user"), access };
    }),
    pinned_by: [...new Set(pinned)],
  };
}

export function readEntity(fields: Fields): ArchivedEntity {
  const values = readFields(newEntityFields, new Map(Object.entries(fields)), "whole");
  const { wikidata_id = "", name = "", description = "", wikipedia_url = "", metadata = {} } = values;
  return {
    id: idIn(fields, "id"),
    user_id: idOrNullIn(fields, "user"),
    wikidata_id,
    name,
    description,
    wikipedia_url,
    metadata: JSON.stringify(metadata),
    ...timesIn(fields),
  };
}

export function readSearch(fields: Fields): ArchivedSearch {
  return {
    uuid: uuidIn(fields),
    user_id: idIn(fields, "user"),
    name: textIn(fields, "name", 1000),
    query: textIn(fields, "query", 100_000),
    ...timesIn(fields),
  };
}

function identityIn(fields: Fields): Identity {
  const avatar_url = textIn(fields, "avatar_url", 2000);
  if (avatar_url !== "" && !isPicture(avatar_url)) throw expected("avatar_url", "the address of a picture");
  return {
    id: idIn(fields, "id"),
    uuid: uuidIn(fields),
    name: textIn(fields, "name", 1000),
    avatar_url,
    ...timesIn(fields),
  };
}

function uuidIn(fields: Fields): string {
  const uuid = textIn(fields, "uuid", 100);
  if (!isUuid(uuid)) throw expected("uuid", "a UUID");
  return uuid.toLowerCase();
}

function idOrNullIn(fields: Fields, name: string): number | null {
  return fields[name] === null ? null : idIn(fields, name);
}

function timesIn(fields: Fields): Times {
  const created_at = momentIn(fields, "created_at") ?? timestampNow();
  return { created_at, updated_at: momentIn(fields, "updated_at") ?? created_at };
}

function objectsIn(fields: Fields, name: string): Fields[] {
  const value: unknown = fields[name] ?? [];
  if (!Array.isArray(value) || !value.every(isFields))
    throw new RecordError(`${name}: expected an array of objects`);
  return value;
}
