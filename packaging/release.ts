import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import packageJson from "../package.json" with { type: "json" };

/*
 * npm run release: makes everything that a release consists of in dist/release/: the npm package, the Debian package
 * where dpkg-deb is, the list of all parts (CycloneDX), the changes, and the checksums of these files. The version is
 * that of package.json, and CHANGELOG.md must have a section for it. The working folder must be that of a commit, so
 * that `quire --version` tells the truth. It publishes nothing.
 */

const root = path.join(import.meta.dirname, "..");
const target = path.join(root, "dist", "release");
const { version } = packageJson;

function run(program: string, args: readonly string[], cwd = root): string {
  return execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

/** What the changes say about this version. */
async function changes(): Promise<string> {
  const text = await readFile(path.join(root, "CHANGELOG.md"), "utf8");
  const section = text.split(/^## /m).find((one) => one.startsWith(`${version}\n`));
  if (section === undefined) throw new Error(`CHANGELOG.md says nothing about ${version}`);
  return `## ${section.trim()}\n`;
}

async function release(): Promise<void> {
  const notes = await changes();
  const changed = run("git", ["status", "--porcelain"]).trim();
  if (changed !== "") throw new Error(`These files differ from the commit:\n${changed}`);
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  run(process.execPath, [path.join(root, "packaging", "npm.ts")]);
  run("npm", ["pack", "--silent", "--pack-destination", target], path.join(root, "dist", "npm"));
  if (hasDebianTools()) await makeDebianPackage();
  const parts = run("npm", ["sbom", "--package-lock-only", "--omit", "dev", "--sbom-format", "cyclonedx"]);
  await writeFile(path.join(target, `quire-${version}.cdx.json`), parts);
  await writeFile(path.join(target, "CHANGES.md"), notes);
  const sums = await Promise.all((await readdir(target)).toSorted().map(sumOf));
  await writeFile(path.join(target, "SHA256SUMS"), `${sums.join("\n")}\n`);
  process.stdout.write(`dist/release/ has ${version}:\n${sums.join("\n")}\n`);
}

function hasDebianTools(): boolean {
  try {
    run("dpkg-deb", ["--version"]);
    return true;
  } catch {
    return false;
  }
}

/** Of the npm package that has been made. */
async function makeDebianPackage(): Promise<void> {
  const [npmPackage = ""] = await readdir(target);
  run(process.execPath, [path.join(root, "packaging", "debian.ts"), path.join(target, npmPackage)]);
  const folder = path.join(root, "dist", "debian");
  for (const name of await readdir(folder)) await copyFile(path.join(folder, name), path.join(target, name));
}

async function sumOf(name: string): Promise<string> {
  const bytes = await readFile(path.join(target, name));
  return `${createHash("sha256").update(bytes).digest("hex")}  ${name}`;
}

await release();
