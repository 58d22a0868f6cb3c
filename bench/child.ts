import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import path from "node:path";

export interface ChildOptions {
  /** Options of Node itself. */
  nodeOptions?: readonly string[];
  args?: readonly string[];
  environment?: Readonly<Record<string, string>>;
  /** The target of its standard output. Default: /dev/null. */
  logFile?: string;
  /** The target of its standard error. Default: this process's own. */
  complaintsFile?: string;
}

const endWithParent = new URL("./end-with-parent.ts", import.meta.url).href;
const compileCache = path.join(import.meta.dirname, "data", "compile-cache");
const patienceMilliseconds = 15_000;

/** A program in a separate process, which may answer questions, one at a time. It ends with this process. */
export class Child {
  readonly #process: ChildProcess;
  readonly #name: string;

  /** `program` is a path relative to this folder. */
  constructor(
    program: string,
    { nodeOptions = [], args = [], environment = {}, ...files }: ChildOptions = {},
  ) {
    this.#name = [program, ...args].join(" ");
    const output = openSync(files.logFile ?? "/dev/null", "w");
    const complaints = files.complaintsFile === undefined ? null : openSync(files.complaintsFile, "w");
    this.#process = fork(path.join(import.meta.dirname, program), args, {
      execArgv: [...nodeOptions, "--import", endWithParent],
      // Without it, loading that module alone would bring the compiler for types into every process measured.
      env: { ...withoutSettings(process.env), NODE_COMPILE_CACHE: compileCache, ...environment },
      stdio: ["ignore", output, complaints ?? "inherit", "ipc"],
      // In a separate session, so that Ctrl-C reaches only the measuring process. The child notices when that ends.
      detached: true,
    });
    closeSync(output);
    if (complaints !== null) closeSync(complaints);
  }

  get pid(): number {
    const { pid } = this.#process;
    if (pid === undefined) throw new Error(`${this.#name} did not start`);
    return pid;
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  async ask<Answer>(question: unknown): Promise<Answer> {
    const answer = this.hear<Answer>();
    if (this.isRunning) this.#process.send(question as object);
    return answer;
  }

  /** The next message. */
  async hear<Message>(): Promise<Message> {
    if (!this.isRunning) throw new Error(`${this.#name} has ended`);
    const waiting = new AbortController();
    const answer = once(this.#process, "message", { signal: waiting.signal });
    const end = once(this.#process, "exit", { signal: waiting.signal });
    try {
      const [value] = (await Promise.race([answer, end.then(() => [undefined])])) as [Message | undefined];
      if (value === undefined) throw new Error(`${this.#name} ended instead of answering`);
      return value;
    } finally {
      waiting.abort();
      await Promise.allSettled([answer, end]);
    }
  }

  /** Waits until it ends by itself. Throws if its exit code is not 0. */
  async end(): Promise<void> {
    if (this.isRunning) await once(this.#process, "exit");
    const how = this.#process.exitCode ?? this.#process.signalCode;
    if (how !== 0) throw new Error(`${this.#name} ended with ${how}`);
  }

  /** Asks it to end, and waits until it has. */
  async stop(): Promise<void> {
    if (!this.isRunning) return;
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGTERM");
    const impatience = setTimeout(() => this.#process.kill("SIGKILL"), patienceMilliseconds);
    await ended;
    clearTimeout(impatience);
  }
}

/**
 * Removes the settings of this machine, so that the measured process has the given ones and defaults for all others.
 */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("QUIRE_")));
}
