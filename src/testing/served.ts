import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Config } from "../config.ts";
import type { TestApp } from "./test-app.ts";

const main = path.join(import.meta.dirname, "../main.ts");

type Storage = Pick<Config, "data" | "databaseUrl" | "jobLeaseSeconds">;

/** Runs the command in its own process, which a test can kill. Disposing of it stops the process. */
export interface OwnProcess extends AsyncDisposable {
  pid: number;
  /** All its output so far. */
  written(): string;
  /** Kills it without warning, as a power failure would. */
  kill(): Promise<void>;
  /** Asks it to end. Resolves to its exit code and the signal that ended it. */
  stop(): Promise<readonly [number | null, string | null]>;
}

/** `quire serve`. */
export interface ServedApp extends Pick<TestApp, "url" | "fetch">, OwnProcess {}

/** `environment` adds to the settings. */
export async function serveOn(
  storage: Storage,
  environment: Record<string, string> = {},
): Promise<ServedApp> {
  const server = new Started("serve", storage, {
    QUIRE_PORT: "0",
    QUIRE_PROCESSES: "1",
    QUIRE_SAMPLES: "off",
    ...environment,
  });
  const [, url] = await server.says(/Documents for people\s+(\S+)\/\n/);
  return Object.assign(server.asOwnProcess(), {
    url: url ?? "",
    fetch: (target: string, init?: RequestInit) => fetch(`${url}${target}`, init),
  });
}

/** `quire work`, beside a server on the same storage. */
export async function workOn(
  storage: Storage,
  environment: Record<string, string> = {},
): Promise<OwnProcess> {
  const worker = new Started("work", storage, environment);
  await worker.says(/Processing what is queued/);
  return worker.asOwnProcess();
}

class Started {
  readonly #process: ChildProcessWithoutNullStreams;
  #text = "";

  constructor(
    command: string,
    { data, databaseUrl, jobLeaseSeconds }: Storage,
    environment: Record<string, string>,
  ) {
    const env = {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      QUIRE_DATA: data,
      QUIRE_JOB_LEASE_SECONDS: String(jobLeaseSeconds),
      ...(databaseUrl === null ? {} : { QUIRE_DATABASE_URL: databaseUrl }),
      ...environment,
    };
    this.#process = spawn(process.execPath, [main, command], { env });
    // A test that takes too long leaves it running, and a busy one would slow all tests after it.
    const kill = (): void => void this.#process.kill("SIGKILL");
    process.once("exit", kill);
    this.#process.once("exit", () => process.off("exit", kill));
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream.setEncoding("utf8").on("data", (part: string) => {
        this.#text += part;
      });
  }

  /** Waits until its output contains this. Fails if it ends before. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    const over = new AbortController();
    const { signal } = over;
    const ended = once(this.#process, "close", { signal }).then((how) =>
      Promise.reject(new Error(`It ended (${how.join(" ")}):\n${this.#text}`)),
    );
    ended.catch(() => undefined);
    try {
      for (;;) {
        const found = pattern.exec(this.#text);
        if (found !== null) return found;
        const { stdout, stderr } = this.#process;
        await Promise.race([once(stdout, "data", { signal }), once(stderr, "data", { signal }), ended]);
      }
    } finally {
      over.abort();
    }
  }

  asOwnProcess(): OwnProcess {
    return {
      pid: this.#process.pid ?? 0,
      written: () => this.#text,
      kill: () => this.#end("SIGKILL"),
      stop: async () => {
        await this.#end("SIGTERM");
        return [this.#process.exitCode, this.#process.signalCode];
      },
      [Symbol.asyncDispose]: () => this.#end("SIGTERM"),
    };
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill(signal);
    await once(this.#process, "close");
  }
}
