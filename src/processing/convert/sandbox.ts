import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { type TimeLimit, limitTime, secondsOfGroup, unhurried } from "../processor-time.ts";

/*
 * Programs that read untrusted files run in a separate process group, which is killed as a whole: when the time is up,
 * when the signal fires, when the program has ended, and when the server dies, which closes a pipe that a watcher in
 * the group reads from. The kernel limits their memory (on Linux), their processor time and the size of the files they
 * write. Their environment holds only what is set here. If the kernel allows unprivileged namespaces, they have no
 * network unless they are given one, see no other processes, and find the hidden folders empty.
 *
 * A container for each file would isolate better, but every server would need a container runtime.
 */

export interface SandboxLimits {
  /** Of processor time: see processor-time.ts. */
  timeLimitSeconds: number;
  /** The limit of each process for writable data. */
  memoryLimitMb: number;
  /** The limit of each file that is written. */
  outputLimitMb: number;
}

export interface Ending {
  /** The exit code; null if a signal ended the program. */
  code: number | null;
  isLate: boolean;
  output: string;
  /** The end of the standard error output. */
  complaints: string;
}

/** What a program answered to one question. */
export interface Reply {
  /** One line; null if the program ended instead. */
  answer: string | null;
  isLate: boolean;
  /** The end of the standard error output. */
  complaints: string;
}

/** The isolation that the kernel allows. It is tried once and remembered for the life of the sandbox. */
export type Walls = "all" | "network" | "none";

const maxOutputLength = 64 * 1024;
const searchPath = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";
const namespaces: Readonly<Record<Walls, readonly string[]>> = {
  all: "unshare --map-root-user --net --ipc --pid --mount --mount-proc --fork --kill-child".split(" "),
  network: ["unshare", "--map-root-user", "--net"],
  none: [],
};

// $1: data in KB, $2: size of files in blocks, $3: seconds of processor time. The command follows.
const limited = `
exec 3<&0
(read -r _ <&3; kill -9 0) >/dev/null 2>&1 &
ulimit -c 0
ulimit -d "$1" 2>/dev/null
ulimit -f "$2" 2>/dev/null
ulimit -t "$3" 2>/dev/null
shift 3
exec "$@" </dev/null 3<&-`;

// The arguments before -- are folders that become empty. The command follows.
const hiding = `
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mount -t tmpfs none "$1" || exit 97; fi
  shift
done
shift
exec "$@"`;

export class Sandbox {
  #walls: Promise<Walls> | null = null;

  walls(): Promise<Walls> {
    this.#walls ??= this.#tryWalls();
    return this.#walls;
  }

  /** @param given.folder the program's working folder and home folder */
  async run(
    command: readonly string[],
    given: Surroundings & { signal?: AbortSignal | undefined },
  ): Promise<Ending> {
    return run(start(command, given, await this.walls()), given);
  }

  /** Starts a program that reads questions from its file descriptor 4, and answers each with a line. */
  async start(command: readonly string[], given: Surroundings): Promise<SandboxedProgram> {
    return new SandboxedProgram(start(command, given, await this.walls()));
  }

  async #tryWalls(): Promise<Walls> {
    const limits = { timeLimitSeconds: 10, memoryLimitMb: 256, outputLimitMb: 1 };
    for (const walls of ["all", "network"] as const) {
      const given = { folder: "/", limits };
      const { code } = await run(start(["true"], given, walls), given).catch(() => ({ code: 1 }));
      if (code === 0) return walls;
    }
    return "none";
  }
}

interface Surroundings {
  folder: string;
  limits: SandboxLimits;
  hidden?: readonly string[];
  /** Whether the program may use the network. */
  hasNetwork?: boolean;
  /** More variables of its environment. */
  environment?: Readonly<Record<string, string>>;
}

/** A process group with its pipes. */
interface Group {
  child: ChildProcess & { stdin: Writable; stdout: Readable; stderr: Readable };
  questions: Writable;
  kill: () => void;
  /** The exit code. Rejects if the program could not be started. */
  ended: Promise<number | null>;
  /** The end of the standard error output. */
  complaints: () => string;
}

function start(
  command: readonly string[],
  { folder, limits, hidden = [], hasNetwork = false, environment = {} }: Surroundings,
  walls: Walls,
): Group {
  const hide = walls === "all" && hidden.length > 0 ? ["sh", "-c", hiding, "sh", ...hidden, "--"] : [];
  const isolated = hasNetwork && walls === "network" ? [] : namespaces[walls];
  const enter = hasNetwork ? isolated.filter((word) => word !== "--net") : isolated;
  const { timeLimitSeconds, memoryLimitMb, outputLimitMb } = limits;
  // Several threads together use more processor time than the elapsed time.
  const numbers = [memoryLimitMb * 1024, outputLimitMb * 2048, timeLimitSeconds * 8].map(String);
  const child = spawn("/bin/sh", ["-c", limited, "sh", ...numbers, ...enter, ...hide, ...command], {
    cwd: folder,
    env: { PATH: searchPath, HOME: folder, TMPDIR: folder, LANG: "C.UTF-8", ...environment },
    detached: true,
    stdio: ["pipe", "pipe", "pipe", "ignore", "pipe"],
  }) as Group["child"];
  const kill = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // The group has ended.
    }
  };
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints = (complaints + text).slice(-maxOutputLength);
  });
  child.stdout.setEncoding("utf8");
  const questions = child.stdio[4] as Writable;
  // The program and its watcher may be gone before the pipes to them are closed.
  for (const pipe of [child.stdin, questions]) pipe.on("error", () => undefined);
  child.once("exit", kill);
  const { promise: ended, resolve, reject } = Promise.withResolvers<number | null>();
  child.once("error", reject);
  child.once("close", resolve);
  const close = (): void => {
    child.stdin.destroy();
    questions.destroy();
  };
  ended.then(close, close);
  return { child, questions, kill, ended, complaints: () => complaints };
}

/** Resolves when the whole group has ended. */
async function run(
  { child, kill, ended, complaints }: Group,
  { limits, signal }: Surroundings & { signal?: AbortSignal | undefined },
): Promise<Ending> {
  let output = "";
  child.stdout.on("data", (text: string) => {
    if (output.length < maxOutputLength) output += text;
  });
  const limit = endingOf({ child, kill }, unhurried(limits.timeLimitSeconds), signal);
  try {
    const code = await ended;
    signal?.throwIfAborted();
    return { code, isLate: limit.isLate(), output, complaints: complaints() };
  } finally {
    limit.lift();
  }
}

/** To find the processes of a group, all processes of the machine are looked at. Most files take less. */
const freeSeconds = 0.5;

/** Ends a program when its time is up or the signal fires. */
function endingOf(
  { child, kill }: Pick<Group, "child" | "kill">,
  seconds: TimeLimit,
  signal: AbortSignal | undefined,
): { isLate: () => boolean; lift: () => void } {
  const limit = limitTime(seconds, () => secondsOfGroup(child.pid), kill, freeSeconds);
  signal?.addEventListener("abort", kill);
  if (signal?.aborted === true) kill();
  const lift = (): void => {
    limit.lift();
    signal?.removeEventListener("abort", kill);
  };
  return { isLate: limit.isLate, lift };
}

/** A program that answers one question after another until it is ended. */
export class SandboxedProgram {
  readonly #group: Group;
  #said = "";
  #answered: (answer: string | null) => void = () => undefined;
  /** Whether it can answer no more. */
  hasEnded = false;

  constructor(group: Group) {
    this.#group = group;
    group.child.stdout.on("data", (text: string) => this.#hear(text));
    const end = (): void => {
      this.hasEnded = true;
      this.#answered(null);
    };
    group.ended.then(end, end);
  }

  /**
   * Asks a question, one line. Concurrent questions are not allowed. A program that takes longer than the limit is
   * ended, as it is when the signal fires.
   *
   * @throws the reason of the signal
   */
  async ask(
    question: string,
    { limit: seconds, signal }: { limit: TimeLimit; signal: AbortSignal | undefined },
  ): Promise<Reply> {
    signal?.throwIfAborted();
    const { promise: answered, resolve } = Promise.withResolvers<string | null>();
    this.#answered = resolve;
    if (this.hasEnded) resolve(null);
    else this.#group.questions.write(`${question}\n`);
    const limit = endingOf(this.#group, seconds, signal);
    try {
      const answer = await answered;
      if (signal?.aborted === true) await this.end();
      signal?.throwIfAborted();
      return { answer, isLate: limit.isLate(), complaints: this.#group.complaints() };
    } finally {
      limit.lift();
    }
  }

  #hear(text: string): void {
    this.#said += text;
    const end = this.#said.indexOf("\n");
    if (end >= 0) {
      const answer = this.#said.slice(0, end);
      this.#said = "";
      this.#answered(answer);
    } else if (this.#said.length > maxOutputLength) {
      this.#group.kill();
    }
  }

  /** Resolves when the whole group has ended. */
  async end(): Promise<void> {
    this.hasEnded = true;
    this.#group.kill();
    await this.#group.ended.catch(() => undefined);
  }
}
