import { accessLevels, statuses } from "../resources/document-states.ts";
import { timestampNow } from "../http/text/timestamp.ts";
import { fileExtensions } from "../resources/documents/file-extensions.ts";
import { languageCodes } from "../resources/documents/languages.ts";
import { slugOf } from "../http/text/slug.ts";
import type { DocumentValues } from "../resources/documents/record/import-store.ts";
import type { NamedOrganization } from "../resources/organizations/store.ts";
import type { NamedProject } from "../resources/projects/store.ts";
import type { NamedUser } from "../resources/users/store.ts";
import {
  type Fields,
  RecordError,
  choiceIn,
  countIn,
  dataIn,
  expected,
  flagIn,
  idIn,
  isFields,
  isId,
  momentIn,
  pageSpecIn,
  textIn,
} from "./record-fields.ts";

/** A record of the list, as it goes into the database. */
export interface ReadRecord {
  values: Omit<DocumentValues, "user_id" | "organization_id">;
  /** The moments that it does not name, and others stand in the place of. */
  unnamed: readonly ("created_at" | "updated_at")[];
  /** Null where the record names none. */
  user: NamedUser | null;
  organization: NamedOrganization | null;
  projects: readonly Omit<NamedProject, "user_id">[];
}

/**
 * Checks a record of the API against the API's own limits. What it does not say is as the API has it by default, but
 * for `id` and `title`, which a record must have; what the API does not know is passed over.
 *
 * @throws {RecordError}
 */
export function readRecord(record: unknown): ReadRecord {
  if (!isFields(record)) throw new RecordError("not a record: expected a JSON object");
  const id = idIn(record, "id");
  const title = textIn(record, "title", 1000);
  if (title.trim() === "") throw expected("title", "a text that is not blank");
  const pageCount = countIn(record, "page_count", 0);
  const createdAt = momentIn(record, "created_at");
  const updatedAt = momentIn(record, "updated_at");
  const made = createdAt ?? timestampNow();
  return {
    values: {
      id,
      access: choiceIn(record, "access", access),
      admin_noindex: flagIn(record, "admin_noindex"),
      asset_url: assetUrlIn(record),
      created_at: made,
      data: dataIn(record, "data"),
      description: textIn(record, "description", 4000),
      file_hash: choiceIn(record, "file_hash", fileHash),
      language: choiceIn(record, "language", language),
      noindex: flagIn(record, "noindex"),
      original_extension: choiceIn(record, "original_extension", extension),
      page_count: pageCount,
      page_spec: pageSpecIn(record, "page_spec", pageCount),
      publish_at: futureMomentIn(record, "publish_at"),
      published_url: textIn(record, "published_url", 1024),
      related_article: textIn(record, "related_article", 1024),
      revision_control: flagIn(record, "revision_control"),
      slug: (record["slug"] ?? null) === null ? slugOf(title) : choiceIn(record, "slug", slug),
      source: textIn(record, "source", 1000),
      status: choiceIn(record, "status", status),
      title,
      updated_at: updatedAt ?? made,
    },
    unnamed: unnamedOf(createdAt, updatedAt),
    user: userIn(record),
    organization: organizationIn(record),
    projects: projectsIn(record),
  };
}

/** A time to publish that is over has done what it does: it is not for an import to publish what was made private since. */
function futureMomentIn(record: Fields, name: string): string | null {
  const moment = momentIn(record, name);
  return moment === null || moment <= timestampNow() ? null : moment;
}

function unnamedOf(createdAt: string | null, updatedAt: string | null): ReadRecord["unnamed"] {
  if (createdAt !== null) return updatedAt === null ? ["updated_at"] : [];
  return updatedAt === null ? ["created_at", "updated_at"] : ["created_at"];
}

const access = {
  missing: "private",
  idMatches: (text: string) => (accessLevels as readonly string[]).includes(text),
  what: `one of ${accessLevels.join(", ")}`,
};

/** One that is deleted is not there any more: no list has it. */
const givenStatuses: readonly string[] = statuses.filter((one) => one !== "deleted");

const status = {
  missing: "nofile",
  idMatches: (text: string) => givenStatuses.includes(text),
  what: `one of ${givenStatuses.join(", ")}`,
};

const fileHash = {
  missing: "",
  idMatches: (text: string) => /^([0-9a-f]{40})?$/.test(text),
  what: "40 hexadecimal digits in lower case, or nothing",
};

const language = {
  missing: "eng",
  idMatches: (text: string) => text === "" || languageCodes.has(text),
  what: "the code of a language, such as eng",
};

const extension = {
  missing: "pdf",
  idMatches: (text: string) => fileExtensions.has(text),
  what: "the extension of a kind of file that can be a document, such as pdf",
};

const slug = {
  missing: "",
  idMatches: (text: string) => /^[A-Za-z0-9_-]{1,255}$/.test(text),
  what: "letters, digits, - and _, at most 255",
};

function assetUrlIn(record: Fields): string | null {
  const value = textIn(record, "asset_url", 2000);
  if (value === "") return null;
  if (!/^https?:\/\/[^\s?#]+\/$/i.test(value) || !URL.canParse(value)) {
    throw expected("asset_url", "an http:// or https:// address that ends in a slash");
  }
  return value;
}

/** Users, organizations and projects come as ids, or as objects if whoever asked for the list had them expanded. */
function referenceIn(value: unknown, name: string): { id: number; fields: Fields } {
  if (isId(value)) return { id: value, fields: {} };
  if (!isFields(value) || !isId(value["id"])) throw expected(name, "an id");
  return { id: value["id"], fields: value };
}

function userIn(record: Fields): NamedUser | null {
  const value = record["user"] ?? null;
  if (value === null) return null;
  const { id, fields } = referenceIn(value, "user");
  return { id, username: nameIn(fields, "username"), name: nameIn(fields, "name") };
}

function organizationIn(record: Fields): NamedOrganization | null {
  const value = record["organization"] ?? null;
  if (value === null) return null;
  const { id, fields } = referenceIn(value, "organization");
  return {
    id,
    name: nameIn(fields, "name"),
    slug: nameIn(fields, "slug"),
    individual: flagIn(fields, "individual"),
  };
}

function projectsIn(record: Fields): ReadRecord["projects"] {
  const value = record["projects"] ?? [];
  if (!Array.isArray(value)) throw expected("projects", "an array of ids");
  if (value.length === 0) return [];
  const projects = value.map((project: unknown) => {
    const { id, fields } = referenceIn(project, "projects");
    return {
      id,
      title: nameIn(fields, "title"),
      slug: nameIn(fields, "slug"),
      description: textIn(fields, "description", 100_000),
      private: flagIn(fields, "private"),
    };
  });
  return [...new Map(projects.map((project) => [project.id, project])).values()];
}

function nameIn(fields: Fields, name: string): string | null {
  return textIn(fields, name, 1000) || null;
}
