import { setTimeout as wait } from "node:timers/promises";
import type { Writer } from "../database/database.ts";
import type { Context } from "../context.ts";
import { reasonOf } from "../errors.ts";
import { documentFileKey } from "../files/keys.ts";
import type {
  DocumentToPut,
  PreparedDocument,
  PutCounts,
} from "../resources/documents/record/import-store.ts";
import type { Owner } from "./owner.ts";
import type { ReadRecord } from "./read-record.ts";
import { type SourceRecord, idOf } from "./read-source.ts";
import { RecordError } from "./record-fields.ts";
import { positionOf } from "./record-source.ts";
import { RecordWriter } from "./record-writer.ts";
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
  alongside?: Alongside;
}

/** Further work in each transaction that writes records. */
export interface Alongside {
  /** @throws {RecordError} for records that must not be written. */
  before(writer: Writer, records: readonly ReadRecord[]): Promise<void>;
  after(writer: Writer, records: readonly ReadRecord[]): Promise<void>;
}

interface PendingRecord {
  /** Its source; line and number are its position there: see {@link positionOf}. */
  name: string;
  line: number | null;
  number: number | null;
  record: ReadRecord;
  prepared: PreparedDocument | null;
}

/** Imports records in the form of the list, from one source after the other. */
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

  /** Imports the records of a source. When the promise resolves, all that could be imported are in the database. */
  async run(name: string, source: AsyncIterable<readonly SourceRecord[]>): Promise<void> {
    const { signal, report } = this.#options;
    report.at(name);
    try {
      for await (const records of source) {
        signal.throwIfAborted();
        for (const { line, record: number, bytes, read, prepared, fault } of records) {
          if (fault !== null)
            report.fail(positionOf(name, { line, record: number }) + fault.id, fault.reason);
          if (read === null) continue;
          report.leaveOut(read.leftOut);
          // If two records are of the same document, the later one wins, as in two separate imports.
          if (this.#isFull || this.#pending.has(read.values.id)) await this.#flush();
          this.#pending.set(read.values.id, { name, line, number, record: read, prepared });
          this.#pendingBytes += bytes;
        }
        report.at(name);
      }
    } finally {
      if (!signal.aborted) await this.#flush();
    }
  }

  get #isFull(): boolean {
    return this.#pending.size >= rowsPerTransaction || this.#pendingBytes >= bytesPerTransaction;
  }

  async #flush(): Promise<void> {
    const pending = [...this.#pending.values()];
    const bytes = this.#pendingBytes;
    this.#pending = new Map();
    this.#pendingBytes = 0;
    if (pending.length > 0) {
      await this.#write(pending);
      await wait(this.#context.database.dialect.pauseForWritersMilliseconds);
    }
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
      report.count(await this.#put(pending));
    } catch (error) {
      const isBarred = error instanceof RecordError;
      if (!isBarred && !database.dialect.isRefusal(error)) throw error;
      const [first] = pending;
      if (first !== undefined && pending.length === 1 && (isAgain || isBarred)) {
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

  async #put(pending: readonly PendingRecord[]): Promise<PutCounts> {
    const { database } = this.#context;
    const records = pending.map(({ record }) => record);
    const isOwned = records.every(({ user, organization }) => user !== null && organization !== null);
    if (!isOwned) this.#owner ??= await this.#options.owner();
    const here = await this.#findFiles(records);
    const items = pending.map((each) => ({ record: each.record, document: this.#documentOf(each, here) }));
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

  #documentOf({ record, prepared }: PendingRecord, here: ReadonlySet<number>): DocumentToPut {
    const { values, unnamed, user, organization, projects } = record;
    const owner = this.#owner;
    return {
      ...(prepared !== null && !here.has(values.id) && { prepared }),
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
