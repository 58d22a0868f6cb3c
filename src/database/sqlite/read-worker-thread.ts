import { BoundedMap } from "../../bounded-map.ts";
import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";
import path from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { existingFile } from "./existing-file.ts";
import { addSqliteFunctions } from "./sqlite-functions.ts";

/** A read-only statement. */
export interface ReadWorkerRequest {
  sql: string;
  parameters: readonly SQLInputValue[];
}

export type ReadWorkerResponse = { rows: Record<string, unknown>[] } | { error: Error };

/** Clients choose the texts of queries, so only the latest are kept. */
const preparedStatements = 32;

/** Runs slow queries in this thread, which may be terminated between two rows. */
function answerQueries(port: MessagePort, file: string): void {
  const database = new DatabaseSync(existingFile(file), { timeout: 10_000 });
  database.exec("pragma query_only = on; pragma temp_store = memory; pragma cache_size = -32768");
  addSqliteFunctions(database);
  const statements = new BoundedMap<string, StatementSync>(preparedStatements);
  port.on("message", ({ sql, parameters }: ReadWorkerRequest) => {
    try {
      answer({ rows: prepared(sql).all(...parameters) });
    } catch (error) {
      answer({ error: error instanceof Error ? error : new Error(String(error)) });
    }
  });

  /** Preparing a search takes as long as running one that finds little. */
  function prepared(sql: string): StatementSync {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  function answer(response: ReadWorkerResponse): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    port.postMessage(response);
  }
}

/**
 * Lets the threads that answer other requests run first when the processors are busy. On Linux, a priority belongs to a
 * thread; elsewhere it would change that of the whole process.
 */
function giveWay(): void {
  if (process.platform !== "linux") return;
  try {
    const thread = Number(path.basename(readlinkSync("/proc/thread-self")));
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Without /proc, all threads have the same priority.
  }
}

giveWay();
if (parentPort !== null) answerQueries(parentPort, workerData as string);
