import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { addSqliteFunctions } from "./sqlite-functions.ts";

/** A statement that reads. */
export interface ReadWorkerRequest {
  sql: string;
  parameters: readonly SQLInputValue[];
}

export type ReadWorkerResponse = { rows: Record<string, unknown>[] } | { error: Error };

/** The thread in which slow queries run; it may be ended between two rows. */
function answerQuestions(port: MessagePort, file: string): void {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec("pragma query_only = on; pragma temp_store = memory; pragma cache_size = -32768");
  addSqliteFunctions(database);
  port.on("message", ({ sql, parameters }: ReadWorkerRequest) => {
    try {
      answer({ rows: database.prepare(sql).all(...parameters) });
    } catch (error) {
      answer({ error: error instanceof Error ? error : new Error(String(error)) });
    }
  });

  function answer(given: ReadWorkerResponse): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    port.postMessage(given);
  }
}

if (parentPort !== null) answerQuestions(parentPort, workerData as string);
