import { defaultLanguage } from "../contract/describing-fields.ts";
import { accessLevels, statuses } from "../contract/document.ts";
import { ApiError } from "../errors.ts";
import type { Field } from "../http/fields/fields.ts";
import { timestampNow } from "../http/text/timestamp.ts";
import { fileKinds } from "../file-kinds.ts";
import { languageCodes } from "../resources/documents/languages.ts";
import { maxPages } from "../processing/page-spec.ts";
import { slugOf } from "../http/text/slug.ts";
import { type MemberFields, memberFields, memberNames } from "../resources/documents/record-members.ts";
import type { DocumentValues } from "../resources/documents/record/new-rows-store.ts";
import { type NoteToPut, readNoteToPut } from "../resources/notes/put-notes.ts";
import { type SectionToPut, readSectionToPut } from "../resources/sections/put-sections.ts";
import type { NamedOrganization } from "../resources/organizations/store.ts";
import type { NamedUser } from "../resources/users/store.ts";
import { type RecordProject, members, noteOthers, organizationIn, projectsIn, userIn } from "./read-named.ts";
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

/** A record of the list, with the values for the database. */
export interface ReadRecord {
  values: Omit<DocumentValues, "user_id" | "organization_id">;
  /** The times that the record does not contain. `values` has substitutes for them. */
  unnamed: readonly ("created_at" | "updated_at")[];
  /** Null if the record names no user. */
  user: NamedUser | null;
  organization: NamedOrganization | null;
  projects: readonly RecordProject[];
  notes: readonly RecordNote[];
  sections: readonly SectionToPut[];
  /** The members that are not imported, by name; a name is repeated for every occurrence. */
  leftOut: readonly string[];
}

export type RecordNote = Omit<NoteToPut, "user_id" | "organization_id"> & {
  user: NamedUser;
  organization: NamedOrganization | null;
};

const none: readonly never[] = [];

const membersOfRecords: ReadonlySet<string> = new Set([...memberNames, "notes", "sections"]);

/**
 * Checks a record of the API against the API's own limits. Missing members get the API's defaults, except `id` and
 * `title`, which are required. Members that Quire has no column for are listed in `leftOut`.
 *
 * @throws {RecordError}
 */
export function readRecord(record: unknown): ReadRecord {
  if (!isFields(record)) throw new RecordError("not a record: expected a JSON object");
  const id = idIn(record, "id");
  const title = textIn(record, "title", 1000);
  if (title.trim() === "") throw expected("title", "a text that is not blank");
  const pageCount = countIn(record, "page_count", 0, maxPages);
  const createdAt = momentIn(record, "created_at");
  const updatedAt = momentIn(record, "updated_at");
  const made = createdAt ?? timestampNow();
  const leftOut: string[] = [];
  noteOthers(record, membersOfRecords, leftOut, "");
  return {
    values: {
      ...readFields(record),
      id,
      admin_noindex: flagIn(record, "admin_noindex"),
      asset_url: assetUrlIn(record),
      created_at: made,
      file_hash: choiceIn(record, "file_hash", fileHash),
      page_count: pageCount,
      page_spec: pageSpecIn(record, "page_spec", pageCount),
      slug: (record["slug"] ?? null) === null ? slugOf(title) : choiceIn(record, "slug", slug),
      status: choiceIn(record, "status", status),
      title,
      updated_at: updatedAt ?? made,
    },
    unnamed: unnamedOf(createdAt, updatedAt),
    user: userIn(record["user"], "user", leftOut),
    organization: organizationIn(record["organization"], "organization", leftOut),
    projects: projectsIn(record, leftOut),
    notes: record["notes"] === undefined ? none : notesIn(record, pageCount, leftOut),
    sections: record["sections"] === undefined ? none : sectionsIn(record, pageCount, leftOut),
    leftOut,
  };
}

type FieldName = keyof MemberFields;
type FieldReader = (record: Fields) => unknown;

/** Reads the members that clients may change. By default, the field of a member says how: see record-members.ts. */
function readFields(record: Fields): Pick<DocumentValues, FieldName> {
  const values: Partial<Record<FieldName, unknown>> = {};
  for (const [name, read] of fieldReaders) values[name] = read(record);
  return values as Pick<DocumentValues, FieldName>;
}

function readerOf(name: FieldName): FieldReader {
  const { type, maxLength }: Field = memberFields[name];
  if (type === "boolean") return (record) => flagIn(record, name);
  const isText = type === "string" || type === "text" || type === "url";
  if (isText && maxLength !== undefined) return (record) => textIn(record, name, maxLength);
  throw new Error(`An import does not know how to read the member ${name}`);
}

/**
 * A publication time in the past is dropped: the document may have been made private since, and must not be published
 * again.
 */
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

/** A list never contains deleted documents. */
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
  missing: defaultLanguage,
  idMatches: (text: string) => text === "" || languageCodes.has(text),
  what: "the code of a language, such as eng",
};

const extension = {
  missing: "pdf",
  idMatches: (text: string) => fileKinds.has(text),
  what: "the extension of a kind of file that can be a document, such as pdf",
};

const slug = {
  missing: "",
  idMatches: (text: string) => /^[A-Za-z0-9_-]{1,255}$/.test(text),
  what: "letters, digits, - and _, at most 255",
};

/** Members with special rules. The title is read before them, and must not be blank. */
const ownReaders: Partial<Record<FieldName, FieldReader>> = {
  access: (record) => choiceIn(record, "access", access),
  data: (record) => dataIn(record, "data"),
  language: (record) => choiceIn(record, "language", language),
  original_extension: (record) => choiceIn(record, "original_extension", extension),
  publish_at: (record) => futureMomentIn(record, "publish_at"),
};

const fieldReaders: readonly (readonly [FieldName, FieldReader])[] = (
  Object.keys(memberFields) as FieldName[]
).map((name) => [name, ownReaders[name] ?? readerOf(name)]);

/** The last address that was checked: the records of a source usually have one and the same. */
let checkedAssetUrl = "";

function assetUrlIn(record: Fields): string | null {
  const value = textIn(record, "asset_url", 2000);
  if (value === "") return null;
  if (value === checkedAssetUrl) return value;
  if (!/^https?:\/\/[^\s?#]+\/$/i.test(value) || !URL.canParse(value)) {
    throw expected("asset_url", "an http:// or https:// address that ends in a slash");
  }
  checkedAssetUrl = value;
  return value;
}

/** The last two are the client's right to change the note, and its content as HTML. */
const noteMembers = members(`
  id user organization page_number access title content x1 x2 y1 y2 created_at updated_at edit_access content_html
`);

/** The valid notes, each with its user. An invalid note is left out; the rest of the record is imported. */
function notesIn(record: Fields, pageCount: number, leftOut: string[]): readonly RecordNote[] {
  return itemsIn(record, "notes", leftOut, (fields) => {
    const others: string[] = [];
    const user = userIn(fields["user"], "user", others);
    if (user === null) throw expected("user", "an id");
    const note = {
      ...readNoteToPut(fields, pageCount),
      id: isId(fields["id"]) ? fields["id"] : null,
      user,
      organization: organizationIn(fields["organization"], "organization", others),
      created_at: momentIn(fields, "created_at"),
      updated_at: momentIn(fields, "updated_at"),
    };
    noteOthers(fields, noteMembers, others, "");
    leftOut.push(...others.map((name) => `notes.${name}`));
    return note;
  });
}

const sectionMembers = members("id page_number title");

function sectionsIn(record: Fields, pageCount: number, leftOut: string[]): readonly SectionToPut[] {
  const taken = new Set<number>();
  return itemsIn(record, "sections", leftOut, (fields) => {
    const section = readSectionToPut(fields, pageCount, taken);
    taken.add(section.page_number);
    noteOthers(fields, sectionMembers, leftOut, "sections.");
    return { ...section, id: isId(fields["id"]) ? fields["id"] : null };
  });
}

function itemsIn<Item>(
  record: Fields,
  name: string,
  leftOut: string[],
  read: (fields: Fields) => Item,
): readonly Item[] {
  const value = record[name] ?? none;
  if (Array.isArray(value) && value.length === 0) return none;
  const items: Item[] = [];
  for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
    try {
      if (!isFields(item)) throw expected(name, "objects");
      items.push(read(item));
    } catch (error) {
      if (!(error instanceof RecordError) && !(error instanceof ApiError)) throw error;
      leftOut.push(`invalid ${name}`);
    }
  }
  return items;
}
