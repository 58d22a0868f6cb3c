import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmod, copyFile, mkdir, mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { CleanSystem, cleanSystem } from "../debian/clean-system.ts";

/*
 * npm run test:image [TARGET]: does what the Dockerfile says without an engine of containers, and uses the result. Each
 * stage is a folder with a clean Debian (tests/debian/clean-system.ts), in which its commands run by chroot. The base
 * image, `node:24-slim`, is that Debian with Node 24, npm and the user `node`. It cannot try what an engine adds: the
 * names of images, layers, volumes, and the limits of a container.
 */

const root = path.join(import.meta.dirname, "../..");
const [target = "plain"] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const port = "18432";

interface Stage {
  system: CleanSystem;
  workdir: string;
  env: Record<string, string>;
  user: string;
  entrypoint: string[];
  cmd: string[];
  healthcheck: string[];
}

interface Instruction {
  name: string;
  rest: string;
}

/** The instructions of the Dockerfile, in which a backslash continues a line. */
async function instructions(): Promise<Instruction[]> {
  const text = await readFile(path.join(root, "Dockerfile"), "utf8");
  return text
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => ({
      name: line.slice(0, line.indexOf(" ")),
      rest: line.slice(line.indexOf(" ") + 1).trim(),
    }));
}

/** Debian with Node, npm and the user `node`, as the image has them. */
async function baseImage(folder: string): Promise<Stage> {
  const system = await cleanSystem(folder);
  const node = path.join(path.dirname(process.execPath), "node");
  await copyFile(node, system.path("/usr/local/bin/node"));
  await chmod(system.path("/usr/local/bin/node"), 0o755);
  const authorities = process.env["NODE_EXTRA_CA_CERTS"];
  if (authorities !== undefined) await system.put(authorities, authorities);
  const npm = path.join(execFileSync("npm", ["root", "--global"], { encoding: "utf8" }).trim(), "npm");
  await system.put(npm, "/usr/local/lib/node_modules/npm");
  for (const name of ["npm", "npx"])
    system.run(["ln", "-sf", `../lib/node_modules/npm/bin/${name}-cli.js`, `/usr/local/bin/${name}`]);
  system.run([
    "sh",
    "-c",
    "id node >/dev/null 2>&1 || adduser --quiet --uid 1000 --disabled-password --gecos '' node",
  ]);
  return { system, workdir: "/", env: {}, user: "root:root", entrypoint: [], cmd: [], healthcheck: [] };
}

async function follow(folder: string): Promise<Stage> {
  const stages = new Map<string, Stage>([["node:24-slim", await baseImage(path.join(folder, "base-image"))]]);
  const all = await instructions();
  const wanted = neededFor(target, all);
  let stage: Stage | undefined;
  for (const { name, rest } of all) {
    if (name === "FROM") {
      const [from = "", , as = ""] = rest.split(" ");
      stage = undefined;
      if (!wanted.has(as)) continue;
      say(`stage ${as}`);
      const parent = stages.get(from);
      if (parent === undefined) throw new Error(`There is no stage ${from}`);
      const own = path.join(folder, as);
      execFileSync("cp", ["-a", parent.system.folder, own]);
      stage = { ...parent, env: { ...parent.env }, system: new CleanSystem(own) };
      stages.set(as, stage);
    } else if (stage !== undefined) await apply(stage, { name, rest }, stages);
  }
  const last = stages.get(target);
  if (last === undefined) throw new Error(`The Dockerfile has no target ${target}`);
  return last;
}

/** The stages that a target consists of. */
function neededFor(name: string, all: readonly Instruction[]): Set<string> {
  const needed = new Set([name]);
  let current = "";
  const parents = new Map<string, string[]>();
  for (const { name: instruction, rest } of all) {
    if (instruction === "FROM") {
      const [from = "", , as = ""] = rest.split(" ");
      current = as;
      parents.set(as, [from]);
    } else if (instruction === "COPY") {
      const [, from] = /^--from=(\S+)/.exec(rest) ?? [];
      if (from !== undefined) parents.get(current)?.push(from);
    }
  }
  for (const one of needed) for (const parent of parents.get(one) ?? []) needed.add(parent);
  return needed;
}

async function apply(
  stage: Stage,
  { name, rest }: Instruction,
  stages: ReadonlyMap<string, Stage>,
): Promise<void> {
  const { system } = stage;
  if (name === "RUN") {
    say(`  RUN ${rest.slice(0, 100)}`);
    system.run(["sh", "-c", rest], { cwd: stage.workdir, env: { ...registries(), ...stage.env } });
  } else if (name === "COPY") await copy(stage, rest, stages);
  else if (name === "WORKDIR") {
    stage.workdir = rest;
    await mkdir(system.path(rest), { recursive: true });
  } else if (name === "ENV") {
    const [variable = "", value = ""] = rest.split("=", 2);
    stage.env[variable] = value;
  } else if (name === "USER") stage.user = `${rest}:${rest}`;
  else if (name === "ENTRYPOINT") stage.entrypoint = JSON.parse(rest) as string[];
  else if (name === "CMD") stage.cmd = JSON.parse(rest) as string[];
  else if (name === "HEALTHCHECK") stage.healthcheck = JSON.parse(rest.slice(rest.indexOf("["))) as string[];
  else if (!["ARG", "EXPOSE", "LABEL", "VOLUME"].includes(name)) throw new Error(`What is ${name}?`);
}

/** What npm and apt need to reach what they install from, on a machine that names others than usual. */
function registries(): Record<string, string | undefined> {
  const names = [
    "npm_config_registry",
    "NODE_EXTRA_CA_CERTS",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
  ];
  return {
    DEBIAN_FRONTEND: "noninteractive",
    ...Object.fromEntries(
      names.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined),
    ),
  };
}

async function copy(stage: Stage, rest: string, stages: ReadonlyMap<string, Stage>): Promise<void> {
  const [, from, files = rest] = /^--from=(\S+) (.*)$/.exec(rest) ?? [];
  const names = files.split(" ");
  const to = path.posix.resolve(stage.workdir, names.pop() ?? "");
  await mkdir(stage.system.path(to), { recursive: true });
  if (from !== undefined) {
    const source = stages.get(from)?.system.folder ?? "";
    execFileSync("sh", [
      "-c",
      `cp -a ${names.map((one) => source + one).join(" ")} ${stage.system.path(to)}`,
    ]);
  } else if (names.join() === ".") {
    // All files of the repository: an ignored one must not be needed.
    const listed = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" });
    execFileSync(
      "cp",
      ["-a", "--parents", "-t", stage.system.path(to), ...listed.split("\0").filter(Boolean)],
      {
        cwd: root,
      },
    );
  } else for (const one of names) await copyFile(path.join(root, one), stage.system.path(path.join(to, one)));
}

function check(what: string, isTrue: boolean): void {
  if (!isTrue) throw new Error(`Not so: ${what}`);
  say(`  ${what}`);
}

async function use({ system, workdir, env, user, entrypoint, cmd, healthcheck }: Stage): Promise<void> {
  const options = { user, cwd: workdir, env: { ...env, QUIRE_PORT: port, QUIRE_PROCESSES: "2" } };
  const before = execFileSync("du", ["-sm", system.folder], { encoding: "utf8" }).split("\t")[0];
  say(`the image would have ${before} MB, with Debian and Node`);
  check("it does not run as root", user === "node:node");
  const { child, output } = system.start([...entrypoint, ...cmd], options);
  for (let tries = 0; !output().includes("Quire is ready"); tries++) {
    if (child.exitCode !== null || tries > 1200) throw new Error(output());
    await wait(100);
  }
  const answer = await fetch(`http://127.0.0.1:${port}/api/documents/`);
  const { results } = (await answer.json()) as { results: { canonical_url: string }[] };
  check("it serves the samples", results.length >= 5);
  const page = await fetch(results[0]?.canonical_url ?? "");
  check("a page for people comes with its script", /\/static\/\S+\.js/.test(await page.text()));
  system.run(healthcheck, options);
  check("its health check succeeds", true);
  const written = execFileSync(
    "find",
    [system.folder, "-xdev", "-newer", system.path("/app/package.json"), "-user", "1000"],
    {
      encoding: "utf8",
    },
  );
  const elsewhere = written.split("\n").filter((file) => file !== "" && !/\/(?:data|tmp)(?:\/|$)/.test(file));
  check("it writes into its data and /tmp alone, so the rest may be read-only", elsewhere.length === 0);
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const [code] = (await ended) as [number];
  check("it ends when it is told to", code === 0);
  let isFailing = false;
  try {
    system.run(healthcheck, options);
  } catch {
    isFailing = true;
  }
  check("its health check fails when it does not serve", isFailing);
  const version = system.run([...entrypoint, "--version"], options);
  check(`it says its version: ${version.trim()}`, /^\d+\.\d+\.\d+/.test(version));
  if (target === "office")
    check("it has LibreOffice", (await readdir(system.path("/usr/bin"))).includes("soffice"));
}

const folder = await mkdtemp(path.join(tmpdir(), "quire-image-"));
try {
  await use(await follow(folder));
  say("All of it works.");
} finally {
  await rm(folder, { recursive: true, force: true });
}
