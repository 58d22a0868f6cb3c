import { documentLimits } from "../../contract/limits.ts";
import {
  defaultLanguage,
  type DescribingField,
  type DescribingName,
  describingFields,
} from "../../contract/describing-fields.ts";
import type { DocumentsTable } from "../../database/tables.ts";
import type { Field } from "../../http/fields/fields.ts";
import { boolean, choice, dateTime, text, url } from "../../http/fields/field-kinds.ts";
import { type documentMembers, membersOfRecords } from "../../contract/document.ts";
import { data } from "./data-field.ts";
import { fileKinds } from "../../file-kinds.ts";
import { languageCodes } from "./languages.ts";
import type { RenderedRow } from "./store.ts";

/** A member of a document's record. */
interface RecordMember {
  /**
   * Its value as JSON. Null if the value depends on the viewer or on the server's addresses: present.ts inserts it.
   * Columns that never contain characters to escape are not quoted.
   */
  readonly json: ((row: RenderedRow) => string) | null;
  /** The column that an import writes, by default the one of the same name. Null if there is no such column. */
  readonly column?: keyof DocumentsTable | null;
  /** The field with which those who may edit the document change it. */
  readonly field?: Field;
  /** The value of the field for a new document that is sent without it. */
  readonly default?: unknown;
}

/** The access levels that a client may give a document. */
export const givenAccessLevels = ["public", "organization", "private"] as const;

const languages = [...languageCodes].toSorted();
const extensions = [...fileKinds.keys()];

/**
 * The version of the format of stored records. Records of another version are not used. Increase it whenever the table
 * below or present.ts renders the same row differently.
 */
export const recordFormat = 1;

/**
 * The members of a record, in DocumentCloud's order. This table determines the contents of records and search results,
 * the fields that clients may write, and the columns that an import writes. The contract has their shapes.
 */
export const recordMembers = {
  id: { json: ({ id }) => String(id) },
  access: {
    json: ({ access }) => `"${access}"`,
    field: choice(givenAccessLevels, {
      example: "public",
      label: "Access",
      help: "public: everyone. organization: its members. private: its owner. Collaborators of its projects too.",
    }),
    default: "private",
  },
  admin_noindex: {
    json: ({ admin_noindex }) => flag(admin_noindex),
  },
  asset_url: { json: null },
  canonical_url: { json: null, column: null },
  created_at: {
    json: ({ created_at }) => `"${created_at}"`,
  },
  data: {
    json: (row) => row.data,
    field: data({
      label: "Data",
      example: { topic: ["budget"] },
      help: 'An object of lists of texts: {"topic": ["budget"]}',
    }),
    default: {},
  },
  description: describing("description"),
  edit_access: {
    json: null,
    column: null,
  },
  file_hash: {
    json: ({ file_hash }) => `"${file_hash}"`,
  },
  noindex: {
    json: ({ noindex }) => flag(noindex),
    field: boolean({ label: "Noindex", help: "Asks search engines not to index the document" }),
    default: false,
  },
  language: {
    json: ({ language }) => quote(language),
    field: choice(languages, { blank: true, label: "Language", example: defaultLanguage }),
    default: defaultLanguage,
  },
  organization: {
    json: ({ organization_id }) => String(organization_id),
    column: "organization_id",
  },
  original_extension: {
    json: ({ original_extension }) => quote(original_extension),
    field: choice(extensions, {
      example: "pdf",
      label: "Original extension",
      help: "The extension of the file. Fixed once the document has one",
    }),
    default: "pdf",
  },
  page_count: { json: ({ page_count }) => String(page_count) },
  page_spec: {
    json: ({ page_spec }) => quote(page_spec),
  },
  projects: {
    json: null,
    column: null,
  },
  publish_at: {
    json: ({ publish_at }) => (publish_at === null ? "null" : `"${publish_at}"`),
    field: dateTime({
      nullable: true,
      label: "Publish at",
      help: "The document becomes public at this time",
    }),
  },
  published_url: describing("published_url", {
    label: "Published URL",
    help: "The address where it was published",
  }),
  related_article: describing("related_article"),
  revision_control: {
    json: ({ revision_control }) => flag(revision_control),
    field: boolean({ label: "Revision control" }),
    default: false,
  },
  slug: { json: ({ slug }) => quote(slug) },
  source: describing("source"),
  status: { json: ({ status }) => `"${status}"` },
  title: {
    json: ({ title }) => quote(title),
    field: text({ maxLength: documentLimits.title, label: "Title", help: "" }),
  },
  updated_at: { json: ({ updated_at }) => `"${updated_at}"` },
  user: {
    json: ({ user_id }) => String(user_id),
    column: "user_id",
  },
} as const satisfies Record<MemberName, RecordMember>;

export const memberNames = Object.keys(recordMembers) as readonly MemberName[];

export type MemberName = keyof typeof membersOfRecords | keyof typeof documentMembers;

type Members = typeof recordMembers;

/** The same members, with a type in which missing properties are undefined. */
const members: Readonly<Record<MemberName, RecordMember>> = recordMembers;

/** The members that search results do not contain. */
export const onlyInRecords: readonly string[] = Object.keys(membersOfRecords).filter((name) => name !== "id");

/** The columns of a document that its record shows, and that an import writes. */
export const recordColumns: readonly (keyof DocumentsTable)[] = memberNames.flatMap((name) => {
  const { column = name as keyof DocumentsTable } = members[name];
  return column === null ? [] : [column];
});

/** The fields that everyone who may edit a document may change. */
export type MemberFields = {
  [Name in MemberName as Members[Name] extends { field: Field } ? Name : never]: Members[Name] extends {
    field: infer F extends Field;
  }
    ? F
    : never;
};

const fields = Object.fromEntries(
  memberNames.flatMap((name) => {
    const { field } = members[name];
    return field === undefined ? [] : [[name, field]];
  }),
) as MemberFields;
const { title, access, data: dataField, description, language, ...others } = fields;

/** In the order of forms: the most important ones first, the others in the order of the record. */
export const memberFields: MemberFields = {
  title,
  access,
  data: dataField,
  description,
  language,
  ...others,
};

/** The same fields, with their values for a new document. */
export function withDefaults<Fields extends Partial<MemberFields>>(table: Fields): Fields {
  return Object.fromEntries(
    Object.entries(table).map(([name, field]) => {
      const value = members[name as MemberName].default;
      return [name, value === undefined ? field : { ...field, default: value }];
    }),
  ) as Fields;
}

type NameWithDefault = {
  [Name in MemberName]: Members[Name] extends { default: unknown } ? Name : never;
}[MemberName];

/** The default values of a new document's columns. */
export const defaultColumns = Object.fromEntries(
  memberNames.flatMap((name) => {
    const { default: value } = members[name];
    if (value === undefined) return [];
    return [[name, typeof value === "object" ? JSON.stringify(value) : value]];
  }),
) as { [Name in NameWithDefault]: Members[Name]["default"] extends boolean ? boolean : string };

/** A text that describes the document. OPTIONS makes its label from its name, if it is given none. */
function describing(name: DescribingName, metadata: { label?: string; help?: string } = {}) {
  const { kind, maxLength }: DescribingField = describingFields[name];
  const options = { ...metadata, maxLength, blank: true };
  const field: Field<string> =
    kind === "address" ? url(options) : text({ ...options, long: kind === "lines" });
  return { json: (row: RenderedRow) => quote(row[name]), field, default: "" };
}

function flag(value: boolean | number): string {
  return value ? "true" : "false";
}

const plain = /^[ !#-[\]-~]*$/;

/** A text as JSON. */
export function quote(value: string): string {
  if (value === "") return `""`;
  return plain.test(value) ? `"${value}"` : JSON.stringify(value);
}
