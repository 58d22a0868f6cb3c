import type { Writer } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";
import {
  DocumentImporter,
  type DocumentToPut,
  type PutCounts,
} from "../resources/documents/record/import-store.ts";
import { type NoteToPut, putNotes } from "../resources/notes/put-notes.ts";
import { type NamedOrganization, OrganizationPlaceholders } from "../resources/organizations/store.ts";
import { ProjectPlaceholders } from "../resources/projects/store.ts";
import { putSections } from "../resources/sections/put-sections.ts";
import { type NamedUser, UserPlaceholders } from "../resources/users/store.ts";
import type { ReadRecord, RecordNote } from "./read-record.ts";

/** A record, and its document as it goes into the database. */
export interface RecordToWrite {
  record: ReadRecord;
  document: DocumentToPut;
}

/** Writes records with all that they name: users, organizations, projects, notes and sections. */
export class RecordWriter {
  readonly #dialect: Dialect;
  readonly #documents: DocumentImporter;
  readonly #users: UserPlaceholders;
  readonly #organizations: OrganizationPlaceholders;
  readonly #projects: ProjectPlaceholders;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.#documents = new DocumentImporter(dialect);
    this.#users = new UserPlaceholders(dialect);
    this.#organizations = new OrganizationPlaceholders(dialect);
    this.#projects = new ProjectPlaceholders(dialect);
  }

  /** No document may occur twice. */
  async put(writer: Writer, items: readonly RecordToWrite[]): Promise<PutCounts> {
    const records = items.map(({ record }) => record);
    const documents = items.map(({ document }) => document);
    const userOf = new Map(documents.map(({ values }) => [values.id, values.user_id]));
    await this.#users.addMissing(writer, distinct(records.flatMap(usersOf)));
    await this.#organizations.addMissing(writer, distinct(records.flatMap(organizationsOf)));
    const projects = records.flatMap(({ values, projects: named }) =>
      named.map(({ user, ...project }) => ({
        ...project,
        user_id: user?.id ?? (userOf.get(values.id) as number),
        isOwnerNamed: user !== null,
      })),
    );
    await this.#projects.addMissing(writer, distinct(projects));
    const { unchanged, ...counts } = await this.#documents.put(writer, documents);
    const written = await this.#putParts(writer, records);
    const changed = unchanged.filter((id) => written.has(id)).length;
    return { ...counts, changed: counts.changed + changed, known: counts.known - changed };
  }

  /** The ids of the documents whose notes or sections have changed. */
  async #putParts(writer: Writer, records: readonly ReadRecord[]): Promise<Set<number>> {
    const noted = records.filter(({ notes }) => notes.length > 0);
    const notes = noted.map(({ values, notes: all }) => [values.id, all.map(noteOf)] as const);
    const divided = records.filter(({ sections }) => sections.length > 0);
    const sections = divided.map(({ values, sections: all }) => [values.id, all] as const);
    const withNotes = await putNotes(writer, this.#dialect, new Map(notes));
    return new Set([...withNotes, ...(await putSections(writer, this.#dialect, new Map(sections)))]);
  }
}

function noteOf({ user, organization, ...note }: RecordNote): NoteToPut {
  return { ...note, user_id: user.id, organization_id: organization?.id ?? null };
}

/** All users that a record names, the document's owner first. */
function usersOf({ user, projects, notes }: ReadRecord): (NamedUser | null)[] {
  const users = [user];
  for (const project of projects) users.push(project.user);
  for (const note of notes) users.push(note.user);
  return users;
}

function organizationsOf({ organization, notes }: ReadRecord): (NamedOrganization | null)[] {
  return notes.length === 0 ? [organization] : [organization, ...notes.map((note) => note.organization)];
}

/** One object for each id: the first expanded one, or else the first. */
function distinct<Item extends { id: number; isExpanded: boolean }>(items: readonly (Item | null)[]): Item[] {
  const byId = new Map<number, Item>();
  for (const item of items) {
    if (item === null) continue;
    const before = byId.get(item.id);
    if (before === undefined || (item.isExpanded && !before.isExpanded)) byId.set(item.id, item);
  }
  return [...byId.values()];
}
