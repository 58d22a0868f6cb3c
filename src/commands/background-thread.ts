import { parentPort, workerData } from "node:worker_threads";
import pino from "pino";
import { openContext } from "../context.ts";
import { buildWorker } from "../worker.ts";
import {
  type BackgroundData,
  type BackgroundMessage,
  idleMessage,
  startedMessage,
} from "./background-work.ts";

/** The thread that does what is queued: see background-work.ts. What it is told while it starts waits for it. */
async function work(
  port: NonNullable<typeof parentPort>,
  { config, idleSeconds }: BackgroundData,
): Promise<void> {
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
  let quietSeconds = 0;
  const watch = setInterval(() => {
    quietSeconds = worker.isIdle ? quietSeconds + 1 : 0;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    if (quietSeconds === idleSeconds) port.postMessage(idleMessage);
  }, 1000);

  async function stop(): Promise<void> {
    clearInterval(watch);
    port.close();
    await worker.stop();
    await context.close();
  }
}

if (parentPort !== null) await work(parentPort, workerData as BackgroundData);
