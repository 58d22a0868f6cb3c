import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Config } from "../config.ts";
import type { TestApp } from "./test-app.ts";

const main = path.join(import.meta.dirname, "../main.ts");

/** `quire serve` in a process of its own: one that can be killed. */
export interface ServedApp extends Pick<TestApp, "url" | "fetch">, AsyncDisposable {
  /** All that it has written. */
  written(): string;
  /** Ends it as a machine that loses power would, without a word. */
  kill(): Promise<void>;
}

export async function serveOn({
  data,
  databaseUrl,
  jobLeaseSeconds,
}: Pick<Config, "data" | "databaseUrl" | "jobLeaseSeconds">): Promise<ServedApp> {
  const env = {
    PATH: process.env["PATH"],
    QUIRE_DATA: data,
    QUIRE_PORT: "0",
    QUIRE_SAMPLES: "off",
    QUIRE_JOB_LEASE_SECONDS: String(jobLeaseSeconds),
    ...(databaseUrl === null ? {} : { QUIRE_DATABASE_URL: databaseUrl }),
  };
  const server = spawn(process.execPath, [main, "serve"], { env });
  let text = "";
  for (const stream of [server.stdout, server.stderr])
    stream.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
  const end = (signal: NodeJS.Signals) => async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    await once(server, "close");
  };
  const url = await addressOf(server, () => text);
  return {
    url,
    fetch: (target, init) => fetch(`${url}${target}`, init),
    written: () => text,
    kill: end("SIGKILL"),
    [Symbol.asyncDispose]: end("SIGTERM"),
  };
}

/** As it says itself once it serves. */
async function addressOf(server: ChildProcessWithoutNullStreams, text: () => string): Promise<string> {
  const ended = once(server, "close").then(() => Promise.reject(new Error(`It ended:\n${text()}`)));
  ended.catch(() => undefined);
  for (;;) {
    const [, url] = /Documents for people\s+(\S+)\/\n/.exec(text()) ?? [];
    if (url !== undefined) return url;
    await Promise.race([once(server.stdout, "data"), once(server.stderr, "data"), ended]);
  }
}
