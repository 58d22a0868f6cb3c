import {
  type DescribingName,
  type DescribingTexts,
  describingTexts,
} from "../../contract/describing-fields.ts";
import type { Document } from "../../contract/document.ts";
import type { Organization } from "../../contract/person.ts";
import type { Project } from "../../contract/project.ts";
import { documentLimits } from "../../contract/limits.ts";
import { Draft } from "../form/draft.ts";
import { type FieldName, type Version, differences } from "../form/merge.ts";
import { editingTexts } from "../texts/editing-texts.ts";
import { localTimeOf, momentOf } from "../texts/local-time.ts";
import { momentInWords, timeZone } from "../texts/moments.ts";

/** The members of a document that people edit, as the API sends them, with its organization and projects expanded. */
export type EditedRecord = Pick<
  Document,
  DescribingName | "title" | "language" | "access" | "status" | "publish_at" | "data"
> & { organization: Pick<Organization, "name">; projects: readonly Pick<Project, "title">[] };

/** One value of the document's data. */
export interface DataRow {
  key: string;
  value: string;
}

/** What the form holds. */
export interface DocumentValues extends DescribingTexts {
  title: string;
  language: string;
  access: string;
  /** In the time zone of the reader, as an input of the type `datetime-local` has it; empty for none. */
  publish_at: string;
  tags: readonly string[];
  data: readonly DataRow[];
}

type DocumentField = FieldName<DocumentValues>;

/** The members of a change, as the API takes them. */
export type Changes = Partial<
  Omit<DocumentValues, "publish_at" | "tags" | "data"> & {
    publish_at: string | null;
    data: Record<string, string[]>;
  }
>;

/** The key of `data` that holds the tags, as in DocumentCloud. */
const tagKey = "_tag";

/** The draft of a document's record, as the API gave it. */
export function documentDraft({ values, etag }: Version<DocumentValues>): Draft<DocumentValues> {
  const options = {
    limits: { title: documentLimits.title },
    check: (typed: DocumentValues, base: DocumentValues) => faultsOf(typed, { base }),
    inWords,
  };
  return new Draft<DocumentValues>(values, options, etag);
}

export function valuesOf(record: EditedRecord): DocumentValues {
  const { title, language, access } = record;
  const { [tagKey]: tags = [], ...data } = record.data;
  return {
    title,
    ...describingTexts(record),
    language,
    access,
    publish_at: record.publish_at === null ? "" : localTimeOf(record.publish_at, timeZone),
    tags,
    data: Object.entries(data).flatMap(([key, values]) => values.map((value) => ({ key, value }))),
  };
}

/** What to send, so that the document becomes as the draft says. Only fields that differ are sent. */
export function changesOf(from: DocumentValues, to: DocumentValues): Changes {
  const changed = new Set(differences(from, to));
  const { publish_at, tags, data, ...texts } = to;
  const isDataChanged = changed.has("tags") || changed.has("data");
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([field]) => changed.has(field as DocumentField))),
    ...(changed.has("publish_at") && {
      publish_at: publish_at === "" ? null : momentOf(publish_at, timeZone),
    }),
    ...(isDataChanged && { data: dataOf(data, tags) }),
  };
}

/** Rows without a value are left out. */
function dataOf(rows: readonly DataRow[], tags: readonly string[]): Record<string, string[]> {
  const all = [...rows, ...tags.map((value) => ({ key: tagKey, value }))]
    .map(({ key, value }) => ({ key: key.trim(), value: value.trim() }))
    .filter(({ key, value }) => key !== "" && value !== "");
  const keys = new Set(all.map(({ key }) => key));
  return Object.fromEntries(
    [...keys].map((key) => [key, all.filter((row) => row.key === key).map(({ value }) => value)]),
  );
}

/** A field of a draft as a text, to show what somebody else has entered. */
export function inWords(draft: DocumentValues, field: DocumentField): string {
  const value = draft[field];
  if (typeof value === "string") return field === "publish_at" ? value.replace("T", " ") : value;
  return value.map((one) => (typeof one === "string" ? one : `${one.key}: ${one.value}`)).join(", ");
}

/** What can be wrong with a draft before it is sent, by field. `base` is the draft before it was edited. */
export function faultsOf(
  draft: DocumentValues,
  { base, now = new Date() }: { base?: DocumentValues; now?: Date } = {},
): Map<DocumentField, string> {
  const faults = new Map<DocumentField, string>();
  if (draft.title.trim() === "") faults.set("title", editingTexts.form.needsTitle);
  // The service would publish the document at once.
  if (draft.publish_at !== (base?.publish_at ?? "") && isPast(draft.publish_at, now))
    faults.set("publish_at", editingTexts.form.momentPassed);
  const rows = draft.data.filter(({ key, value }) => key.trim() !== "" || value.trim() !== "");
  if (rows.some(({ key }) => !/^[\w-]{1,50}$/.test(key.trim())))
    faults.set("data", editingTexts.form.wrongKey);
  if (rows.some(({ key }) => key.trim() === tagKey)) faults.set("data", editingTexts.form.tagsElsewhere);
  return faults;
}

/** Whether a moment in the form, in the person's time zone, has passed. */
const isPast = (local: string, now: Date): boolean =>
  local !== "" && new Date(momentOf(local, timeZone)) <= now;

/** Says who will see the document. */
export function audienceInWords(
  { access, publish_at }: Pick<DocumentValues, "access" | "publish_at">,
  { organization, projects, status }: Pick<EditedRecord, "organization" | "projects" | "status">,
): string {
  const isReady = status === "success" || status === "readable";
  return editingTexts.form.audience({
    isPublic: access === "public",
    organization: access === "organization" ? organization.name : null,
    projects: projects.map(({ title }) => title).filter((title) => title !== ""),
    until: publish_at === "" ? "" : momentInWords(momentOf(publish_at, timeZone)),
    isReady,
  });
}
