import { spawn } from "node:child_process";

/*
 * Programs that read untrusted files run in a separate process group, which is killed as a whole: when the time is up, when
 * the signal fires, when the program has ended, and when the server dies, which closes a pipe that a watcher in the group
 * reads from. The kernel limits their memory (on Linux), their processor time and the size of the files they write. Their
 * environment holds only what is set here. If the kernel allows unprivileged namespaces, they have no network, see no other
 * processes, and find the hidden folders empty.
 *
 * A container for each file would isolate better, but every server would need a container runtime.
 */

export interface SandboxLimits {
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
    given: {
      folder: string;
      limits: SandboxLimits;
      hidden?: readonly string[];
      signal?: AbortSignal | undefined;
    },
  ): Promise<Ending> {
    return this.#run(command, { ...given, walls: await this.walls() });
  }

  async #tryWalls(): Promise<Walls> {
    const limits = { timeLimitSeconds: 10, memoryLimitMb: 256, outputLimitMb: 1 };
    for (const walls of ["all", "network"] as const) {
      const { code } = await this.#run(["true"], { folder: "/", limits, walls }).catch(() => ({ code: 1 }));
      if (code === 0) return walls;
    }
    return "none";
  }

  async #run(
    command: readonly string[],
    {
      folder,
      limits,
      hidden = [],
      signal,
      walls,
    }: {
      folder: string;
      limits: SandboxLimits;
      hidden?: readonly string[];
      signal?: AbortSignal | undefined;
      walls: Walls;
    },
  ): Promise<Ending> {
    signal?.throwIfAborted();
    const hide = walls === "all" && hidden.length > 0 ? ["sh", "-c", hiding, "sh", ...hidden, "--"] : [];
    const { timeLimitSeconds, memoryLimitMb, outputLimitMb } = limits;
    // Several threads together use more processor time than the elapsed time.
    const numbers = [memoryLimitMb * 1024, outputLimitMb * 2048, timeLimitSeconds * 8].map(String);
    const child = spawn(
      "/bin/sh",
      ["-c", limited, "sh", ...numbers, ...namespaces[walls], ...hide, ...command],
      {
        cwd: folder,
        env: { PATH: searchPath, HOME: folder, TMPDIR: folder, LANG: "C.UTF-8" },
        detached: true,
        stdio: ["pipe", "pipe", "pipe"],
      },
    );
    let isLate = false;
    const kill = (): void => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // The group has ended.
      }
    };
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, timeLimitSeconds * 1000);
    signal?.addEventListener("abort", kill);
    const said = { output: "", complaints: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (said.output.length < maxOutputLength) said.output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said.complaints = (said.complaints + text).slice(-maxOutputLength);
    });
    // The watcher may be gone before the pipe to it is closed.
    child.stdin.on("error", () => undefined);
    child.once("exit", kill);
    try {
      const code = await new Promise<number | null>((resolve, reject) => {
        child.once("error", reject);
        child.once("close", resolve);
      });
      signal?.throwIfAborted();
      return { code, isLate, ...said };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", kill);
      child.stdin.destroy();
    }
  }
}
