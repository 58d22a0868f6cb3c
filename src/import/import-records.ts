import type { Writer } from "../database/database.ts";
import type { Context } from "../context.ts";
import { reasonOf } from "../errors.ts";
import { documentFileKey } from "../files/keys.ts";
import type { DocumentToPut, PutCounts } from "../resources/documents/record/import-store.ts";
import type { Owner } from "./owner.ts";
import { type ReadRecord, readRecord } from "./read-record.ts";
import { RecordError, isFields } from "./record-fields.ts";
import { type Candidate, placeOf } from "./record-source.ts";
import { RecordWriter } from "./record-writer.ts";
import type { ImportReport } from "./report.ts";

/**
 * About a second's work in a transaction: with fewer rows the same pages of the indexes are written to the disk again
 * and again (5000 took half as long again); with more, others wait too long for their turn, and Ctrl-C for the end.
 */
const rowsPerTransaction = 20_000;
const bytesPerTransaction = 32 * 1024 * 1024;

export interface RecordImportOptions {
  /** Where this server's own files are: a record that says so may mean a file that is here. */
  ownAssets: string;
  /** Whose records are that name no user or no organization. */
  owner(): Promise<Owner>;
  signal: AbortSignal;
  report: ImportReport;
  alongside?: Alongside;
}

/** What else a transaction does that puts records. */
export interface Alongside {
  /** @throws {RecordError} for records that must not be put. */
  before(writer: Writer, records: readonly ReadRecord[]): Promise<void>;
  after(writer: Writer, records: readonly ReadRecord[]): Promise<void>;
}

interface PendingRecord {
  /** Where it came from, and where it stood there: see {@link placeOf}. */
  name: string;
  line: number | null;
  number: number | null;
  record: ReadRecord;
}

/** Takes in records as the list has them, from whatever sources, one after the other. */
export class RecordImport {
  readonly #context: Pick<Context, "database" | "files">;
  readonly #options: RecordImportOptions;
  readonly #writer: RecordWriter;
  #pending = new Map<number, PendingRecord>();
  #pendingBytes = 0;
  #owner: Owner | null = null;
  #isPrepared = false;

  constructor(context: Pick<Context, "database" | "files">, options: RecordImportOptions) {
    this.#context = context;
    this.#options = options;
    this.#writer = new RecordWriter(context.database.dialect);
  }

  /** Reads a source to its end. When it resolves, everything that could be taken in is in the database. */
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
          // Of two records of one document the later one counts, as if they had come in two imports.
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
        this.#options.report.fail(placeOf(name, candidate) + idOf(value), error.message);
      }
    } else this.#options.report.fail(placeOf(name, candidate), fault);
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
   * Writes all of them; if something in them cannot be stored, all but those that it is in. A document that is refused
   * since another process has just put it is there when it is tried again.
   */
  async #write(pending: readonly PendingRecord[], isAgain = false): Promise<void> {
    const { signal, report } = this.#options;
    const { database } = this.#context;
    signal.throwIfAborted();
    try {
      report.count(await this.#put(pending.map(({ record }) => record)));
    } catch (error) {
      const isBarred = error instanceof RecordError;
      if (!isBarred && !database.dialect.isRefusal(error)) throw error;
      const [first] = pending;
      if (first !== undefined && pending.length === 1 && (isAgain || isBarred)) {
        const { name, line, number: record } = first;
        const place = placeOf(name, { line, record }) + idOf(first.record.values);
        return report.fail(place, reasonOf(error));
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
    const items = records.map((record) => ({ record, document: this.#documentOf(record, here) }));
    return database.write(async (writer) => {
      if (!this.#isPrepared) {
        for (const statement of database.dialect.forManyRows) await statement.execute(writer);
        this.#isPrepared = true;
      }
      await this.#options.alongside?.before(writer, records);
      const counts = await this.#writer.put(writer, items);
      await this.#options.alongside?.after(writer, records);
      return counts;
    });
  }

  /** The ids of those whose files are in our own store. */
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

function idOf(value: unknown): string {
  return isFields(value) && Number.isSafeInteger(value["id"]) ? ` (id ${String(value["id"])})` : "";
}
