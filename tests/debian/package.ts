import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { appendFile, readFile, readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { BootedSystem } from "./booted-system.ts";
import { answers, check, say, titles, until } from "./checks.ts";
import type { CleanSystem } from "./clean-system.ts";
import { checkService, property } from "./service.ts";

/** The Debian package: its installation, its service, its upgrade, removal and purge. */

type Debian = CleanSystem | BootedSystem;

export interface Package {
  /** A folder of this machine for what the test makes. */
  folder: string;
  file: string;
  port: number;
}

const data = "/var/lib/quire";

export async function checkPackage(system: Debian, { folder, file, port }: Package): Promise<void> {
  say(`${path.basename(file)} has ${((await stat(file)).size / 1e6).toFixed(0)} MB`);
  await system.put(file, "/srv/quire.deb");
  await system.put(laterVersion(folder, file), "/srv/later.deb");
  const apt = (...args: string[]): string =>
    system.run(["apt-get", "-q", "-y", "--no-install-recommends", ...args], {
      env: { DEBIAN_FRONTEND: "noninteractive" },
    });
  apt("update");
  check("apt installs it, and it says where it answers", apt("install", "/srv/quire.deb").includes("8000"));
  const ownerOf = (inside: string): string => system.run(["stat", "-c", "%U:%G %a", inside]).trim();
  check("its data belong to its own user alone", ownerOf(data) === "quire:quire 700");
  check("its settings are for root and its user", ownerOf("/etc/quire/quire.conf") === "root:quire 640");
  await appendFile(system.path("/etc/quire/quire.conf"), `QUIRE_PORT=${port}\nQUIRE_PROCESSES=2\n`);
  check("the command knows the data", system.run(["quire", "--version"]).startsWith("0."));
  const url = `http://127.0.0.1:${port}`;
  if (system instanceof BootedSystem) {
    check("it starts at boot from now on", property(system, "quire", "UnitFileState") === "enabled");
    const modules = "/usr/lib/quire/node_modules";
    await checkService({ system, url, modules, node: `${modules}/.bin/node` });
  }
  await use(system, url);
  await writeFile(system.path("/srv/herring.txt"), "Herring, by month");
  system.run(["quire", "import", "--access", "public", "/srv/herring.txt"]);
  check("the command works as the service's user", ownerOf(`${data}/quire.sqlite`).startsWith("quire:"));

  const before = system instanceof BootedSystem ? property(system, "quire", "MainPID") : "0";
  apt("install", "/srv/later.deb");
  const settings = await readFile(system.path("/etc/quire/quire.conf"), "utf8");
  check("an upgrade keeps the settings", settings.includes(String(port)));
  if (system instanceof BootedSystem)
    check("an upgrade restarts it", !["0", before].includes(property(system, "quire", "MainPID")));
  const stop = await startService(system, url);
  // It is shown once its text has been read.
  await until("an upgrade keeps the data", async () => (await titles(url)).includes("herring"));
  check("an upgrade keeps the data", true);
  if (!(system instanceof BootedSystem)) await stop();
  await checkRemoval(system, apt, url);
}

async function use(system: Debian, url: string): Promise<void> {
  const stop = await startService(system, url);
  check("it serves the samples", (await titles(url)).length >= 5);
  const answer = await fetch(`${url}/api/documents/`);
  const { results } = (await answer.json()) as { results: { canonical_url: string }[] };
  const page = await fetch(results[0]?.canonical_url ?? url);
  check("a page for people comes with its script", /\/static\/\S+\.js/.test(await page.text()));
  // With systemd, it goes on serving during the upgrade.
  if (!(system instanceof BootedSystem)) await stop();
}

async function checkRemoval(system: Debian, apt: (...args: string[]) => string, url: string): Promise<void> {
  const removed = apt("remove", "quire");
  check("its removal says what stays", removed.includes(`The documents stay in ${data}`));
  check("its removal ends the service", !(await answers(url)));
  check("its removal keeps the data", (await readdir(system.path(data))).includes("quire.sqlite"));
  apt("install", "/srv/quire.deb");
  check("installing it again finds the data", (await readdir(system.path(data))).includes("files"));
  if (system instanceof BootedSystem) {
    await until("it answers", () => answers(url));
    check("installing it again starts it", true);
  }
  const purged = apt("purge", "quire");
  check(
    "a purge says what it deletes",
    /Deleting \/var\/lib\/quire \(\S+\): documents, database/.test(purged),
  );
  check("a purge leaves no data", !(await readdir(system.path("/var/lib"))).includes("quire"));
  check("a purge leaves no settings", !(await readdir(system.path("/etc"))).includes("quire"));
}

/** The same package with another version, as an upgrade would bring it. */
function laterVersion(folder: string, file: string): string {
  const tree = path.join(folder, "later");
  execFileSync("dpkg-deb", ["-R", file, tree]);
  execFileSync("sed", ["-i", "s/^Version: .*/&.1/", path.join(tree, "DEBIAN/control")]);
  const later = path.join(folder, "later.deb");
  execFileSync("dpkg-deb", ["-Zzstd", "-z1", "--build", tree, later], { stdio: "ignore" });
  return later;
}

/** Starts the service, if it does not run; resolves to what ends it. */
async function startService(system: Debian, url: string): Promise<() => Promise<void>> {
  if (!(system instanceof BootedSystem)) return startByHand(system);
  system.run(["systemctl", "start", "quire"]);
  await until("the service answers", () => answers(url));
  return async () => void system.run(["systemctl", "stop", "quire"]);
}

/** The command of the unit, as systemd would start it. */
async function startByHand(system: CleanSystem): Promise<() => Promise<void>> {
  const unit = await readFile(system.path("/usr/lib/systemd/system/quire.service"), "utf8");
  const value = (name: string): string => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? "";
  const [variable = "", folder] = value("Environment").split("=");
  const settings = (await readFile(system.path("/etc/quire/quire.conf"), "utf8"))
    .split("\n")
    .filter((line) => line.startsWith("QUIRE_"))
    .map((line) => line.split("=", 2));
  const { child, output } = system.start(value("ExecStart").split(" "), {
    user: `${value("User")}:${value("Group")}`,
    cwd: value("WorkingDirectory"),
    env: { [variable]: folder, ...(Object.fromEntries(settings) as Record<string, string>) },
  });
  await until("the command is ready", () => {
    if (child.exitCode !== null) throw new Error(output());
    return output().includes("Quire is ready");
  });
  return async () => {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  };
}
