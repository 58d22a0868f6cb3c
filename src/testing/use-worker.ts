import { afterAll, beforeAll } from "vitest";
import type { JobRunner } from "../jobs/runner.ts";
import { buildWorker } from "../worker.ts";
import type { TestApp } from "./test-app.ts";

/** Runs the jobs of an application from here to the end of a `describe`. */
export function useWorker(
  app: TestApp,
  settings: Parameters<typeof buildWorker>[1] = {},
): Pick<JobRunner, "start" | "drain" | "stop"> {
  let worker: JobRunner;
  beforeAll(() => {
    worker = buildWorker(app.context, settings);
    worker.start();
  });
  afterAll(() => worker.stop());
  return { start: () => worker.start(), drain: () => worker.drain(), stop: () => worker.stop() };
}
