import { setTimeout as wait } from "node:timers/promises";
import type { Writer } from "../database/database.ts";
import { StatisticsOfImport } from "../database/statistics.ts";
import type { Context } from "../context.ts";
import { reasonOf } from "../errors.ts";
import { documentFileKey } from "../files/keys.ts";
import type { PutCounts } from "../resources/documents/record/import-store.ts";
import type { DocumentToPut } from "../resources/documents/record/new-rows-store.ts";
import type { Owner } from "./owner.ts";
import type { ReadRecord } from "./read-record.ts";
import { type ReadBatch, bytesPerTransaction, recordsOf } from "./read-batch.ts";
import { type SourceRecord, idOf } from "./read-source.ts";
import { RecordError } from "./record-fields.ts";
import { positionOf } from "./record-source.ts";
import { RecordWriter } from "./record-writer.ts";
import type { ImportReport } from "./report.ts";

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
}

/** Imports records in the form of the list, from one source after the other. */
export class RecordImport {
  readonly #context: Pick<Context, "database" | "files">;
  readonly #options: RecordImportOptions;
  readonly #writer: RecordWriter;
  readonly #statistics: StatisticsOfImport;
  #pending = new Map<number, PendingRecord>();
  #pendingBytes = 0;
  #owner: Owner | null = null;
  #isPrepared = false;

  constructor(context: Pick<Context, "database" | "files">, options: RecordImportOptions) {
    this.#context = context;
    this.#options = options;
    this.#writer = new RecordWriter(context.database.dialect);
    this.#statistics = new StatisticsOfImport(context.database);
  }

  /** Imports the records of a source. When the promise resolves, all that could be imported are in the database. */
  async run(name: string, source: AsyncIterable<readonly SourceRecord[] | ReadBatch>): Promise<void> {
    const { signal, report } = this.#options;
    report.at(name);
    try {
      for await (const read of source) {
        signal.throwIfAborted();
        if ("staged" in read) await this.#takeBatch(name, read);
        else for (const record of read) await this.#take(name, record);
        report.at(name);
      }
    } finally {
      if (!signal.aborted) await this.#flush();
      this.#reportUsers();
    }
  }

  /** Call it after the last source. */
  async finish(): Promise<void> {
    await this.#statistics.finish();
  }

  /** Says whose documents no account owns, although it may look so. */
  #reportUsers(): void {
    const { report } = this.#options;
    for (const { id, username, ownName, account } of this.#writer.users.takeUnlikeAccounts()) {
      report.note(
        `user ${id}: the account ${username} has the id ${account} here, so it does not own the ` +
          `documents of user ${id}, ` +
          `who is called ${ownName}. quire user add NAME --id ${id} gives them an account`,
      );
    }
    report.nameless = this.#writer.users.nameless;
  }

  async #take(name: string, { line, record: number, bytes, read, fault }: SourceRecord): Promise<void> {
    const { report } = this.#options;
    if (fault !== null) this.#refuse(name, { line, record: number, fault });
    if (read === null) return;
    report.leaveOut(read.leftOut);
    // If two records are of the same document, the later one wins, as in two separate imports.
    if (this.#isFull || this.#pending.has(read.values.id)) await this.#flush();
    this.#pending.set(read.values.id, { name, line, number, record: read });
    this.#pendingBytes += bytes;
  }

  async #takeBatch(name: string, batch: ReadBatch): Promise<void> {
    const { report } = this.#options;
    await this.#flush();
    for (const faulty of batch.faults) this.#refuse(name, faulty);
    report.leaveOut(batch.leftOut);
    const isWritten = batch.ids.length > 0 && (await this.#writeStaged(batch));
    const pending = recordsOf(batch, isWritten ? batch.others : undefined).flatMap(
      ({ line, record: number, read }) => (read === null ? [] : [{ name, line, number, record: read }]),
    );
    if (pending.length > 0) await this.#write(pending);
    await this.#pause();
    report.addBytes(batch.bytes);
  }

  #refuse(name: string, faulty: ReadBatch["faults"][number]): void {
    this.#options.report.fail(positionOf(name, faulty) + faulty.fault.id, faulty.fault.reason);
  }

  /** Returns false, and has written nothing, if the documents of the batch cannot be written as they are staged. */
  async #writeStaged(batch: ReadBatch): Promise<boolean> {
    const { signal } = this.#options;
    const { database } = this.#context;
    signal.throwIfAborted();
    try {
      const isWritten = await database.writeStaged(batch.staged, async (writer) => {
        await this.#prepare(writer);
        return this.#writer.addStaged(writer, batch);
      });
      if (isWritten) await this.#count({ added: batch.ids.length, changed: 0, known: 0 });
      return isWritten;
    } catch (error) {
      if (database.dialect.isRefusal(error)) return false;
      throw error;
    }
  }

  get #isFull(): boolean {
    const { newDocumentsPerTransaction } = this.#context.database.dialect;
    return this.#pending.size >= newDocumentsPerTransaction || this.#pendingBytes >= bytesPerTransaction;
  }

  async #flush(): Promise<void> {
    const pending = [...this.#pending.values()];
    const bytes = this.#pendingBytes;
    this.#pending = new Map();
    this.#pendingBytes = 0;
    if (pending.length > 0) {
      await this.#write(pending);
      await this.#pause();
    }
    this.#options.report.addBytes(bytes);
  }

  /** Lets others write. */
  async #pause(): Promise<void> {
    await wait(this.#context.database.dialect.pauseForWritersMilliseconds);
  }

  async #prepare(writer: Writer): Promise<void> {
    if (this.#isPrepared) return;
    for (const statement of this.#context.database.dialect.forManyRows) await statement.execute(writer);
    this.#isPrepared = true;
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
      await this.#count(await this.#put(pending));
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

  async #count(counts: PutCounts): Promise<void> {
    this.#options.report.count(counts);
    await this.#statistics.count(counts.added);
  }

  async #put(pending: readonly PendingRecord[]): Promise<PutCounts> {
    const { database } = this.#context;
    const records = pending.map(({ record }) => record);
    const isOwned = records.every(({ user, organization }) => user !== null && organization !== null);
    if (!isOwned) this.#owner ??= await this.#options.owner();
    const here = await this.#findFiles(records);
    const items = pending.map((each) => ({ record: each.record, document: this.#documentOf(each, here) }));
    return database.write(async (writer) => {
      await this.#prepare(writer);
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

  #documentOf({ record }: PendingRecord, here: ReadonlySet<number>): DocumentToPut {
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
