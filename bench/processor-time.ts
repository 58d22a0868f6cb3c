import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";

/**
 * The processor time of a command and all processes that it starts, in seconds. The kernel counts hundredths of a
 * second, so a short command has to run many times.
 */
export function processorSeconds(command: readonly string[], runs = 1, environment = process.env): number {
  const script = `for run in $(seq ${runs}); do "$@" > /dev/null 2>&1 || exit 1; done; times`;
  const { status, stdout } = spawnSync("sh", ["-c", script, "sh", ...command], {
    encoding: "utf8",
    env: environment,
  });
  const [, ofChildren = ""] = stdout.split("\n");
  const [user, system] = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds),
  );
  if (status !== 0 || user === undefined || system === undefined) {
    throw new Error(`${command.join(" ").slice(0, 200)} failed`);
  }
  return (user + system) / runs;
}

/**
 * The processor time so far of these processes, their threads, and the processes that they have started. Threads and
 * processes that have ended do not count. NaN if the kernel is not Linux.
 */
export function processorMilliseconds(pids: readonly number[]): number {
  try {
    return pids.reduce((sum, pid) => sum + ofProcess(pid), 0);
  } catch {
    return Number.NaN;
  }
}

function ofProcess(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).reduce((sum, task) => {
    const [nanoseconds] = readFileSync(`${tasks}/${task}/schedstat`, "utf8").split(" ");
    const children = readFileSync(`${tasks}/${task}/children`, "utf8").split(" ").filter(Boolean);
    const ofChildren = children.reduce((all, child) => all + ofProcess(Number(child)), 0);
    return sum + Number(nanoseconds) / 1e6 + ofChildren;
  }, 0);
}
