import { rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { threadEnvironment } from "../../compile-cache.ts";
import { fileKinds } from "../../file-kinds.ts";
import type { ConversionAnswer, ConversionTask, Converted } from "./conversion.ts";
import type { Reply, Sandbox, SandboxLimits, SandboxedProgram } from "./sandbox.ts";
import { type TimeLimit, byTheClock, unhurried } from "../processor-time.ts";
import { UnreadableFileError } from "../unreadable-file.ts";

/*
 * The processes in which Quire's own code converts files. Starting one takes a tenth of a second of processor time,
 * and more where no earlier one has left what it compiled. A small file takes a hundredth of a second, so a process is
 * kept for some seconds and converts more files: only of the same owner, and only of kinds that JavaScript alone
 * reads. Native code decodes images, so an image gets its own process. A file that a used process cannot convert is
 * tried again in a new one, so what came before it cannot make it fail.
 */

export interface ConversionResult extends Converted {
  /** The peak memory of the process. Known only for conversions by Quire's own code. */
  memoryMb?: number;
}

export interface ProcessTask extends ConversionTask {
  /** The id of the file's owner. Without it, the file gets its own process. */
  owner?: number | undefined;
  /** The working folder of a process for this file alone. */
  folder: string;
  signal: AbortSignal | undefined;
}

interface KeptProcess {
  program: SandboxedProgram;
  owner: number;
  files: number;
  timer: NodeJS.Timeout | null;
}

const program = fileURLToPath(new URL("./conversion-process.ts", import.meta.url));

/** Whether JavaScript alone reads files of a kind: images are drawn by other code, and the rest by LibreOffice. */
function isKeptFor(extension: string): boolean {
  const kind = fileKinds.get(extension);
  const part = kind?.converter ?? kind?.fallback;
  return part !== undefined && part !== "image";
}

const maxFiles = 200;
const maxIdle = 4;
const idleMilliseconds = 5000;
/** A process that has taken more is not kept. */
const maxKeptMb = 192;

/** V8 reserves this much memory for code. It hardly uses it, but the kernel counts it. */
const unusedByNodeMb = 544;
const forNodeItselfMb = 64;

export class ConversionProcesses {
  readonly #sandbox: Pick<Sandbox, "start">;
  readonly #limits: SandboxLimits;
  /** The one that was used last comes last. */
  #idle: KeptProcess[] = [];
  #isClosed = false;

  constructor(sandbox: Pick<Sandbox, "start">, limits: SandboxLimits) {
    this.#sandbox = sandbox;
    this.#limits = limits;
  }

  /**
   * @param timeLimitSeconds that of the sandbox's limits if not given
   * @throws {UnreadableFileError}
   */
  async convert(
    task: ProcessTask,
    timeLimitSeconds = this.#limits.timeLimitSeconds,
  ): Promise<ConversionResult> {
    const { extract } = task;
    const isPart = extract?.kind === "table" || extract?.kind === "mail";
    // A person waits for it.
    const limit = isPart ? byTheClock(timeLimitSeconds) : unhurried(timeLimitSeconds);
    const owner = !isPart && isKeptFor(task.extension) ? task.owner : undefined;
    const used = owner === undefined ? null : this.#take(owner);
    if (used !== null) {
      const reply = await this.#ask(used, task, limit);
      const answer = answerIn(reply);
      if (answer !== null && "converted" in answer) return this.#finish(used, answer);
      await used.program.end();
      if (reply.isLate) throw tooSlow(timeLimitSeconds);
      await rm(task.to, { force: true });
    }
    const started = await this.#start(owner === undefined ? task.folder : "/");
    const fresh: KeptProcess = { program: started, owner: owner ?? 0, files: 0, timer: null };
    const reply = await this.#ask(fresh, task, limit);
    const answer = answerIn(reply);
    if (answer !== null && "converted" in answer && owner !== undefined) return this.#finish(fresh, answer);
    await fresh.program.end();
    if (answer !== null && "converted" in answer) return resultOf(answer);
    if (reply.isLate) throw tooSlow(timeLimitSeconds);
    throw failureOf(answer, reply.complaints, this.#limits.memoryLimitMb);
  }

  /** Ends the processes that wait for more files. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#idle.splice(0).map((one) => this.#end(one)));
  }

  /** A waiting process that has converted files of this owner alone. */
  #take(owner: number): KeptProcess | null {
    const index = this.#idle.findLastIndex((one) => one.owner === owner && !one.program.hasEnded);
    const [taken] = index < 0 ? [] : this.#idle.splice(index, 1);
    clearTimeout(taken?.timer ?? undefined);
    return taken ?? null;
  }

  #start(folder: string): Promise<SandboxedProgram> {
    const { memoryLimitMb } = this.#limits;
    const heapMb = Math.max(48, memoryLimitMb - forNodeItselfMb);
    const command = [process.execPath, `--max-old-space-size=${heapMb}`, "--max-semi-space-size=8", program];
    const limits = { ...this.#limits, memoryLimitMb: memoryLimitMb + unusedByNodeMb };
    return this.#sandbox.start(command, { folder, limits, environment: threadEnvironment() });
  }

  async #ask(
    { program: asked }: KeptProcess,
    { from, extension, to, password, extract, signal }: ProcessTask,
    limit: TimeLimit,
  ): Promise<Reply> {
    const question: ConversionTask = {
      from: path.resolve(from),
      extension,
      to,
      ...(password !== undefined && { password }),
      ...(extract !== undefined && { extract }),
    };
    try {
      return await asked.ask(JSON.stringify(question), { limit, signal });
    } catch (error) {
      await asked.end();
      throw error;
    }
  }

  /** Keeps a process for more files of its owner, or ends it if it is not worth keeping. */
  async #finish(
    one: KeptProcess,
    answer: ConversionAnswer & { converted: Converted },
  ): Promise<ConversionResult> {
    one.files += 1;
    const isWorthKeeping =
      !this.#isClosed &&
      one.files < maxFiles &&
      answer.memoryMb <= maxKeptMb &&
      // The kernel limits the processor time of its whole life to a multiple of this.
      answer.processorSeconds < this.#limits.timeLimitSeconds;
    if (isWorthKeeping) {
      one.timer = setTimeout(() => {
        this.#idle = this.#idle.filter((other) => other !== one);
        void this.#end(one);
      }, idleMilliseconds).unref();
      this.#idle.push(one);
      const [oldest] = this.#idle;
      if (this.#idle.length > maxIdle && oldest !== undefined) {
        this.#idle.shift();
        await this.#end(oldest);
      }
    } else {
      await this.#end(one);
    }
    return resultOf(answer);
  }

  async #end({ program: ended, timer }: KeptProcess): Promise<void> {
    clearTimeout(timer ?? undefined);
    await ended.end();
  }
}

const answerIn = ({ answer }: Reply): ConversionAnswer | null =>
  answer === null ? null : (JSON.parse(answer) as ConversionAnswer);

const resultOf = ({
  converted,
  memoryMb,
}: ConversionAnswer & { converted: Converted }): ConversionResult => ({
  ...converted,
  memoryMb,
});

const tooSlow = (seconds: number): UnreadableFileError =>
  new UnreadableFileError("too-slow", `took longer than ${seconds} s`);

function failureOf(answer: ConversionAnswer | null, complaints: string, memoryLimitMb: number): Error {
  const refused = answer !== null && "refused" in answer ? answer.refused : null;
  if (refused !== null && /ENOSPC|EDQUOT/.test(refused.reason)) {
    // The file is not at fault.
    return Object.assign(new Error("There is no room to convert files in"), { code: "ENOSPC" });
  }
  if (refused !== null && refused.kind !== "too-much-memory") {
    return new UnreadableFileError(refused.kind, refused.reason);
  }
  if (refused !== null || /alloc|memory/i.test(complaints)) {
    return new UnreadableFileError("too-much-memory", `needs more memory than ${memoryLimitMb} MB`);
  }
  return new UnreadableFileError(
    "broken",
    `broken: the program that converts it failed on it, or needs more memory than ${memoryLimitMb} MB`,
  );
}
