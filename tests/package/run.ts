import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/*
 * npm run test:package: makes the npm package, installs it into an empty folder, and uses it there as an administrator
 * and a program would, with nothing of this repository. Needs the registry of npm, so it is not part of `npm test`.
 * With a path as its argument, it tries that package instead of making one.
 */

const root = path.join(import.meta.dirname, "../..");
const [given] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

function check(what: string, isTrue: boolean): void {
  if (!isTrue) throw new Error(`Not so: ${what}`);
  say(`  ${what}`);
}

/** Only the folder of programs, so that nothing of this process's own environment reaches the package. */
const environment = (folder: string): NodeJS.ProcessEnv => ({
  PATH: (process.env["PATH"] ?? "")
    .split(path.delimiter)
    .filter((one) => !one.includes("node_modules"))
    .join(path.delimiter),
  HOME: folder,
  npm_config_cache: process.env["npm_config_cache"],
  npm_config_registry: process.env["npm_config_registry"],
  npm_config_userconfig:
    process.env["npm_config_userconfig"] ?? path.join(process.env["HOME"] ?? "", ".npmrc"),
  QUIRE_PORT: "0",
});

function packed(folder: string): string {
  execFileSync(process.execPath, [path.join(root, "packaging", "npm.ts")], { stdio: "inherit" });
  const options = ["pack", "--silent", "--pack-destination", folder];
  const name = execFileSync("npm", options, { cwd: path.join(root, "dist", "npm"), encoding: "utf8" });
  return path.join(folder, name.trim());
}

/** The installed command, in its folder. */
class Installed {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(folder: string) {
    this.#folder = folder;
    this.#env = environment(folder);
  }

  quire(...args: string[]): string {
    const options = { cwd: this.#folder, env: this.#env, encoding: "utf8" } as const;
    return execFileSync("npx", ["--no-install", "quire", ...args], options);
  }

  /** Starts it as a person does, and resolves to its address. */
  async serve(): Promise<{ server: ChildProcessWithoutNullStreams; url: string; seconds: number }> {
    const started = performance.now();
    const program = path.join(this.#folder, "node_modules", ".bin", "quire");
    const server = spawn(program, [], { cwd: this.#folder, env: this.#env });
    let text = "";
    const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
    for (const stream of [server.stdout, server.stderr])
      stream.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        const [, url] = /Documents for people\s+(\S+)\/\n/.exec(text) ?? [];
        if (url !== undefined) resolve(url);
      });
    server.once("exit", () => reject(new Error(`It ended:\n${text}`)));
    const url = await ready;
    return { server, url, seconds: (performance.now() - started) / 1000 };
  }
}

async function tryPackage(folder: string): Promise<void> {
  const file = given === undefined ? packed(folder) : path.resolve(given);
  const home = path.join(folder, "home");
  await mkdir(home);
  // As an administrator does whose npm asks before it runs scripts of packages.
  await writeFile(path.join(home, "package.json"), `{ "private": true, "allowScripts": { "node": true } }\n`);
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel", "error", file], {
    cwd: home,
    env: environment(home),
    stdio: "inherit",
  });
  const size = execFileSync("du", ["-sm", path.join(home, "node_modules")], { encoding: "utf8" });
  say(`installed: ${Number.parseInt(size, 10)} MB`);
  await checkContents(path.join(home, "node_modules", "quire"));
  await checkTypes(home);
  const installed = new Installed(home);
  check("the version is printed", installed.quire("--version").startsWith("0."));
  const { server, url, seconds } = await installed.serve();
  try {
    say(`served after ${seconds.toFixed(1)} s at ${url}`);
    await useServer(installed, url, home);
  } catch (error) {
    server.kill("SIGTERM");
    await once(server, "exit");
    throw error;
  }
  server.kill("SIGTERM");
  const [code] = (await once(server, "exit")) as [number | null];
  check("the server stops when it is asked to", code === 0 || code === 143);
}

async function checkContents(folder: string): Promise<void> {
  const files = await readdir(path.join(folder, "src"), { recursive: true });
  check("there are no tests and no TypeScript", !files.some((file) => /\.test\.|\.ts$|\.tsx$/.test(file)));
  // These scripts of pages are JavaScript in the source, too.
  const scripts = [
    path.join("web", "forms.js"),
    path.join("web", "account", "passkeys.js"),
    path.join("web", "tray", "tray.js"),
  ];
  check(
    "the scripts of pages are there",
    scripts.every((file) => files.includes(file)),
  );
  const modules = files.filter((file) => file.endsWith(".js") && !scripts.includes(file));
  check(
    "each module has a source map",
    modules.every((file) => files.includes(`${file}.map`)),
  );
  const { dependencies } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  check("esbuild is not installed", !("esbuild" in dependencies));
}

async function checkTypes(home: string): Promise<void> {
  const program = path.join(home, "program.ts");
  const lines = [
    'import type { Document, Static } from "quire/api";',
    'import { accessLevels } from "quire/api";',
    "export const titleOf = (document: Static<typeof Document>): string => document.title;",
    "export const first: string = accessLevels[0];",
    "// @ts-expect-error A page count is a number.",
    "export const wrong = (document: Static<typeof Document>): string => document.page_count;",
  ];
  await writeFile(program, `${lines.join("\n")}\n`);
  const options = "--noEmit --strict --module nodenext --target es2024 --ignoreConfig".split(" ");
  const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [tsc, ...options, program], { cwd: home, stdio: "inherit" });
  check("programs can use the types of the API", true);
}

async function useServer(installed: Installed, url: string, home: string): Promise<void> {
  installed.quire("user", "add", "ada", "--organization", "Harbour Press");
  const token = installed.quire("token", "add", "ada").trim().split("\n").at(-1);
  const headers = { authorization: `Bearer ${token}` };
  const form = new FormData();
  form.append("access", "public");
  form.append("file", new Blob(["The harbour master keeps the list of arrivals.\n"]), "arrivals.txt");
  const made = await fetch(`${url}/api/documents/`, { method: "POST", body: form, headers });
  check("a file is taken", made.status === 201);
  const record = (await made.json()) as { id: number; slug: string; canonical_url: string };
  const { id, slug } = record;
  for (let status = "pending"; status !== "success"; await wait(100)) {
    ({ status } = (await (await fetch(`${url}/api/documents/${id}/`, { headers })).json()) as {
      status: string;
    });
    if (status === "error")
      throw new Error(await (await fetch(`${url}/api/documents/${id}/errors/`, { headers })).text());
  }
  check("and read", true);
  const page = await (await fetch(record.canonical_url)).text();
  const [, script = ""] = /<script[^>]* src="([^"]*\/static\/viewer-[^"]+\.js)"/.exec(page) ?? [];
  const code = await fetch(new URL(script, url));
  check(
    "the page of the document has its script",
    code.status === 200 && (await code.text()).length > 10_000,
  );
  const image = await fetch(`${url}/files/documents/${id}/pages/${slug}-p1-normal.gif`);
  check("and an image of its page", image.headers.get("content-type") === "image/gif");
  const folder = path.join(home, "in");
  await mkdir(folder);
  await writeFile(path.join(folder, "dues.csv"), "Ship,Dues\nAurora,12\n");
  await writeFile(path.join(folder, "letter.html"), "<p>A letter to the keeper");
  installed.quire("import", "--user", "ada", folder);
  const list = await fetch(`${url}/api/documents/?per_page=100`, { headers });
  const { results } = (await list.json()) as { results: { title: string }[] };
  const titles = new Set(results.map(({ title }) => title));
  check("a folder is imported", titles.has("dues") && titles.has("letter"));
  installed.quire("languages", "add", "deu");
  check("a language is added", installed.quire("languages", "list") === "deu\neng\n");
  installed.quire("backup", path.join(home, "backups"));
  check("a backup is made", (await readdir(path.join(home, "backups"))).length > 0);
}

const folder = await mkdtemp(path.join(tmpdir(), "quire-package-"));
try {
  await tryPackage(folder);
  say("The package works.");
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
