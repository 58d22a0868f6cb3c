import { parentPort } from "node:worker_threads";
import { eld } from "eld/extrasmall";

/** Recognises the language of each passage that it is sent: the library's code, or null if it is not sure. */
parentPort?.on("message", (passages: readonly string[]) => {
  const found = passages.map((passage) => {
    const result = eld.detect(passage);
    return result.isReliable() ? result.language : null;
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(found);
});
