import { parentPort, workerData } from "node:worker_threads";
import pino from "pino";
import type { Config } from "../config.ts";
import { openContext } from "../context.ts";
import { buildWorker } from "../worker.ts";
import { type BackgroundMessage, startedMessage } from "./background-work.ts";

/** The thread that does what is queued: see background-work.ts. What it is told while it starts waits for it. */
async function work(port: NonNullable<typeof parentPort>, config: Config): Promise<void> {
  const log = pino({ level: config.logLevel, base: null }, pino.destination({ dest: 1, sync: true }));
  const context = await openContext(config, log);
  const worker = buildWorker(context);
  worker.start();
  port.on("message", (message: BackgroundMessage) => {
    if (message === "look") worker.notify();
    else void stop();
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port.postMessage(startedMessage);

  async function stop(): Promise<void> {
    port.close();
    await worker.stop();
    await context.close();
  }
}

if (parentPort !== null) await work(parentPort, workerData as Config);
