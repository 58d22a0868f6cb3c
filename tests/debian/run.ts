import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type CleanSystem, cleanSystem } from "./clean-system.ts";

/*
 * npm run test:debian [PACKAGE]: makes the Debian package, and installs, starts, upgrades, removes and purges it in a
 * clean Debian (clean-system.ts). There is no systemd in it, so the test starts the command of the unit itself, as the
 * unit's user; systemd-analyze on this machine judges the unit.
 */

const root = path.join(import.meta.dirname, "../..");
const [given] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const port = "18431";

function check(what: string, isTrue: boolean): void {
  if (!isTrue) throw new Error(`Not so: ${what}`);
  say(`  ${what}`);
}

async function made(): Promise<string> {
  if (given !== undefined) return path.resolve(given);
  execFileSync(process.execPath, [path.join(root, "packaging", "debian.ts")], { stdio: "inherit" });
  const folder = path.join(root, "dist", "debian");
  const name = (await readdir(folder)).find((one) => one.endsWith(".deb"));
  return path.join(folder, name ?? "");
}

/** The command of the unit, as systemd would start it. */
async function startUnit(system: CleanSystem): Promise<{ url: string; stop: () => Promise<void> }> {
  const unit = await readFile(system.path("/usr/lib/systemd/system/quire.service"), "utf8");
  const value = (name: string): string => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? "";
  const [variable = "", data] = value("Environment").split("=");
  const settings = (await readFile(system.path("/etc/quire/quire.conf"), "utf8"))
    .split("\n")
    .filter((line) => line.startsWith("QUIRE_"))
    .map((line) => line.split("=", 2));
  const env = { [variable]: data, ...(Object.fromEntries(settings) as Record<string, string>) };
  const user = `${value("User")}:${value("Group")}`;
  const { child, output } = system.start(value("ExecStart").split(" "), {
    user,
    cwd: value("WorkingDirectory"),
    env,
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; !output().includes("Quire is ready"); tries++) {
    if (child.exitCode !== null || tries > 1200) throw new Error(output());
    await wait(100);
  }
  return {
    url,
    stop: async () => {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

const titles = async (url: string): Promise<string[]> => {
  const answer = await fetch(`${url}/api/documents/`);
  const { results } = (await answer.json()) as { results: { title: string }[] };
  return results.map(({ title }) => title).toSorted();
};

/** The same package with another version, as an upgrade would bring it. */
function laterVersion(folder: string, file: string): string {
  const tree = path.join(folder, "later");
  execFileSync("dpkg-deb", ["-R", file, tree]);
  execFileSync("sed", ["-i", "s/^Version: .*/&.1/", path.join(tree, "DEBIAN/control")]);
  const later = path.join(folder, "later.deb");
  execFileSync("dpkg-deb", ["-Zzstd", "-z1", "--build", tree, later], { stdio: "ignore" });
  return later;
}

async function use(folder: string, file: string): Promise<void> {
  say(`${path.basename(file)} has ${((await stat(file)).size / 1e6).toFixed(0)} MB`);
  const system = await cleanSystem(path.join(folder, "system"));
  await system.put(file, "/tmp/quire.deb");
  const apt = (...args: string[]): string =>
    system.run(["apt-get", "-q", "-y", "--no-install-recommends", ...args], {
      env: { DEBIAN_FRONTEND: "noninteractive" },
    });
  apt("update");
  check("apt installs it, and it says where it answers", apt("install", "/tmp/quire.deb").includes("8000"));
  const of = (inside: string): string => system.run(["stat", "-c", "%U:%G %a", inside]).trim();
  check("its data belong to its own user alone", of("/var/lib/quire") === "quire:quire 700");
  check("its settings are for root and its user", of("/etc/quire/quire.conf") === "root:quire 640");
  await appendFile(system.path("/etc/quire/quire.conf"), `QUIRE_PORT=${port}\nQUIRE_PROCESSES=2\n`);
  check("the command knows the data", system.run(["quire", "--version"]).startsWith("0."));
  let server = await startUnit(system);
  const samples = await titles(server.url);
  check("it serves the samples", samples.length >= 5);
  check("a page for people comes with its script", /\/static\/\S+\.js/.test(await pageOf(server.url)));
  await server.stop();
  await writeFile(system.path("/tmp/herring.txt"), "Herring, by month");
  system.run(["quire", "import", "--access", "public", "/tmp/herring.txt"]);
  check(
    "the command works with the service's data, as its user",
    of("/var/lib/quire/quire.sqlite").startsWith("quire:"),
  );

  await system.put(laterVersion(folder, file), "/tmp/later.deb");
  apt("install", "/tmp/later.deb");
  check(
    "an upgrade keeps the settings",
    (await readFile(system.path("/etc/quire/quire.conf"), "utf8")).includes(port),
  );
  server = await startUnit(system);
  // It is shown once its text has been read.
  for (let tries = 0; tries < 600 && !(await titles(server.url)).includes("herring"); tries++)
    await wait(100);
  check("an upgrade keeps the data", (await titles(server.url)).includes("herring"));
  await server.stop();

  check(
    "its removal says what stays",
    apt("remove", "quire").includes("The documents stay in /var/lib/quire"),
  );
  check(
    "its removal keeps the data",
    (await readdir(system.path("/var/lib/quire"))).includes("quire.sqlite"),
  );
  apt("install", "/tmp/quire.deb");
  check(
    "installing it again finds the data",
    (await readdir(system.path("/var/lib/quire"))).includes("files"),
  );
  const purged = apt("purge", "quire");
  check(
    "a purge says what it deletes",
    /Deleting \/var\/lib\/quire \(\S+\): documents, database/.test(purged),
  );
  check("a purge leaves no data", !(await readdir(system.path("/var/lib"))).includes("quire"));
  check("a purge leaves no settings", !(await readdir(system.path("/etc"))).includes("quire"));
}

const pageOf = async (url: string): Promise<string> => {
  const answer = await fetch(`${url}/api/documents/`);
  const { results } = (await answer.json()) as { results: { canonical_url: string }[] };
  const page = await fetch(results[0]?.canonical_url ?? url);
  return page.text();
};

/** The unit of the package, and those for an installation with npm. */
function unitsIn(folder: string, file: string): string[] {
  const tree = path.join(folder, "unit");
  execFileSync("dpkg-deb", ["-x", file, tree]);
  const own = ["quire.service", "quire-work.service"].map((name) =>
    path.join(root, "packaging/systemd", name),
  );
  return [path.join(tree, "usr/lib/systemd/system/quire.service"), ...own];
}

/** Whether systemd would take a unit, and how much of the system it still sees. */
async function judge(folder: string, unit: string): Promise<void> {
  const judged = path.join(folder, path.basename(unit));
  // The program is not on this machine.
  const text = await readFile(unit, "utf8");
  await writeFile(judged, text.replace(/^ExecStart=.*$/m, "ExecStart=/bin/true"));
  execFileSync("systemd-analyze", ["verify", judged], { stdio: ["ignore", "inherit", "inherit"] });
  say(`  systemd-analyze verify finds no fault in ${unit}`);
  const options = ["security", "--offline=true", "--no-pager", judged];
  const report = execFileSync("systemd-analyze", options, { encoding: "utf8" });
  say(`  ${report.trim().split("\n").at(-1)}`);
}

const folder = await mkdtemp(path.join(tmpdir(), "quire-debian-"));
try {
  const file = await made();
  await use(folder, file);
  for (const unit of unitsIn(folder, file)) await judge(folder, unit);
  say("All of it works.");
} finally {
  await rm(folder, { recursive: true, force: true });
}
