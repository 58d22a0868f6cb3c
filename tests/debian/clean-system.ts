import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, rm } from "node:fs/promises";
import path from "node:path";

/*
 * A clean Debian in a folder, made by debootstrap: for tests of what is installed into a system. It needs root, Debian's
 * archive, and Linux. The first one of each release is kept in a folder of TEST_DEBIAN, if that is set, and copied for
 * later ones.
 */

export type Release = "bookworm" | "trixie";

/** A clean system in this folder. */
export async function cleanSystem(folder: string, release: Release = "bookworm"): Promise<CleanSystem> {
  const kept = process.env["TEST_DEBIAN"];
  const first = kept === undefined ? folder : path.join(kept, release);
  if (!existsSync(path.join(first, "usr/bin/dpkg"))) {
    await mkdir(first, { recursive: true });
    const included = "--include=ca-certificates,adduser";
    execFileSync("debootstrap", ["--variant=minbase", included, release, first], { stdio: "ignore" });
  }
  if (first !== folder) {
    await rm(folder, { recursive: true, force: true });
    execFileSync("cp", ["-a", `${first}/.`, folder], { stdio: "inherit" });
  }
  return new CleanSystem(folder);
}

export class CleanSystem {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** The path on this machine of a path in the system. */
  path(inside: string): string {
    return path.join(this.folder, inside);
  }

  async put(from: string, to: string): Promise<void> {
    await mkdir(path.dirname(this.path(to)), { recursive: true });
    await cp(from, this.path(to), { recursive: true, verbatimSymlinks: true });
  }

  /** What the command prints. Throws if it fails. */
  run(command: readonly string[], options: RunOptions = {}): string {
    return execFileSync("unshare", this.#args(command, options), {
      env: this.#env(options),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
      maxBuffer: 1e8,
    });
  }

  start(command: readonly string[], options: RunOptions = {}): { child: ChildProcess; output: () => string } {
    const child = spawn("unshare", this.#args(command, options), { env: this.#env(options) });
    // Should the test fail, nothing of it stays.
    process.once("exit", () => child.kill("SIGTERM"));
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (part: string) => (text += part));
    return { child, output: () => text };
  }

  #args(command: readonly string[], { user, cwd = "/" }: RunOptions): string[] {
    const as = user === undefined ? [] : [`--userspec=${user}`];
    const inFolder = ["sh", "-c", 'cd "$0" && exec "$@"', cwd, ...command];
    // Programs look themselves up in /proc. It is mounted for this command alone.
    const withProc = 'mount --rbind /proc "$0/proc" && exec chroot "$@"';
    return ["--mount", "sh", "-c", withProc, this.folder, ...as, this.folder, ...inFolder];
  }

  #env({ env = {} }: RunOptions): NodeJS.ProcessEnv {
    return {
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      HOME: "/root",
      LANG: "C.UTF-8",
      ...env,
    };
  }
}

export interface RunOptions {
  /** `user:group`, by name. */
  user?: string;
  cwd?: string;
  env?: Readonly<Record<string, string | undefined>>;
}
