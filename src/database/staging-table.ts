import { randomUUID } from "node:crypto";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { type CompiledQuery, type Kysely, type RawBuilder, type Transaction, sql } from "kysely";
import { copyLine } from "./copy-line.ts";
import type { Dialect } from "./dialect.ts";
import { dialectOf } from "./dialects.ts";
import type { Tables } from "./tables.ts";

/*
 * New rows of several tables that one thread makes ready and another one writes: turning values into what the engine
 * takes costs as much as the engine itself. On SQLite they are tables of a database in memory, which both threads open,
 * so that one statement copies many rows. On PostgreSQL they are the lines of COPY.
 */

/** A table that has a staging table. */
export interface StagingTable {
  readonly table: keyof Tables;
  readonly columns: readonly string[];
  /** The columns that identify a row. The first one is the id by which the rows of all tables are put together. */
  readonly key: readonly string[];
}

/** The contents of staging tables, as they are handed to the thread that writes. */
export type StagingContents =
  | { readonly engine: "sqlite"; readonly address: string; readonly spans: readonly Span[] }
  | { readonly engine: "postgres"; readonly pieces: readonly (readonly Uint8Array[])[] };

/** The first and the last id of some rows. */
type Span = readonly [number, number];

/** A staging table for each of several tables. They can be used again after `clear`. */
export interface StagingTables {
  /** The number of ids. */
  readonly size: number;
  has(id: number): boolean;
  /** Adds the new rows of an id: a list for each table. */
  add(id: number, rows: readonly (readonly object[])[]): void;
  /** Nothing may be added any more. */
  finish(): StagingContents;
  clear(): void;
  close(): void;
}

export function openStagingTables({ engine }: Dialect, tables: readonly StagingTable[]): StagingTables {
  return engine === "sqlite" ? new SqliteStagingTables(tables) : new PostgresStagingTables(tables);
}

/** The ids whose rows one statement writes. On SQLite nothing else can happen meanwhile. */
const idsAtOnce = 1000;

const schema = "staged";

class SqliteStagingTables implements StagingTables {
  readonly #address = `file:/quire-${randomUUID()}?vfs=memdb`;
  readonly #database = new DatabaseSync(this.#address);
  readonly #tables: readonly StagingTable[];
  readonly #inserts: readonly StatementSync[];
  readonly #ids = new Set<number>();

  constructor(tables: readonly StagingTable[]) {
    this.#tables = tables;
    this.#database.exec("pragma journal_mode = off; pragma synchronous = off");
    for (const { table, columns, key } of tables) {
      const [id] = key;
      const all = columns.map((column) => (key.length === 1 && column === id ? `${id} integer` : column));
      const withoutRowid = key.length === 1 ? "" : "without rowid";
      this.#database.exec(
        `create table ${table} (${all.join(", ")}, primary key (${key.join(", ")})) ${withoutRowid}`,
      );
    }
    this.#inserts = tables.map(({ table, columns }) =>
      this.#database.prepare(`insert into ${table} values (${columns.map(() => "?").join(", ")})`),
    );
  }

  get size(): number {
    return this.#ids.size;
  }

  has(id: number): boolean {
    return this.#ids.has(id);
  }

  add(id: number, rows: readonly (readonly object[])[]): void {
    if (this.#ids.size === 0) this.#database.exec("begin");
    this.#ids.add(id);
    for (let index = 0; index < rows.length; index++) {
      const { columns } = this.#tables[index] as StagingTable;
      for (const row of rows[index] as readonly Record<string, unknown>[]) {
        const values: SQLInputValue[] = [];
        for (const column of columns) {
          const value = row[column];
          values.push((typeof value === "boolean" ? Number(value) : value) as SQLInputValue);
        }
        (this.#inserts[index] as StatementSync).run(...values);
      }
    }
  }

  finish(): StagingContents {
    if (this.#ids.size > 0) this.#database.exec("commit");
    const ids = Float64Array.from(this.#ids).toSorted();
    const spans: Span[] = [];
    for (let start = 0; start < ids.length; start += idsAtOnce) {
      const last = Math.min(ids.length, start + idsAtOnce) - 1;
      spans.push([ids[start] as number, ids[last] as number]);
    }
    return { engine: "sqlite", address: this.#address, spans };
  }

  clear(): void {
    this.#ids.clear();
    for (const { table } of this.#tables) this.#database.exec(`delete from ${table}`);
  }

  close(): void {
    this.#database.close();
  }
}

class PostgresStagingTables implements StagingTables {
  readonly #tables: readonly StagingTable[];
  readonly #lines = new Map<number, readonly string[]>();

  constructor(tables: readonly StagingTable[]) {
    this.#tables = tables;
  }

  get size(): number {
    return this.#lines.size;
  }

  has(id: number): boolean {
    return this.#lines.has(id);
  }

  add(id: number, rows: readonly (readonly object[])[]): void {
    const lines = rows.map((ofTable, index) => {
      const { columns } = this.#tables[index] as StagingTable;
      let text = "";
      for (const row of ofTable) text += copyLine(columns, row as Record<string, unknown>);
      return text;
    });
    this.#lines.set(id, lines);
  }

  finish(): StagingContents {
    const ids = Float64Array.from(this.#lines.keys()).toSorted();
    const pieces: Uint8Array[][] = [];
    for (let start = 0; start < ids.length; start += idsAtOnce) {
      const lines = Array.from(ids.subarray(start, start + idsAtOnce), (id) => this.#lines.get(id) ?? []);
      pieces.push(this.#tables.map((_, index) => bytesOf(lines.map((ofId) => ofId[index] ?? "").join(""))));
    }
    return { engine: "postgres", pieces };
  }

  clear(): void {
    this.#lines.clear();
  }

  close(): void {
    this.clear();
  }
}

/** Bytes in a buffer of their own, which can be given to another thread. */
function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The buffers that the other thread takes over. */
export function buffersOf(staged: StagingContents): ArrayBuffer[] {
  if (staged.engine === "sqlite") return [];
  return staged.pieces.flat().map(({ buffer }) => buffer as ArrayBuffer);
}

/**
 * Runs `work` while staged rows can be inserted on this connection. On SQLite, foreign keys and checks are off
 * meanwhile: they take half as long as the rest of copying documents. The values must have been checked before the rows
 * were staged, and `work` must write the rows that they refer to.
 */
export async function withStaged<T>(
  connection: Kysely<Tables>,
  staged: StagingContents,
  work: () => Promise<T>,
): Promise<T> {
  if (staged.engine === "postgres") return work();
  await sql`attach ${staged.address} as ${sql.ref(schema)}`.execute(connection);
  try {
    await sql`pragma foreign_keys = off`.execute(connection);
    await sql`pragma ignore_check_constraints = on`.execute(connection);
    return await work();
  } finally {
    await sql`pragma ignore_check_constraints = off`.execute(connection);
    await sql`pragma foreign_keys = on`.execute(connection);
    await sql`detach ${sql.ref(schema)}`.execute(connection);
  }
}

/** Inserts staged rows in order of ids. An existing row is an error, which on SQLite rolls back the transaction. */
export async function insertStaged(
  writer: Transaction<Tables>,
  tables: readonly StagingTable[],
  staged: StagingContents,
): Promise<void> {
  if (staged.engine === "postgres") {
    const copies = tables.map(({ table, columns }) =>
      sql`copy ${sql.table(table)} (${columnsOf(columns)}) from stdin`.compile(writer),
    );
    for (const piece of staged.pieces) {
      for (const [index, lines] of piece.entries()) {
        const parameters = [Buffer.from(lines.buffer, lines.byteOffset, lines.length)];
        if (lines.length > 0) await writer.executeQuery({ ...(copies[index] as CompiledQuery), parameters });
      }
    }
    return;
  }
  const { insertWhole } = dialectOf(writer);
  const inserts = tables.map(({ table, columns, key: [id = ""] }) =>
    sql`${insertWhole} ${sql.table(table)} (${columnsOf(columns)}) select ${columnsOf(columns)}
      from ${sql.id(schema, table)} where ${sql.ref(id)} between ${null} and ${null}`.compile(writer),
  );
  for (const parameters of staged.spans) {
    for (const insert of inserts) await writer.executeQuery({ ...insert, parameters });
    // Lets the source be read meanwhile.
    await setImmediate();
  }
}

function columnsOf(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}
