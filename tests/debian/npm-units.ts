import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { freePorts } from "../../src/testing/free-ports.ts";
import { startS3Server } from "../../src/testing/s3-server.ts";
import { type BootedSystem, boot } from "./booted-system.ts";
import { Uploader, answers, check, say, until } from "./checks.ts";
import { cleanSystem } from "./clean-system.ts";
import { checkService, property } from "./service.ts";

/*
 * The units for an installation with npm, which systemd runs as docs/installing.md, docs/configuration.md and
 * docs/backup.md say: their commands and units are taken from there. What differs is said here: the package is that of
 * this repository, and the port is one that is free.
 */

const root = path.join(import.meta.dirname, "../..");

/** The blocks of code of a language in a section of the docs. */
async function blocks(page: string, heading: string, language: string): Promise<string[]> {
  const text = await readFile(path.join(root, "docs", page), "utf8");
  const section = text.split(/^(?=## )/m).find((one) => one.startsWith(`## ${heading}\n`)) ?? "";
  const found = section.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)\n\`\`\`$`, "gms"));
  return Array.from(found, ([, block = ""]) => block);
}

/** Writes the files that the docs show: each begins with a comment that has its name. */
async function writeUnits(system: BootedSystem, shown: readonly string[], port: number): Promise<void> {
  for (const text of shown.flatMap((block) => block.split(/^(?=# \/etc\/)/m))) {
    const [, name = ""] = /^# (\S+)\n/.exec(text) ?? [];
    await system.write(name, text.replace(":8000", `:${port}`));
  }
}

export async function checkNpmUnits(folder: string): Promise<void> {
  const port = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  await using system = await boot(await cleanSystem(path.join(folder, "npm-system"), "trixie"));
  say("the units for npm, in a newer Debian");
  await installNode(system);
  await install(system, folder, port);
  const modules = "/opt/quire/node_modules";
  await checkService({ system, url, modules, node: "node" });
  await checkSocket(system, url, port);
  await checkTimer(system, port);
  await checkWorker(system, url);
}

/** Node and npm, where services find them. */
async function installNode(system: BootedSystem): Promise<void> {
  await system.put(process.execPath, "/usr/local/bin/node");
  const authorities = process.env["NODE_EXTRA_CA_CERTS"];
  if (authorities !== undefined) await system.put(authorities, authorities);
  const npm = path.join(execFileSync("npm", ["root", "--global"], { encoding: "utf8" }).trim(), "npm");
  await system.put(npm, "/usr/local/lib/node_modules/npm");
  for (const name of ["npm", "npx"])
    system.run(["ln", "-s", `../lib/node_modules/npm/bin/${name}-cli.js`, `/usr/local/bin/${name}`]);
}

/** The commands of the docs, with the package of this repository, and with a free port in the settings. */
async function install(system: BootedSystem, folder: string, port: number): Promise<void> {
  execFileSync(process.execPath, [path.join(root, "packaging", "npm.ts")], { stdio: "inherit" });
  const options = ["pack", "--silent", "--pack-destination", folder];
  const name = execFileSync("npm", options, { cwd: path.join(root, "dist", "npm"), encoding: "utf8" }).trim();
  await system.put(path.join(folder, name), `/srv/${name}`);
  const [commands = ""] = await blocks("installing.md", "As a service of systemd", "sh");
  const own = commands
    .replace("--save-exact quire", `--save-exact /srv/${name}`)
    .replace(/^(?=systemctl)/m, `echo QUIRE_PORT=${port} >>/etc/quire/quire.conf\n`);
  if (!own.includes("/srv/") || !own.includes("QUIRE_PORT")) throw new Error("The commands have changed");
  const names = ["npm_config_registry", "NODE_EXTRA_CA_CERTS", "https_proxy", "http_proxy", "no_proxy"];
  const env = Object.fromEntries(names.map((one) => [one, process.env[one]]));
  system.run(["sh", "-e", "-c", own], { cwd: "/root", env });
  check("the commands of the docs install it", property(system, "quire", "UnitFileState") === "enabled");
}

async function checkSocket(system: BootedSystem, url: string, port: number): Promise<void> {
  await writeUnits(system, await blocks("configuration.md", "Restarting", "ini"), port);
  const [commands = ""] = await blocks("configuration.md", "Restarting", "sh");
  system.run(["sh", "-e", "-c", commands]);
  await until("it answers on the socket of systemd", () => answers(url));
  check("it answers on the socket of systemd", property(system, "quire.socket", "ActiveState") === "active");
  const first = property(system, "quire", "MainPID");
  system.run(["systemctl", "--no-block", "restart", "quire"]);
  // Each request has a connection of its own, so one that comes at a bad moment would be refused.
  await until("it has been restarted", async () => {
    const answer = await fetch(`${url}/api/documents/`, { headers: { connection: "close" } });
    if (!answer.ok) throw new Error(`${answer.status} during a restart`);
    return !["0", first].includes(property(system, "quire", "MainPID"));
  });
  check("no connection is refused while it restarts", await answers(url));
  system.run(["systemctl", "stop", "quire"]);
  check("the first request starts it again", await answers(url));
}

async function checkTimer(system: BootedSystem, port: number): Promise<void> {
  const [units = "", ...more] = await blocks("backup.md", "Every night", "ini");
  await writeUnits(system, [units, ...more], port);
  system.run("install -d -m 700 -o quire -g quire /mnt/backups/quire".split(" "));
  const [commands = ""] = await blocks("backup.md", "Every night", "sh");
  system.run(["sh", "-e", "-c", commands]);
  const next = property(system, "quire-backup.timer", "NextElapseUSecRealtime");
  check(`the next backup is at night: ${next}`, / 02:[34]/.test(next));
  // Soon instead of at night.
  const dropIn = "/etc/systemd/system/quire-backup.timer.d/soon.conf";
  await system.write(dropIn, "[Timer]\nOnCalendar=\nOnActiveSec=1\nAccuracySec=1\nRandomizedDelaySec=0\n");
  system.run(["systemctl", "daemon-reload"]);
  system.run(["systemctl", "restart", "quire-backup.timer"]);
  await until(
    "the timer has made a backup",
    () => property(system, "quire-backup", "ExecMainExitTimestamp") !== "",
  );
  check("the timer makes a backup", property(system, "quire-backup", "Result") === "success");
  system.run(["quire", "restore", "--verify", "/mnt/backups/quire"]);
  check("the backup is whole", true);
}

/** A server that reads no files, and a worker, on the PostgreSQL of Debian and a bucket. */
async function checkWorker(system: BootedSystem, url: string): Promise<void> {
  system.run(["systemctl", "stop", "quire.socket", "quire"]);
  system.run(["systemctl", "disable", "quire.socket"]);
  system.run(["rm", "-r", "/etc/systemd/system/quire.service.d", "/etc/systemd/system/quire.socket"]);
  // It is reached by its socket, so that it needs no port of this machine.
  await system.write("/etc/postgresql-common/createcluster.conf", "listen_addresses = ''\n");
  const apt =
    "apt-get -q -y --no-install-recommends -o Dpkg::Options::=--force-confold install postgresql".split(" ");
  system.run(apt);
  const asPostgres = (...command: string[]): string =>
    system.run(["runuser", "-u", "postgres", "--", ...command]);
  asPostgres("createuser", "quire");
  asPostgres("createdb", "--owner", "quire", "--encoding", "UTF8", "--template", "template0", "quire");
  await using bucket = await startS3Server();
  const settings = {
    ...bucket.environment,
    QUIRE_DATABASE_URL: "postgres:///quire?host=/run/postgresql",
    QUIRE_SECRET: "the-same-at-server-and-worker-of-this-test",
    QUIRE_PROCESSING_WORKERS: "0",
    QUIRE_SAMPLES: "off",
  };
  const file = "/etc/quire/quire.conf";
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  await system.write(file, (await system.read(file)) + lines.join(""), 0o640);
  system.run(["chown", "root:quire", file]);
  // On a machine of its own, the worker has this in its settings.
  const dropIn = "/etc/systemd/system/quire-work.service.d/own.conf";
  await system.write("/etc/quire/work.conf", "QUIRE_PROCESSING_WORKERS=2\n");
  await system.write(dropIn, "[Service]\nEnvironmentFile=/etc/quire/work.conf\n");
  system.run(["systemctl", "daemon-reload"]);
  await system.runMeanwhile("systemctl", "start", "quire");
  await until("the server answers", () => answers(url));
  const uploader = new Uploader(url, await system.runMeanwhile("quire", "token", "add", "admin"));
  const sent = await uploader.upload();
  check("a server without workers reads nothing", (await uploader.status(sent.text)) === "pending");
  await system.runMeanwhile("systemctl", "enable", "--now", "quire-work");
  await uploader.checkTexts(sent);
  check("the files are in the bucket", (await bucket.keys()).length > 1);
  system.run(["systemctl", "kill", "--kill-whom=main", "--signal=KILL", "quire-work"]);
  await uploader.checkTexts(await uploader.upload());
  check("a worker that was killed starts again", property(system, "quire-work", "ActiveState") === "active");
  await system.runMeanwhile("systemctl", "stop", "quire-work", "quire");
  check("it ends cleanly", property(system, "quire-work", "Result") === "success");
  check("it has logged no error", !system.journal("quire-work").includes('"level":50'));
}
