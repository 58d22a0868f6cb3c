import type { NamedOrganization } from "../resources/organizations/store.ts";
import type { NamedProject } from "../resources/projects/store.ts";
import type { NamedUser } from "../resources/users/store.ts";
import { type Fields, expected, flagIn, isFields, isId, momentIn, textIn } from "./record-fields.ts";

/*
 * The users, organizations and projects that a record names: by their ids, or whole if the request for the list has
 * expanded them.
 */

export type RecordProject = Omit<NamedProject, "user_id" | "isOwnerNamed"> & { user: NamedUser | null };

/** A set of the names of members, from a text. */
export function members(names: string): ReadonlySet<string> {
  return new Set(names.trim().split(/\s+/));
}

const nothingSaid = {
  isExpanded: false,
  uuid: null,
  avatar_url: null,
  created_at: null,
  updated_at: null,
} as const;

/** Users, organizations and projects come as ids, or as objects if the request for the list expanded them. */
function fieldsOf(value: unknown, name: string): Fields & { id: number } {
  if (!isFields(value) || !isId(value["id"])) throw expected(name, "an id");
  return value as Fields & { id: number };
}

function sharedIn(
  fields: Fields,
  leftOut: string[],
  where: string,
): Pick<NamedUser, keyof typeof nothingSaid> {
  const isKept = (name: string, value: unknown, isGood: (text: string) => boolean): value is string => {
    const isText = typeof value === "string" && isGood(value);
    if (!isText && saysSomething(value)) leftOut.push(where + name);
    return isText;
  };
  const { uuid, avatar_url } = fields;
  return {
    isExpanded: true,
    uuid: isKept("uuid", uuid, isUuid) ? uuid.toLowerCase() : null,
    avatar_url: isKept("avatar_url", avatar_url, isPicture) ? avatar_url : null,
    created_at: momentIn(fields, "created_at"),
    updated_at: momentIn(fields, "updated_at"),
  };
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

export function isPicture(text: string): boolean {
  return text.length <= 2000 && /^https?:\/\/[^\s\p{Cc}"<>]+$/iu.test(text) && URL.canParse(text);
}

const userMembers = members("id uuid username name avatar_url created_at updated_at");

/**
 * The user in the member `name`, if any.
 *
 * @throws {RecordError}
 */
export function userIn(value: unknown, name: string, leftOut: string[]): NamedUser | null {
  if ((value ?? null) === null) return null;
  if (isId(value)) return { id: value, username: null, name: null, ...nothingSaid };
  const fields = fieldsOf(value, name);
  noteOthers(fields, userMembers, leftOut, "user.");
  const { id } = fields;
  return {
    id,
    username: nameIn(fields, "username"),
    name: nameIn(fields, "name"),
    ...sharedIn(fields, leftOut, "user."),
  };
}

const organizationMembers = members("id uuid name slug avatar_url individual created_at updated_at");

export function organizationIn(value: unknown, name: string, leftOut: string[]): NamedOrganization | null {
  if ((value ?? null) === null) return null;
  if (isId(value)) return { id: value, name: null, slug: null, individual: false, ...nothingSaid };
  const fields = fieldsOf(value, name);
  noteOthers(fields, organizationMembers, leftOut, "organization.");
  return {
    id: fields.id,
    name: nameIn(fields, "name"),
    slug: nameIn(fields, "slug"),
    individual: flagIn(fields, "individual"),
    ...sharedIn(fields, leftOut, "organization."),
  };
}

/** The last three are the client's rights. */
const projectMembers = members(`
  id title slug description private user created_at updated_at edit_access add_remove_access pinned
`);

export function projectsIn(record: Fields, leftOut: string[]): RecordProject[] {
  const value = record["projects"] ?? [];
  if (!Array.isArray(value)) throw expected("projects", "an array of ids");
  if (value.length === 0) return [];
  const projects = value.map((project: unknown) => readProject(project, leftOut));
  return [...new Map(projects.map((project) => [project.id, project])).values()];
}

function readProject(value: unknown, leftOut: string[]): RecordProject {
  if (isId(value)) {
    const said = { title: null, slug: null, description: "", private: false, user: null };
    return { id: value, ...said, isExpanded: false, created_at: null, updated_at: null };
  }
  const fields = fieldsOf(value, "projects");
  noteOthers(fields, projectMembers, leftOut, "projects.");
  return {
    id: fields.id,
    isExpanded: true,
    title: nameIn(fields, "title"),
    slug: nameIn(fields, "slug"),
    description: textIn(fields, "description", 100_000),
    private: flagIn(fields, "private"),
    user: userIn(fields["user"], "projects.user", leftOut),
    created_at: momentIn(fields, "created_at"),
    updated_at: momentIn(fields, "updated_at"),
  };
}

/** Adds to `leftOut` the members that have a value but are not imported. */
export function noteOthers(
  fields: Fields,
  known: ReadonlySet<string>,
  leftOut: string[],
  where: string,
): void {
  for (const name in fields) if (!known.has(name) && saysSomething(fields[name])) leftOut.push(where + name);
}

function saysSomething(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== "" && value !== false;
}

function nameIn(fields: Fields, name: string): string | null {
  return textIn(fields, name, 1000) || null;
}
