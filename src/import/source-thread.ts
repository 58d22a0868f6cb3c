import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { type StagingTables, buffersOf } from "../database/staging-table.ts";
import { type BatchOptions, BatchReader } from "./read-batch.ts";
import { readCandidates } from "./record-source.ts";
import { type SourceMessage, type ThreadMessage, WakeUp } from "./source-messages.ts";

class SourceError extends Error {
  override readonly name = "SourceError";
}

/** One batch is written while the next one is read. */
const maxStages = 2;

/**
 * The thread that reads and checks the records of a source, and makes them ready to be written: see source-reader.ts.
 */
async function readSource(port: MessagePort, options: BatchOptions): Promise<void> {
  let takenBytes = 0;
  const waiting: Exclude<SourceMessage, "written">[] = [];
  const onMessage = new WakeUp();
  const onWritten = new WakeUp();
  const reader = new BatchReader(options);
  const free: StagingTables[] = [];
  const used: StagingTables[] = [];
  port.on("message", (message: SourceMessage) => {
    if (message === "written") {
      const stage = used.shift();
      stage?.clear();
      if (stage !== undefined) free.push(stage);
      onWritten.call();
    } else {
      waiting.push(message);
      onMessage.call();
    }
  });
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const message = waiting.shift();
      if (message === undefined) await onMessage.wait();
      else if (message === "end") return;
      else if (message === "error") throw new SourceError("The source could not be read to its end");
      else {
        takenBytes += message.length;
        post(takenBytes);
        yield message;
      }
    }
  }
  async function freeStage(): Promise<StagingTables> {
    while (free.length === 0 && used.length === maxStages) await onWritten.wait();
    const stage = free.pop() ?? reader.openStagingTables();
    used.push(stage);
    return stage;
  }
  try {
    for await (const candidates of readCandidates(chunks())) {
      for (const candidate of candidates) {
        if (!reader.hasStage) reader.begin(await freeStage());
        if (reader.add(candidate)) continue;
        send();
        reader.begin(await freeStage());
        reader.add(candidate);
      }
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
  }
  if (reader.hasStage) send();
  post("end");
  // The stages are open until the last batch is written.
  while (used.length > 0) await onWritten.wait();
  for (const stage of free) stage.close();
  port.close();

  function send(): void {
    const batch = reader.finish();
    const { texts, ends, lines, numbers, ids, staged } = batch;
    const buffers = [texts, ends, lines, numbers, ids].map(({ buffer }) => buffer as ArrayBuffer);
    post(batch, [...buffers, ...buffersOf(staged)]);
  }

  function post(message: ThreadMessage, transferred: ArrayBuffer[] = []): void {
    port.postMessage(message, transferred);
  }
}

if (parentPort !== null) await readSource(parentPort, workerData as BatchOptions);
