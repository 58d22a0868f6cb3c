import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type BootedSystem, boot, whyNotBooted } from "./booted-system.ts";
import { freePorts } from "../../src/testing/free-ports.ts";
import { say } from "./checks.ts";
import { type CleanSystem, cleanSystem } from "./clean-system.ts";
import { checkNpmUnits } from "./npm-units.ts";
import { checkPackage } from "./package.ts";

/*
 * npm run test:debian [PACKAGE]: makes the Debian package, and installs, starts, upgrades, removes and purges it in a
 * clean Debian (clean-system.ts) in which systemd runs (booted-system.ts). Then systemd runs the units for npm in a newer
 * Debian, as docs/ says (npm-units.ts). Where systemd cannot be started, the test says so, starts the command of the
 * package's unit itself, as the unit's user, and leaves out the units for npm. systemd-analyze on this machine judges all
 * of them, if it has that.
 */

const root = path.join(import.meta.dirname, "../..");
const [given] = process.argv.slice(2);

async function made(): Promise<string> {
  if (given !== undefined) return path.resolve(given);
  execFileSync(process.execPath, [path.join(root, "packaging", "debian.ts")], { stdio: "inherit" });
  const folder = path.join(root, "dist", "debian");
  const name = (await readdir(folder)).find((one) => one.endsWith(".deb"));
  return path.join(folder, name ?? "");
}

async function inDebian(folder: string, file: string, port: number, isBooted: boolean): Promise<void> {
  const system = await cleanSystem(path.join(folder, "system"));
  const act = (one: CleanSystem | BootedSystem): Promise<void> => checkPackage(one, { folder, file, port });
  if (!isBooted) return act(system);
  await using booted = await boot(system);
  // The package starts the service at once, and another program of this machine may have port 8000.
  const dropIn = "/etc/systemd/system/quire.service.d/port.conf";
  await booted.write(dropIn, `[Service]\nEnvironment=QUIRE_PORT=${port}\n`);
  await act(booted);
}

/** The units of the package, and those for an installation with npm. */
function unitsIn(folder: string, file: string): string[] {
  const tree = path.join(folder, "unit");
  execFileSync("dpkg-deb", ["-x", file, tree]);
  const folders = [path.join(tree, "usr/lib/systemd/system"), path.join(root, "packaging/systemd")];
  return folders.flatMap((units) =>
    ["quire.service", "quire-work.service"].map((name) => path.join(units, name)),
  );
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
  const whyNot = whyNotBooted();
  if (whyNot !== null) say(`systemd is not started, and the units for npm are not tried: ${whyNot}`);
  const file = await made();
  await inDebian(folder, file, await freePorts(1), whyNot === null);
  if (whyNot === null) await checkNpmUnits(folder);
  if (spawnSync("systemd-analyze", ["--version"]).status === 0)
    for (const unit of unitsIn(folder, file)) await judge(folder, unit);
  else say("There is no systemd-analyze here, so nothing judges the units");
  say("All of it works.");
} finally {
  await rm(folder, { recursive: true, force: true });
}
