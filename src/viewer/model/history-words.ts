import { isDescribing } from "../../contract/describing-fields.ts";
import type { HistoryEntry } from "../../contract/document.ts";
import { languageName } from "./language.ts";
import { editingTexts } from "../texts/editing-texts.ts";
import { pagesInWords } from "./mention-search.ts";
import { momentInWords } from "../texts/moments.ts";

const words = editingTexts.history;

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
  const who = user === null ? "Quire" : (names.users.get(user) ?? words.somebody);
  const project = projectName(changes["project"]?.to ?? changes["project"]?.from, names);
  switch (action) {
    case "created":
      return { who, what: words.created, details: initialValues(changes, names) };
    case "published":
      return { who, what: words.published, details: [] };
    case "shared":
      return { who, what: words.shared(project), details: [] };
    case "unshared":
      return { who, what: words.unshared(project), details: [] };
    case "redacted":
      return { who, what: words.redacted(pagesOf(changes["redacted_pages"]?.to)), details: [] };
    case "modified":
      return { who, what: words.modified, details: pageCounts(changes["page_count"]) };
    case "replaced":
      return { who, what: words.replaced, details: replacedFile(changes) };
    case "deleted":
      return { who, what: words.deleted, details: [] };
    case "restored":
      return { who, what: words.restored, details: detailsOf(changes, names) };
    case "removed":
      return { who, what: words.removed, details: [] };
    case "disposed":
      return { who, what: words.disposed(String(changes["rule"]?.to)), details: [] };
    case "held":
      return { who, what: words.held, details: [] };
    case "released":
      return { who, what: words.released, details: [] };
    case "opened":
      return {
        who: user === null ? words.guest : who,
        what: openedInWords(changes["name"]?.to),
        details: [],
      };
    case "changed":
      return { who, ...(linkInWords(changes) ?? mailInWords(changes) ?? changedInWords(changes, names)) };
  }
}

/** The name of a guest link is for its maker, and may be empty. */
function openedInWords(name: unknown): string {
  return typeof name === "string" && name !== "" ? words.opened(name) : words.openedUnnamed;
}

/** What a guest link was made or revoked, if the change is about one. */
function linkInWords({ guest_link: link, name }: HistoryEntry["changes"]): Omit<HistoryLine, "who"> | null {
  if (link === undefined) return null;
  const isMade = link.from === null;
  const called = isMade ? name?.to : name?.from;
  const what = isMade ? words.madeLink : words.revokedLink;
  return { what, details: typeof called === "string" && called !== "" ? [words.quoted(called)] : [] };
}

/** By whom it was mailed, if the change is about its arrival. */
function mailInWords({ arrived_by: way, sender }: HistoryEntry["changes"]): Omit<HistoryLine, "who"> | null {
  if (way === undefined) return null;
  const from = sender?.to;
  return {
    what: typeof from === "string" && from !== "" ? words.mailedFrom(from) : words.mailed,
    details: [],
  };
}

/** One changed field is a sentence; several are a list below it. */
function changedInWords(changes: HistoryEntry["changes"], names: Names): Omit<HistoryLine, "who"> {
  const details = detailsOf(changes, names);
  const [only = words.changed] = details;
  return details.length > 1 ? { what: words.changedSeveral, details } : { what: only, details: [] };
}

function detailsOf(changes: HistoryEntry["changes"], names: Names): string[] {
  return Object.entries(changes).flatMap(([name, { from, to }]) => {
    if (name === "pages") return [words.changedText(pagesOf(fromOne(to)))];
    if (name === "mentions") return [words.correctedMention];
    if (name === "attached_files") return [words.removedAttached(Number(from))];
    if (name === "data") return dataInWords(from, to);
    if (name === "access") return [words.madeIt[String(to)] ?? words.changed];
    const field = isDescribing(name) ? editingTexts.describing[name].object : words.fields[name];
    if (field === undefined) return [];
    if (isEmpty(to)) return [words.removedField(field, valueInWords(name, from, names))];
    if (isEmpty(from)) return [words.setField(field, valueInWords(name, to, names))];
    return [words.changedField(field, valueInWords(name, from, names), valueInWords(name, to, names))];
  });
}

/** The values with which a document began, as far as they say something. */
function initialValues(changes: HistoryEntry["changes"], names: Names): string[] {
  return Object.entries(words.labels).flatMap(([name, label]) => {
    const value = changes[name]?.to;
    return isEmpty(value) ? [] : [words.initial(label, valueInWords(name, value, names))];
  });
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === "";

const maxLength = 120;

function valueInWords(name: string, value: unknown, names: Names): string {
  if (name === "access") return words.access[String(value)] ?? String(value);
  if (name === "user") return names.users.get(value as number) ?? words.someOwner;
  if (name === "organization") return names.organizations.get(value as number) ?? words.otherOrganization;
  if (name === "language") return languageName(String(value));
  if (name === "publish_at") return momentInWords(String(value));
  if (typeof value === "boolean") return value ? words.on : words.off;
  const text = String(value);
  return words.quoted(text.length > maxLength ? `${text.slice(0, maxLength).trimEnd()}…` : text);
}

function projectName(id: unknown, names: Names): string {
  const name = names.projects.get(id as number);
  return name === undefined || name === "" ? words.aProject : words.project(name);
}

/** The pages of a change of texts are counted from 0, those of a redaction from 1. */
function fromOne(value: unknown): unknown {
  return Array.isArray(value) ? value.map((page: unknown) => Number(page) + 1) : value;
}

function pagesOf(value: unknown): string {
  const pages = (Array.isArray(value) ? value : []).filter((page) => typeof page === "number");
  return pages.length === 0 ? words.somePages : pagesInWords(pages);
}

function pageCounts(change: { from: unknown; to: unknown } | undefined): string[] {
  return change === undefined || change.from === change.to
    ? []
    : [words.pageCounts(String(change.to), String(change.from))];
}

/** What differs between the old file and the new one. */
function replacedFile(changes: HistoryEntry["changes"]): string[] {
  const { from, to } = changes["original_extension"] ?? {};
  const kind = from === to ? [] : [words.fileKind(String(to), String(from))];
  return [...kind, ...pageCounts(changes["page_count"])];
}

function dataInWords(from: unknown, to: unknown): string[] {
  const [before, after] = [from, to].map(
    (value) => (value ?? {}) as Readonly<Record<string, readonly string[]>>,
  ) as [Record<string, string[]>, Record<string, string[]>];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].map((key) => {
    const name = key === "_tag" ? words.tags : words.data(key);
    const old = valueInWords("", before[key]?.join(", "), noNames);
    const now = valueInWords("", after[key]?.join(", "), noNames);
    if (after[key] === undefined) return words.removedField(name, old);
    return before[key] === undefined ? words.setField(name, now) : words.changedField(name, old, now);
  });
}

const noNames: Names = { users: new Map(), projects: new Map(), organizations: new Map() };
