import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import autocannon from "autocannon";

/** Requests to send repeatedly, in order, on this number of connections. Each connection waits for its response. */
export interface Load {
  port: number;
  paths: readonly string[];
  headers: Readonly<Record<string, string>>;
  connections: number;
  seconds: number;
}

/** Whether wrk is installed. Otherwise autocannon is the client, which takes as much processor time as a server. */
export const hasWrk = spawnSync("wrk", ["-v"], { stdio: "ignore" }).error === undefined;

/** Answers per second. Throws if an answer is an error. */
export function answersPerSecond(load: Load): Promise<number> {
  return hasWrk ? byWrk(load) : byAutocannon(load);
}

async function byAutocannon({ port, paths, headers, connections, seconds }: Load): Promise<number> {
  const { requests, errors, non2xx, statusCodeStats } = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    timeout: 30,
    requests: paths.map((address) => ({ method: "GET", path: address, headers: { ...headers } })),
  });
  const notModified = statusCodeStats?.["304"]?.count ?? 0;
  if (errors > 0 || non2xx > notModified) throw new Error(`${errors} errors, ${non2xx} answers are not 2xx`);
  return requests.average;
}

async function byWrk({ port, paths, headers, ...pace }: Load): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), "quire-load-"));
  try {
    const script = path.join(folder, "paths.lua");
    await writeFile(path.join(folder, "paths"), `${paths.join("\n")}\n`);
    await writeFile(script, scriptFor(path.join(folder, "paths")));
    const head = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
    const load = ["-t1", `-c${pace.connections}`, `-d${pace.seconds}`, "--timeout", "30s"];
    const output = await run([...load, ...head, "-s", script, `http://127.0.0.1:${port}/`]);
    const rate = /^Requests\/sec:\s+([\d.]+)$/m.exec(output)?.[1];
    if (rate === undefined || /Non-2xx|Socket errors/.test(output)) throw new Error(`wrk says:\n${output}`);
    return Number(rate);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const scriptFor = (file: string): string => `
  local requests, turn = {}, 0
  init = function()
    for path in io.lines(${JSON.stringify(file)}) do requests[#requests + 1] = wrk.format("GET", path) end
  end
  request = function()
    turn = turn % #requests + 1
    return requests[turn]
  end
`;

async function run(args: readonly string[]): Promise<string> {
  const wrk = spawn("wrk", args, { stdio: ["ignore", "pipe", "inherit"] });
  const [output] = await Promise.all([text(wrk.stdout), once(wrk, "close")]);
  return output;
}
