import type { Writer } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";
import { DocumentImporter, type PutCounts } from "../resources/documents/record/import-store.ts";
import type { DocumentToPut } from "../resources/documents/record/new-rows-store.ts";
import { type NoteToPut, putNotes } from "../resources/notes/put-notes.ts";
import { OrganizationPlaceholders } from "../resources/organizations/store.ts";
import { ProjectPlaceholders } from "../resources/projects/store.ts";
import { putSections } from "../resources/sections/put-sections.ts";
import { UserPlaceholders } from "../resources/users/store.ts";
import type { ReadRecord, RecordNote } from "./read-record.ts";
import { type Named, NamedInRecords } from "./named-in-records.ts";
import type { ReadBatch } from "./read-batch.ts";

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

  /** The users whom records named so far. */
  get users(): Pick<UserPlaceholders, "takeUnlikeAccounts" | "nameless"> {
    return this.#users;
  }

  /** No document may occur twice. */
  async put(writer: Writer, items: readonly RecordToWrite[]): Promise<PutCounts> {
    const records = items.map(({ record }) => record);
    const documents = items.map(({ document }) => document);
    const named = new NamedInRecords();
    for (const { record, document } of items) named.add(record, document.values.user_id);
    await this.#addNamed(writer, named);
    const { unchanged, ...counts } = await this.#documents.put(writer, documents);
    const written = await this.#putParts(writer, records);
    const changed = unchanged.filter((id) => written.has(id)).length;
    return { ...counts, changed: counts.changed + changed, known: counts.known - changed };
  }

  /** Adds the staged documents of a batch. Returns false if that is not possible: see {@link DocumentImporter}. */
  async addStaged(writer: Writer, { ids, named, staged: rows }: ReadBatch): Promise<boolean> {
    await this.#addNamed(writer, named);
    const projects = [...named.projects.keys()];
    return this.#documents.addStaged(writer, { ids: [...ids], projects, rows });
  }

  async #addNamed(writer: Writer, { users, organizations, projects }: Named): Promise<void> {
    await this.#users.addMissing(writer, [...users.values()]);
    await this.#organizations.addMissing(writer, [...organizations.values()]);
    await this.#projects.addMissing(writer, [...projects.values()]);
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
