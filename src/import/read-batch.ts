import { dialectFor } from "../database/dialects.ts";
import { type StagingTables, type StagingContents, openStagingTables } from "../database/staging-table.ts";
import {
  type DocumentToPut,
  newDocumentRows,
  newDocumentTables,
} from "../resources/documents/record/new-rows-store.ts";
import { type Named, NamedInRecords } from "./named-in-records.ts";
import type { ReadRecord } from "./read-record.ts";
import { type SourceRecord, readCandidate } from "./read-source.ts";
import type { Candidate } from "./record-source.ts";

export const bytesPerTransaction = 32 * 1024 * 1024;

/** What a batch depends on besides its records. */
export interface BatchOptions {
  engine: "sqlite" | "postgres";
  /** The address of this server's own files. */
  ownAssets: string;
}

/** Records of a source, no two of the same document, ready to be written as new documents. */
export interface ReadBatch {
  /** The records as JSON, one after the other, for those that cannot be written as they are staged. */
  texts: Uint8Array<ArrayBuffer>;
  /** For each record: its end in `texts`, and its line and number in the source (NaN for null). */
  ends: Float64Array;
  lines: Float64Array;
  numbers: Float64Array;
  /** The size of all records in the source. */
  bytes: number;
  /** The ids of the staged documents. */
  ids: Float64Array;
  staged: StagingContents;
  /** What the staged records name. */
  named: Named;
  /** The indexes of the records that are not staged. */
  others: readonly number[];
  faults: readonly Faulty[];
  /** Members that are not imported: see {@link ReadRecord}. */
  leftOut: readonly string[];
}

type Faulty = Pick<SourceRecord, "line" | "record"> & { fault: { id: string; reason: string } };

/** Makes batches of the values of a source, one after the other. */
export class BatchReader {
  readonly #options: BatchOptions;
  #stage: StagingTables | null = null;
  #content = emptyContent();

  constructor(options: BatchOptions) {
    this.#options = options;
  }

  get hasStage(): boolean {
    return this.#stage !== null;
  }

  /** Gives the next batch its stage, which nothing else may use until the batch is written. */
  begin(stage: StagingTables): void {
    this.#stage = stage;
  }

  /** Returns false if the value belongs to the next batch. */
  add(candidate: Candidate): boolean {
    const stage = this.#stage as StagingTables;
    const content = this.#content;
    const isFull =
      content.rows + content.faults.length >= this.#dialect.newDocumentsPerTransaction ||
      content.bytes >= bytesPerTransaction;
    if (isFull) return false;
    const { read, fault, ...position } = readCandidate(candidate);
    if (fault !== null) content.faults.push({ ...position, fault });
    if (read === null) return true;
    const { id } = read.values;
    // If two records are of the same document, the later one wins, as in two separate imports.
    if (stage.has(id) || content.otherIds.has(id)) return false;
    content.leftOut.push(...read.leftOut);
    const document = this.#newDocument(read);
    if (document === null) {
      content.otherIds.add(id);
      content.others.push(content.rows);
    } else {
      content.named.add(read, document.values.user_id);
      stage.add(id, newDocumentRows(this.#dialect, document));
      content.ids.push(id);
    }
    const text = candidate.text ?? Buffer.from(JSON.stringify(candidate.value));
    content.texts.push(text);
    content.textBytes += text.length;
    content.ends.push(content.textBytes);
    content.lines.push(candidate.line ?? NaN);
    content.numbers.push(candidate.record ?? NaN);
    content.bytes += candidate.bytes;
    content.rows += 1;
    return true;
  }

  /** The batch of everything that was added since the last one. */
  finish(): ReadBatch {
    const { texts, textBytes, ends, lines, numbers, bytes, ids, named, others, faults, leftOut } =
      this.#content;
    const whole = new Uint8Array(textBytes);
    let end = 0;
    for (const text of texts) {
      whole.set(text, end);
      end += text.length;
    }
    const staged = (this.#stage as StagingTables).finish();
    this.#stage = null;
    this.#content = emptyContent();
    return {
      texts: whole,
      ends: Float64Array.from(ends),
      lines: Float64Array.from(lines),
      numbers: Float64Array.from(numbers),
      bytes,
      ids: Float64Array.from(ids),
      staged,
      named: { users: named.users, organizations: named.organizations, projects: named.projects },
      others,
      faults,
      leftOut,
    };
  }

  /** Opens a staging table for the rows of a batch. */
  openStagingTables(): StagingTables {
    return openStagingTables(this.#dialect, newDocumentTables(this.#dialect));
  }

  get #dialect() {
    return dialectFor(this.#options.engine);
  }

  /** Null if the record names no owner, has notes or sections, or may refer to a file that is stored here. */
  #newDocument({ values, user, organization, projects, notes, sections }: ReadRecord): DocumentToPut | null {
    if (user === null || organization === null) return null;
    if (values.asset_url === this.#options.ownAssets) return null;
    if (notes.length > 0 || sections.length > 0) return null;
    return {
      values: { ...values, user_id: user.id, organization_id: organization.id },
      projects: projects.map(({ id }) => id),
    };
  }
}

interface Content {
  rows: number;
  texts: Buffer[];
  textBytes: number;
  ends: number[];
  lines: number[];
  numbers: number[];
  bytes: number;
  ids: number[];
  named: NamedInRecords;
  others: number[];
  otherIds: Set<number>;
  faults: Faulty[];
  leftOut: string[];
}

function emptyContent(): Content {
  return {
    rows: 0,
    texts: [],
    textBytes: 0,
    ends: [],
    lines: [],
    numbers: [],
    bytes: 0,
    ids: [],
    named: new NamedInRecords(),
    others: [],
    otherIds: new Set(),
    faults: [],
    leftOut: [],
  };
}

/** The records of a batch, or those at these indexes. */
export function recordsOf(batch: ReadBatch, indexes: Iterable<number> = batch.ends.keys()): SourceRecord[] {
  const texts = Buffer.from(batch.texts.buffer);
  return Array.from(indexes, (index) => {
    const text = texts.subarray(batch.ends[index - 1] ?? 0, batch.ends[index]);
    return readCandidate({
      line: fromNumber(batch.lines[index]),
      record: fromNumber(batch.numbers[index]),
      bytes: text.length,
      value: JSON.parse(text.toString()) as unknown,
      text,
      fault: null,
    });
  });
}

function fromNumber(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
