import { afterAll, beforeAll } from "vitest";
import type { Context } from "../context.ts";
import type { JobRunner } from "../jobs/runner.ts";
import { buildWorker } from "../worker.ts";
import type { TestApp } from "./test-app.ts";

/** Runs the jobs of an application from here to the end of a `describe`. */
export function useWorker(
  app: TestApp,
  settings: Parameters<typeof buildWorker>[1] = {},
): Pick<JobRunner, "start" | "notify" | "drain" | "stop"> {
  let worker: JobRunner;
  beforeAll(() => {
    worker = buildWorker(app.context, settings);
    worker.start();
  });
  afterAll(() => worker.stop());
  return {
    start: () => worker.start(),
    notify: () => worker.notify(),
    drain: () => worker.drain(),
    stop: () => worker.stop(),
  };
}

/** Runs the jobs that are due, and those that follow from them. */
export async function runJobs(
  context: Context,
  settings: Parameters<typeof buildWorker>[1] = {},
): Promise<void> {
  const worker = buildWorker(context, settings);
  worker.start();
  await worker.drain();
  await worker.stop();
}
