import { type MessagePort, parentPort } from "node:worker_threads";
import { readCandidate } from "./read-source.ts";
import { readCandidates } from "./record-source.ts";
import { type RecordsMessage, type SourceMessage, WakeUp } from "./source-messages.ts";

class SourceError extends Error {
  override readonly name = "SourceError";
}

/** The thread that reads, checks and renders the records of a source: see source-reader.ts. */
async function readSource(port: MessagePort): Promise<void> {
  let takenBytes = 0;
  const waiting: SourceMessage[] = [];
  const onMessage = new WakeUp();
  port.on("message", (message: SourceMessage) => {
    waiting.push(message);
    onMessage.call();
  });
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const message = waiting.shift();
      if (message === undefined) await onMessage.wait();
      else if (message === "end") return;
      else if (message === "error") throw new SourceError("The source could not be read to its end");
      else {
        takenBytes += message.length;
        yield message;
      }
    }
  }
  try {
    for await (const candidates of readCandidates(chunks()))
      send(JSON.stringify(candidates.map(readCandidate)));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
  }
  send(null);
  port.close();

  function send(records: string | null): void {
    const message: RecordsMessage = { records, takenBytes };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    port.postMessage(message);
  }
}

if (parentPort !== null) await readSource(parentPort);
