import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, lchownSync, lstatSync, readFileSync, readdirSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { until } from "./checks.ts";
import type { CleanSystem } from "./clean-system.ts";

/*
 * A clean system in which systemd runs as the first process, for tests of units. systemd removes, mounts and kills as
 * it sees fit, so nothing of this machine may be in its sight:
 *
 * - its root folder is the clean system alone (pivot_root), with empty /run, /tmp and /dev/shm in memory, six harmless
 *   devices, a /proc that has its own processes only, and a read-only /sys;
 * - its control groups are those below one that is made for it;
 * - its root is not the root of this machine: a user namespace maps its users to ids that nobody has outside, so the
 *   kernel refuses it everything that belongs to this machine, such as the settings in /proc/sys.
 *
 * It has the network of this machine, so that the test can speak to its services. A keeper, a shell process, starts it,
 * and removes all of it when its standard input ends, which also happens when the test dies for any reason.
 */
const keeperScript = `
set -eu
root=$1 group=$2 ids=$3
mkdir "$group" "$group/commands"
chown "$ids:$ids" "$group" "$group/cgroup.procs" "$group/cgroup.subtree_control" "$group/cgroup.threads"
end() {
  trap '' EXIT
  echo 1 >"$group/cgroup.kill"
  kill "$reader" 2>/dev/null || true
  rm -f "$root.pid"
  while grep -q 'populated 1' "$group/cgroup.events"; do sleep 0.05; done
  find "$group" -depth -type d -exec rmdir {} +
}
trap end EXIT
trap '' HUP INT TERM PIPE
exec 3<&0
(read -r _ <&3 || true; echo 1 >"$group/cgroup.kill") &
reader=$!
mkfifo "$root.pid"
{
  unshare --mount --propagation private --pid --fork sh -c "$4" "$root" "$group" "$ids" "$5" "$6" || true
  if [ -p "$root.pid" ]; then echo failed >"$root.pid"; fi
} </dev/null >&2 3<&- &
outer=$!
read -r first <"$root.pid"
rm "$root.pid"
until [ "$(readlink "/proc/$first/ns/user")" != "$(readlink /proc/self/ns/user)" ]; do
  kill -0 "$outer"
  sleep 0.05
done
echo "0 $ids 65536" >"/proc/$first/uid_map"
echo "0 $ids 65536" >"/proc/$first/gid_map"
echo "$first"
wait "$outer"
`;

/** As root of this machine, in namespaces of mounts and processes. */
const rootScript = `
set -eu
root=$0 group=$1 ids=$2
read -r pid _ </proc/self/stat
echo 0 >"$group/cgroup.procs"
mount --bind "$root" "$root"
mount -t tmpfs -o "uid=$ids,gid=$ids,mode=755,nosuid" tmpfs "$root/dev"
for name in null zero full random urandom tty; do
  : >"$root/dev/$name"
  mount --bind "/dev/$name" "$root/dev/$name"
done
mount -t tmpfs -o "uid=$ids,gid=$ids,mode=755,nosuid,nodev" tmpfs "$root/run"
mount -t tmpfs -o "uid=$ids,gid=$ids,mode=1777,nosuid,nodev" tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --bind /sys "$root/sys"
mount -o remount,bind,ro "$root/sys"
echo "$pid" >"$root.pid"
cd "$root"
pivot_root . .
umount -l .
cd /
exec unshare --user --keep-caps --mount --ipc --uts --cgroup sh -c "$3" "$4"
`;

/** In the namespace of users, before it has ids. */
const idsScript = `
set -eu
until grep -q . /proc/self/uid_map && grep -q . /proc/self/gid_map; do sleep 0.05; done
exec setpriv --reuid 0 --regid 0 --clear-groups --inh-caps -all --ambient-caps -all sh -c "$0"
`;

/** As root of the system. */
const startScript = `
set -eu
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mkdir /dev/pts /dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts /dev/pts
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs /dev/shm
ln -s pts/ptmx /dev/ptmx
ln -s /proc/self/fd /dev/fd
for name in stdin:0 stdout:1 stderr:2; do ln -s "fd/\${name#*:}" "/dev/\${name%:*}"; done
hostname clean
exec env -i container=quire-test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd
`;

/** The first of the ids outside. No user of this machine has one of them. */
const firstId = 1_000_000_000;

/** What would reach for hardware, terminals or the settings of a kernel, or work at times of its own. */
const masked = Object.entries({
  service:
    "console-getty dpkg-db-backup systemd-binfmt systemd-logind systemd-modules-load systemd-networkd systemd-pstore " +
    "systemd-resolved systemd-sysctl systemd-timesyncd systemd-udev-trigger systemd-udevd",
  timer: "apt-daily apt-daily-upgrade dpkg-db-backup e2scrub_all fstrim",
  socket: "systemd-udevd-control systemd-udevd-kernel",
  mount:
    "dev-hugepages dev-mqueue sys-fs-fuse-connections sys-kernel-config sys-kernel-debug sys-kernel-tracing",
  automount: "proc-sys-fs-binfmt_misc",
  target: "getty",
}).flatMap(([kind, names]) => names.split(" ").map((name) => `${name}.${kind}`));

/** Why systemd cannot be started here; null if it can. */
export function whyNotBooted(): string | null {
  if (process.getuid?.() !== 0) return "only root can give it a root folder of its own";
  if (groupsFolder() === null) return "there is no cgroup v2";
  try {
    execFileSync("unshare", ["--user", "--mount", "--pid", "--fork", "true"], { stdio: "ignore" });
    return null;
  } catch {
    return "the kernel allows no namespaces of users, mounts and processes";
  }
}

/** Where this machine has the control groups of version 2. */
function groupsFolder(): string | null {
  const mounts = readFileSync("/proc/self/mounts", "utf8");
  return /^\S+ (\S+) cgroup2 rw/m.exec(mounts)?.[1] ?? null;
}

/** Installs systemd into a clean system and starts it there. From then on, all files belong to other ids. */
export async function boot(system: CleanSystem): Promise<BootedSystem> {
  const packages = ["systemd", "systemd-sysv", "libnss-systemd"];
  const install = `apt-get -q update && apt-get -q -y --no-install-recommends install ${packages.join(" ")}`;
  const apart =
    'mount -t proc proc "$0/proc" && mount -t tmpfs tmpfs "$0/tmp" && exec chroot "$0" sh -c "$1"';
  execFileSync("unshare", ["--mount", "--pid", "--fork", "sh", "-c", apart, system.folder, install], {
    env: { PATH: searchPath, DEBIAN_FRONTEND: "noninteractive", LANG: "C.UTF-8" },
    stdio: "ignore",
  });
  for (const unit of masked)
    await symlink("/dev/null", system.path(`/etc/systemd/system/${unit}`)).catch(() => undefined);
  shiftIds(system.folder);
  const booted = new BootedSystem(system.folder);
  await booted.start();
  return booted;
}

/** Gives files of this machine's users to those of the system. No program keeps the right to run as another user. */
function shiftIds(file: string): void {
  const { uid, gid, mode } = lstatSync(file);
  const isFolder = (mode & 0o170_000) === 0o040_000;
  if (uid < firstId) {
    lchownSync(file, uid + firstId, gid + firstId);
    if ((mode & 0o170_000) !== 0o120_000) chmodSync(file, mode & (isFolder ? 0o7777 : 0o1777));
  }
  if (isFolder) for (const name of readdirSync(file)) shiftIds(path.join(file, name));
}

export class BootedSystem {
  readonly folder: string;
  readonly #group: string;
  #keeper: ChildProcess | null = null;
  #first = "";

  constructor(folder: string) {
    this.folder = folder;
    this.#group = path.join(groupsFolder() ?? "", `quire-test-${process.pid}-${path.basename(folder)}`);
  }

  /** The path on this machine of a path in the system, unless that is in the system's memory. */
  path(inside: string): string {
    return path.join(this.folder, inside);
  }

  /** Starts systemd; resolves when it has started its units. */
  async start(): Promise<void> {
    const scripts = [rootScript, idsScript, startScript];
    const keeper = spawn(
      "sh",
      ["-c", keeperScript, "keeper", this.folder, this.#group, String(firstId), ...scripts],
      { stdio: ["pipe", "pipe", "pipe"], detached: true },
    );
    this.#keeper = keeper;
    const complaint = text(keeper.stderr);
    const line = await Promise.race([once(keeper.stdout, "data"), once(keeper, "close")]);
    this.#first = String(line[0]).trim();
    if (!/^\d+$/.test(this.#first)) throw new Error(`systemd does not start:\n${await complaint}`);
    await until("systemd has started", () =>
      /running|degraded/.test(this.tried("systemctl", "is-system-running")),
    );
    const failed = this.run(["systemctl", "--failed", "--plain", "--no-legend"]);
    if (failed !== "") throw new Error(`Units failed: ${failed}`);
  }

  /** Shuts the system down as its administrator does. */
  async shutDown(): Promise<void> {
    const keeper = this.#keeper;
    if (keeper === null) return;
    this.#keeper = null;
    const ended = once(keeper, "close");
    try {
      this.run(["systemctl", "--no-block", "poweroff"]);
    } catch (error) {
      keeper.stdin?.end();
      throw error;
    } finally {
      await ended;
    }
  }

  /** Ends everything at once. */
  async [Symbol.asyncDispose](): Promise<void> {
    const keeper = this.#keeper;
    this.#keeper = null;
    if (keeper === null) return;
    const ended = once(keeper, "close");
    keeper.stdin?.end();
    await ended;
  }

  /** What the command prints, as root of the system. Throws if it fails. */
  run(command: readonly string[], surroundings: Surroundings = {}): string {
    const [args, options] = this.#entered(command, surroundings);
    return execFileSync("sh", args, { ...options, stdio: ["ignore", "pipe", "inherit"] });
  }

  /** The same, while this process goes on answering requests. */
  async runMeanwhile(...command: string[]): Promise<string> {
    return (await promisify(execFile)("sh", ...this.#entered(command, {}))).stdout;
  }

  #entered(command: readonly string[], { cwd = "/", env = {} }: Surroundings) {
    const enter = 'echo 0 >"$0/commands/cgroup.procs" && exec nsenter "$@"';
    const namespaces = "--user --mount --ipc --uts --pid --cgroup --wdns=/".split(" ");
    const inFolder = ["env", "sh", "-c", 'cd "$0" && exec "$@"', cwd, ...command];
    const args = ["-c", enter, this.#group, `--target=${this.#first}`, ...namespaces, ...inFolder];
    const own = { PATH: searchPath, HOME: "/root", LANG: "C.UTF-8", DEBIAN_FRONTEND: "noninteractive" };
    return [args, { cwd: "/", env: { ...own, ...env }, encoding: "utf8", maxBuffer: 1e8 }] as const;
  }

  /** What the command prints, whether it fails or not. */
  tried(...command: string[]): string {
    return this.run(["sh", "-c", '"$@" 2>&1 || true', "sh", ...command]).trim();
  }

  async put(from: string, to: string): Promise<void> {
    await mkdir(path.dirname(this.path(to)), { recursive: true });
    execFileSync("cp", ["-r", "--no-target-directory", from, this.path(to)]);
    shiftIds(this.path(to));
  }

  async write(to: string, content: string, mode = 0o644): Promise<void> {
    await mkdir(path.dirname(this.path(to)), { recursive: true });
    await writeFile(this.path(to), content);
    chmodSync(this.path(to), mode);
    for (let file = to; file !== "/" && lstatSync(this.path(file)).uid < firstId; file = path.dirname(file))
      lchownSync(this.path(file), firstId, firstId);
  }

  read(inside: string): Promise<string> {
    return readFile(this.path(inside), "utf8");
  }

  /** The lines of a unit in the journal, without times and names. */
  journal(unit: string): string {
    return this.run(["journalctl", "--unit", unit, "--output", "cat", "--no-pager"]);
  }
}

const searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

interface Surroundings {
  cwd?: string;
  env?: Readonly<Record<string, string | undefined>>;
}
