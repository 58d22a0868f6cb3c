import { parentPort, workerData } from "node:worker_threads";
import pino from "pino";
import { type Context, openContext } from "../context.ts";
import { buildWorker } from "../worker.ts";
import { logOptions } from "./server-log.ts";
import {
  type BackgroundData,
  type BackgroundMessage,
  type MeasuredMessage,
  idleMessage,
  startedMessage,
} from "./background-work.ts";

/** The thread that runs queued jobs: see background-work.ts. It can be told to stop while it is starting. */
async function work(
  port: NonNullable<typeof parentPort>,
  { config, idleSeconds }: BackgroundData,
): Promise<void> {
  const log = pino(logOptions(config.logLevel), pino.destination({ dest: 1, sync: true }));
  const opening = new AbortController();
  const stopWhileOpening = (message: BackgroundMessage): void => {
    if (message === "stop") opening.abort();
  };
  port.on("message", stopWhileOpening);
  let context: Context;
  try {
    context = await openContext(config, log, {
      signal: opening.signal,
      startsWithoutFiles: true,
      joins: true,
      measures: true,
    });
  } catch (error) {
    port.close();
    if (opening.signal.aborted) return;
    throw error;
  }
  const worker = buildWorker(context);
  worker.start();
  let watch: NodeJS.Timeout | undefined;
  port.off("message", stopWhileOpening);
  port.on("message", (message: BackgroundMessage) => {
    if (message === "look") worker.notify();
    else if (message === "measure") void measure();
    else void stop();
  });
  if (opening.signal.aborted) return stop();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port.postMessage(startedMessage);
  let quietSeconds = 0;
  watch = setInterval(() => {
    quietSeconds = worker.isIdle ? quietSeconds + 1 : 0;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    if (quietSeconds === idleSeconds) port.postMessage(idleMessage);
  }, 1000);

  async function measure(): Promise<void> {
    const { metrics } = context;
    if (metrics === null) return;
    const message: MeasuredMessage = { measurements: await metrics.measurements() };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    port.postMessage(message);
  }

  async function stop(): Promise<void> {
    clearInterval(watch);
    port.removeAllListeners("message");
    await worker.stop();
    await measure();
    port.close();
    await context.close();
  }
}

if (parentPort !== null) await work(parentPort, workerData as BackgroundData);
