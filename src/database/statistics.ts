import { sql } from "kysely";
import type { Database } from "./database.ts";

/*
 * The statistics of PostgreSQL's planner. Autovacuum gathers them about a minute after many rows have been written, if
 * it is on at all, and plans are bad until then. A database that was restored or upgraded by PostgreSQL's own programs
 * has none either. SQLite needs none, because its queries name their indexes.
 */

type Analysed = Pick<Database, "dialect" | "reader" | "write">;

/** Gathers statistics of the tables that have rows but no statistics. Returns the names of the tables. */
export function addMissingStatistics(database: Analysed): Promise<string[]> {
  return analyze(database, "those without statistics");
}

async function analyze(database: Analysed, which: "all" | "those without statistics"): Promise<string[]> {
  const { filledTables } = database.dialect;
  if (filledTables === null) return [];
  const { rows } = await filledTables.execute(database.reader);
  const tables = rows.filter(({ has_statistics }) => which === "all" || !has_statistics);
  for (const { name } of tables)
    await database.write((writer) => sql`analyze ${sql.table(name)}`.execute(writer));
  return tables.map(({ name }) => name);
}

/** Gathers statistics while many documents are written, and at the end. */
export class StatisticsOfImport {
  readonly #database: Analysed;
  #written = 0;
  #unanalysed = 0;

  constructor(database: Analysed) {
    this.#database = database;
  }

  /** Call it between transactions, with the number of documents that the last one has added. */
  async count(added: number): Promise<void> {
    this.#written += added;
    this.#unanalysed += added;
    // Each gathering takes as long as writing a few thousand documents.
    if (this.#unanalysed >= minDocuments && this.#unanalysed >= this.#written * minShare)
      await this.#analyze("all");
  }

  /** Call it after the last document. */
  async finish(): Promise<void> {
    if (this.#unanalysed >= minDocuments) await this.#analyze("all");
    else if (this.#written > 0) await this.#analyze("those without statistics");
  }

  async #analyze(which: Parameters<typeof analyze>[1]): Promise<void> {
    this.#unanalysed = 0;
    await analyze(this.#database, which);
  }
}

const minDocuments = 1000;
const minShare = 0.9;
