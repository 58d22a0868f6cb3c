import type { Context } from "../context.ts";
import type { Writer } from "../database/database.ts";
import { reasonOf } from "../errors.ts";
import { documentFileKey } from "../files/keys.ts";
import {
  DocumentImporter,
  type DocumentToPut,
  type PutCounts,
} from "../resources/documents/record/import-store.ts";
import { type NoteToPut, putNotes } from "../resources/notes/put-notes.ts";
import { putSections } from "../resources/sections/put-sections.ts";
import { type NamedOrganization, OrganizationPlaceholders } from "../resources/organizations/store.ts";
import { ProjectPlaceholders } from "../resources/projects/store.ts";
import { type NamedUser, UserPlaceholders } from "../resources/users/store.ts";
import type { Owner } from "./owner.ts";
import { type ReadRecord, type RecordNote, readRecord } from "./read-record.ts";
import { RecordError, isFields } from "./record-fields.ts";
import { type Candidate, positionOf } from "./record-source.ts";
import type { ImportReport } from "./report.ts";

/**
 * A transaction takes about a second. With fewer rows, the same index pages are written to the disk repeatedly (an
 * import with 5000 rows took 1.5 times as long). With more, other writers and Ctrl-C wait too long.
 */
const rowsPerTransaction = 20_000;
const bytesPerTransaction = 32 * 1024 * 1024;

export interface RecordImportOptions {
  /** The address of this server's own files. A record with this address may refer to a stored file. */
  ownAssets: string;
  /** The owner of records that name no user or no organization. */
  owner(): Promise<Owner>;
  signal: AbortSignal;
  report: ImportReport;
}

interface PendingRecord {
  /** Its source; line and number are its position there: see {@link positionOf}. */
  name: string;
  line: number | null;
  number: number | null;
  record: ReadRecord;
}

/** Imports records in the form of the list, from one source after the other. */
export class RecordImport {
  readonly #context: Pick<Context, "database" | "files">;
  readonly #options: RecordImportOptions;
  readonly #documents: DocumentImporter;
  readonly #users: UserPlaceholders;
  readonly #organizations: OrganizationPlaceholders;
  readonly #projects: ProjectPlaceholders;
  #pending = new Map<number, PendingRecord>();
  #pendingBytes = 0;
  #owner: Owner | null = null;
  #isPrepared = false;

  constructor(context: Pick<Context, "database" | "files">, options: RecordImportOptions) {
    const { dialect } = context.database;
    this.#context = context;
    this.#options = options;
    this.#documents = new DocumentImporter(dialect);
    this.#users = new UserPlaceholders(dialect);
    this.#organizations = new OrganizationPlaceholders(dialect);
    this.#projects = new ProjectPlaceholders(dialect);
  }

  /** Reads a source to its end. When the promise resolves, all records that could be imported are in the database. */
  async run(name: string, source: AsyncIterable<readonly Candidate[]>): Promise<void> {
    const { signal, report } = this.#options;
    report.at(name);
    try {
      for await (const candidates of source) {
        signal.throwIfAborted();
        for (const candidate of candidates) {
          const record = this.#read(name, candidate);
          if (record === null) continue;
          report.leaveOut(record.leftOut);
          // If two records are of the same document, the later one wins, as in two separate imports.
          if (this.#isFull || this.#pending.has(record.values.id)) await this.#flush();
          const { line, record: number } = candidate;
          this.#pending.set(record.values.id, { name, line, number, record });
          this.#pendingBytes += candidate.bytes;
        }
        report.at(name);
      }
    } finally {
      if (!signal.aborted) await this.#flush();
    }
  }

  #read(name: string, candidate: Candidate): ReadRecord | null {
    const { value, fault } = candidate;
    if (fault === null) {
      try {
        return readRecord(value);
      } catch (error) {
        if (!(error instanceof RecordError)) throw error;
        this.#options.report.fail(positionOf(name, candidate) + idOf(value), error.message);
      }
    } else this.#options.report.fail(positionOf(name, candidate), fault);
    return null;
  }

  get #isFull(): boolean {
    return this.#pending.size >= rowsPerTransaction || this.#pendingBytes >= bytesPerTransaction;
  }

  async #flush(): Promise<void> {
    const pending = [...this.#pending.values()];
    const bytes = this.#pendingBytes;
    this.#pending = new Map();
    this.#pendingBytes = 0;
    if (pending.length > 0) await this.#write(pending);
    this.#options.report.addBytes(bytes);
  }

  /**
   * Writes all records. If the database refuses some of them, the others are still written. A document that another
   * process has just inserted is refused once, and found when the record is tried again.
   */
  async #write(pending: readonly PendingRecord[], isAgain = false): Promise<void> {
    const { signal, report } = this.#options;
    const { database } = this.#context;
    signal.throwIfAborted();
    try {
      report.count(await this.#put(pending.map(({ record }) => record)));
    } catch (error) {
      if (!database.dialect.isRefusal(error)) throw error;
      const [first] = pending;
      if (first !== undefined && pending.length === 1 && isAgain) {
        const { name, line, number: record } = first;
        const position = positionOf(name, { line, record }) + idOf(first.record.values);
        return report.fail(position, reasonOf(error));
      }
      const half = Math.ceil(pending.length / 2);
      for (const part of [pending.slice(0, half), pending.slice(half)]) {
        if (part.length > 0) await this.#write(part, true);
      }
    }
  }

  async #put(records: readonly ReadRecord[]): Promise<PutCounts> {
    const { database } = this.#context;
    const isOwned = records.every(({ user, organization }) => user !== null && organization !== null);
    if (!isOwned) this.#owner ??= await this.#options.owner();
    const here = await this.#findFiles(records);
    const documents = records.map((record) => this.#documentOf(record, here));
    const userOf = new Map(documents.map(({ values }) => [values.id, values.user_id]));
    return database.write(async (writer) => {
      if (!this.#isPrepared) {
        for (const statement of database.dialect.forManyRows) await statement.execute(writer);
        this.#isPrepared = true;
      }
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
    });
  }

  /** The ids of the documents whose notes or sections have changed. */
  async #putParts(writer: Writer, records: readonly ReadRecord[]): Promise<Set<number>> {
    const { dialect } = this.#context.database;
    const noted = records.filter(({ notes }) => notes.length > 0);
    const notes = noted.map(({ values, notes: all }) => [values.id, all.map(noteOf)] as const);
    const divided = records.filter(({ sections }) => sections.length > 0);
    const sections = divided.map(({ values, sections: all }) => [values.id, all] as const);
    const withNotes = await putNotes(writer, dialect, new Map(notes));
    return new Set([...withNotes, ...(await putSections(writer, dialect, new Map(sections)))]);
  }

  /** The ids of the documents whose files are in Quire's own store. */
  async #findFiles(records: readonly ReadRecord[]): Promise<Set<number>> {
    const here = new Set<number>();
    for (const { values } of records) {
      if (values.asset_url !== this.#options.ownAssets) continue;
      const key = documentFileKey(values.id, values.slug, values.original_extension);
      if ((await this.#context.files.stat(key)) !== null) here.add(values.id);
    }
    return here;
  }

  #documentOf(record: ReadRecord, here: ReadonlySet<number>): DocumentToPut {
    const { values, unnamed, user, organization, projects } = record;
    const owner = this.#owner;
    return {
      values: {
        ...values,
        asset_url: here.has(values.id) ? null : values.asset_url,
        user_id: user?.id ?? (owner as Owner).user,
        organization_id: organization?.id ?? (owner as Owner).organization,
      },
      projects: projects.map(({ id }) => id),
      unnamed,
      isFileHere: here.has(values.id),
    };
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

function idOf(value: unknown): string {
  return isFields(value) && Number.isSafeInteger(value["id"]) ? ` (id ${String(value["id"])})` : "";
}
