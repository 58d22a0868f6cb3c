import { spawnSync } from "node:child_process";

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
