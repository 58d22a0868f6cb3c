import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/*
 * npm run test:readme: copies the three ways to start Quire from the README, pastes each of them into a shell in a clean
 * folder, and asks what they start for the list of documents. It needs the npm registry, but takes Quire's own package
 * from this repository. A container needs an engine; on machines without one, npm run test:image does what the
 * Dockerfile says.
 */

const root = path.join(import.meta.dirname, "../..");
const port = "18433";
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function waysToStart(): Promise<string[]> {
  const readme = await readFile(path.join(root, "README.md"), "utf8");
  const [, section = ""] = /^## Three ways to start it\n(.*?)^## /ms.exec(readme) ?? [];
  return Array.from(section.matchAll(/^```sh\n(.*?)\n```$/gms), ([, command = ""]) => command);
}

/** Only the folder of programs, so that nothing of this process's own environment reaches Quire. */
function environment(home: string): NodeJS.ProcessEnv {
  const names = Object.keys(process.env).filter((name) =>
    /^(?:npm_config_(?:cache|registry)|NODE_EXTRA_CA_CERTS)$/.test(name),
  );
  return {
    ...Object.fromEntries(names.map((name) => [name, process.env[name]])),
    PATH: (process.env["PATH"] ?? "")
      .split(path.delimiter)
      .filter((one) => !one.includes("node_modules"))
      .join(path.delimiter),
    HOME: home,
    QUIRE_PORT: port,
    QUIRE_PROCESSES: "1",
  };
}

/** Pastes a command, and expects the samples from what it starts. */
async function paste(command: string, folder: string, env: NodeJS.ProcessEnv, url: string): Promise<void> {
  const started = performance.now();
  const child = spawn("sh", ["-c", command], { cwd: folder, env, detached: true });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part: string) => (text += part));
  try {
    while (!text.includes("Quire is ready")) {
      if (child.exitCode !== null) throw new Error(`${command} ended:\n${text}`);
      await wait(100);
    }
    const answer = await fetch(`${url}/api/documents/`);
    const { results } = (await answer.json()) as { results: unknown[] };
    if (results.length < 5) throw new Error(`${command} serves ${results.length} documents`);
    say(`  ${command}: ${((performance.now() - started) / 1000).toFixed(1)} s until it serves the samples`);
  } finally {
    const ended = once(child, "exit");
    // The shell, npm and Quire are one group of processes.
    if (child.exitCode === null && child.pid !== undefined) {
      process.kill(-child.pid, "SIGTERM");
      await ended;
    }
  }
}

function hasEngine(): boolean {
  try {
    execFileSync("docker", ["info"], { stdio: "ignore", timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
}

async function run(folder: string): Promise<void> {
  const [npx = "", container = "", clone = "", ...more] = await waysToStart();
  if (clone === "" || more.length > 0) throw new Error("The README does not have three ways to start");
  const url = `http://127.0.0.1:${port}`;
  const home = path.join(folder, "home");
  await mkdir(home);
  const env = environment(home);

  const cloned = path.join(folder, "clone");
  execFileSync("git", ["clone", "--quiet", root, cloned]);
  await paste(clone, cloned, env, url);

  execFileSync(process.execPath, [path.join(root, "packaging", "npm.ts")], { stdio: "inherit" });
  const options = ["pack", "--silent", "--pack-destination", folder];
  const file = execFileSync("npm", options, { cwd: path.join(root, "dist", "npm"), encoding: "utf8" }).trim();
  const empty = path.join(folder, "empty");
  await mkdir(empty);
  // `npx` takes a package that is installed before that of the registry.
  execFileSync("npm", ["install", "--no-audit", "--no-fund", path.join(folder, file)], {
    cwd: empty,
    env,
    stdio: "ignore",
  });
  await paste(npx, empty, env, url);

  if (hasEngine()) await paste(container, cloned, process.env, "http://127.0.0.1:8000");
  else say(`  ${container}: not tried, because there is no engine here`);
}

const folder = await mkdtemp(path.join(tmpdir(), "quire-readme-"));
try {
  await run(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
