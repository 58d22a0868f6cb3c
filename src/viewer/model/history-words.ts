import { Formats } from "../../texts/formats.ts";

const formats = new Formats("en");

/** An entry of `GET /api/documents/<id>/history/`. */
export interface HistoryEntry {
  id: number;
  at: string;
  /** The id of the user; null: Quire itself. */
  user: number | null;
  action: string;
  changes: Readonly<Record<string, { from: unknown; to: unknown }>>;
}

/** The names of users, projects and organizations by their ids. */
export interface Names {
  users: ReadonlyMap<number, string>;
  projects: ReadonlyMap<number, string>;
  organizations: ReadonlyMap<number, string>;
}

/** An entry for people: who did it, what, and the changes of each field. */
export interface HistoryLine {
  who: string;
  what: string;
  details: string[];
}

function collect(set: Set<number>, ...values: unknown[]): void {
  for (const value of values.flat()) if (typeof value === "number") set.add(value);
}

/** The ids of users, projects and organizations that the entries name. */
export function idsIn(entries: readonly HistoryEntry[]): Record<keyof Names, number[]> {
  const ids = { users: new Set<number>(), projects: new Set<number>(), organizations: new Set<number>() };
  for (const { user, changes } of entries) {
    collect(ids.users, user, changes["user"]?.from, changes["user"]?.to);
    for (const name of ["project", "projects"]) collect(ids.projects, changes[name]?.from, changes[name]?.to);
    collect(ids.organizations, changes["organization"]?.from, changes["organization"]?.to);
  }
  return {
    users: [...ids.users],
    projects: [...ids.projects],
    organizations: [...ids.organizations],
  };
}

export function lineOf(entry: HistoryEntry, names: Names): HistoryLine {
  const { action, changes, user } = entry;
  const who = user === null ? "Quire" : (names.users.get(user) ?? "Somebody");
  const project = projectName(changes["project"]?.to ?? changes["project"]?.from, names);
  switch (action) {
    case "created":
      return { who, what: "added the document", details: initialValues(changes, names) };
    case "published":
      return { who, what: "made it public, as planned", details: [] };
    case "shared":
      return { who, what: `added it to ${project}`, details: [] };
    case "unshared":
      return { who, what: `removed it from ${project}`, details: [] };
    case "redacted":
      return { who, what: `redacted ${pagesInWords(changes["redacted_pages"]?.to)}`, details: [] };
    case "modified":
      return { who, what: "changed its pages", details: pageCounts(changes["page_count"]) };
    case "deleted":
      return { who, what: "deleted it", details: [] };
    case "restored":
      return { who, what: "brought it back from the trash", details: detailsOf(changes, names) };
    case "removed":
      return { who, what: "removed it for good", details: [] };
    default:
      return { who, ...changedInWords(changes, names) };
  }
}

/** One changed field is a sentence; several are a list below it. */
function changedInWords(changes: HistoryEntry["changes"], names: Names): Omit<HistoryLine, "who"> {
  const details = detailsOf(changes, names);
  const [only = "changed it"] = details;
  return details.length > 1 ? { what: "changed several fields", details } : { what: only, details: [] };
}

/** The fields that people know, in the order in which the form has them. */
const labels: Readonly<Record<string, string>> = {
  title: "title",
  description: "description",
  source: "source",
  related_article: "related article",
  published_url: "address of its publication",
  language: "language",
  access: "access",
  publish_at: "moment of publication",
  user: "owner",
  organization: "organization",
  data: "data",
  noindex: "setting for search engines",
  original_extension: "type of the file",
};

const accessNames: Readonly<Record<string, string>> = {
  private: "private",
  organization: "organization",
  public: "public",
  invisible: "invisible",
};

function detailsOf(changes: HistoryEntry["changes"], names: Names): string[] {
  return Object.entries(changes).flatMap(([name, { from, to }]) => {
    if (name === "pages") return [`changed the text of ${pagesInWords(fromOne(to))}`];
    if (name === "data") return dataInWords(from, to);
    if (name === "access") return [`made it ${valueInWords("access", to, names)}`];
    const label = labels[name];
    if (label === undefined) return [];
    if (isEmpty(to)) return [`removed the ${label}, which was ${valueInWords(name, from, names)}`];
    if (isEmpty(from)) return [`set the ${label} to ${valueInWords(name, to, names)}`];
    return [
      `changed the ${label} from ${valueInWords(name, from, names)} to ${valueInWords(name, to, names)}`,
    ];
  });
}

/** The values with which a document began, as far as they say something. */
function initialValues(changes: HistoryEntry["changes"], names: Names): string[] {
  const told = ["title", "access", "publish_at"].filter((name) => !isEmpty(changes[name]?.to));
  return told.map((name) => `${labels[name]}: ${valueInWords(name, changes[name]?.to, names)}`);
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === "";

const maxLength = 120;

function valueInWords(name: string, value: unknown, names: Names): string {
  if (name === "access") return accessNames[String(value)] ?? String(value);
  if (name === "user") return names.users.get(value as number) ?? "somebody";
  if (name === "organization") return names.organizations.get(value as number) ?? "another organization";
  if (name === "language") return formats.languageNameOf(String(value)) ?? String(value);
  if (name === "publish_at") return momentInWords(String(value));
  if (typeof value === "boolean") return value ? "on" : "off";
  const text = String(value);
  return `“${text.length > maxLength ? `${text.slice(0, maxLength).trimEnd()}…` : text}”`;
}

export function momentInWords(moment: string): string {
  return new Date(moment).toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short" });
}

function projectName(id: unknown, names: Names): string {
  const name = names.projects.get(id as number);
  return name === undefined || name === "" ? "a project" : `the project “${name}”`;
}

/** The pages of a change of texts are counted from 0, those of a redaction from 1. */
function fromOne(value: unknown): unknown {
  return Array.isArray(value) ? value.map((page: unknown) => Number(page) + 1) : value;
}

function pagesInWords(value: unknown): string {
  const pages = (Array.isArray(value) ? value : []).filter((page) => typeof page === "number");
  if (pages.length === 0) return "pages";
  const shown = pages.slice(0, 10).map((page) => String(page));
  const more = pages.length > shown.length ? ` and ${pages.length - shown.length} more` : "";
  return `${pages.length === 1 ? "page" : "pages"} ${shown.join(", ")}${more}`;
}

function pageCounts(change: { from: unknown; to: unknown } | undefined): string[] {
  return change === undefined || change.from === change.to
    ? []
    : [`${String(change.to)} pages instead of ${String(change.from)}`];
}

function dataInWords(from: unknown, to: unknown): string[] {
  const [before, after] = [from, to].map(
    (value) => (value ?? {}) as Readonly<Record<string, readonly string[]>>,
  ) as [Record<string, string[]>, Record<string, string[]>];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].map((key) => {
    const name = key === "_tag" ? "the tags" : `the data “${key}”`;
    const [old, now] = [before[key], after[key]].map((values) =>
      valueInWords("", values?.join(", "), noNames),
    );
    if (after[key] === undefined) return `removed ${name}, which ${key === "_tag" ? "were" : "was"} ${old}`;
    return before[key] === undefined ? `set ${name} to ${now}` : `changed ${name} from ${old} to ${now}`;
  });
}

const noNames: Names = { users: new Map(), projects: new Map(), organizations: new Map() };
