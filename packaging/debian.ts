import { execFileSync } from "node:child_process";
import { chmod, cp, mkdir, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import packageJson from "../package.json" with { type: "json" };

/*
 * node packaging/debian.ts [PACKAGE]: makes a Debian package in dist/debian/, of the npm package and all that it depends
 * on, Node included. Given the path of an npm package, it takes that one instead of making it. The architecture is that
 * of this machine.
 */

const root = path.join(import.meta.dirname, "..");
const target = path.join(root, "dist", "debian");
const tree = path.join(target, "tree");
const sources = path.join(import.meta.dirname, "debian");
const [given] = process.argv.slice(2);

const architectures: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

function run(program: string, args: readonly string[], cwd = root): string {
  return execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

/** The npm package as a file. */
function npmPackage(): string {
  if (given !== undefined) return path.resolve(given);
  run(process.execPath, [path.join(import.meta.dirname, "npm.ts")]);
  const name = run("npm", ["pack", "--silent", "--pack-destination", target], path.join(root, "dist", "npm"));
  return path.join(target, name.trim());
}

/** Installs the npm package, without what no server needs of it. */
async function install(file: string): Promise<void> {
  const folder = path.join(tree, "usr", "lib", "quire");
  await mkdir(folder, { recursive: true });
  await writeFile(
    path.join(folder, "package.json"),
    `${JSON.stringify({ private: true, allowScripts: { node: true } })}\n`,
  );
  run("npm", ["install", "--omit=dev", "--no-audit", "--no-fund", "--no-package-lock", file], folder);
  const installedNode = path.join(folder, "node_modules", "node");
  for (const entry of await readdir(path.join(installedNode, "node_modules"), { withFileTypes: true }))
    for (const unused of entry.isDirectory() ? ["include", "share", "lib"] : [])
      await rm(path.join(installedNode, "node_modules", entry.name, unused), {
        recursive: true,
        force: true,
      });
  // The path of the file from which it was installed says nothing on another machine.
  await writeFile(path.join(folder, "package.json"), `${JSON.stringify({ private: true })}\n`);
  await rm(path.join(folder, "node_modules", ".package-lock.json"), { force: true });
  run("chmod", ["-R", "u=rwX,go=rX", folder]);
}

/** A file of packaging/systemd/ with the paths of this package. */
async function withOwnPaths(name: string): Promise<string> {
  const text = await readFile(path.join(import.meta.dirname, "systemd", name), "utf8");
  return text
    .replace(/^(?:#.*\n)+(?=\[Unit\])/, "")
    .replace("file:///opt/quire/node_modules/quire/README.md", "file:///usr/share/doc/quire/README.md")
    .replace("/opt/quire/node_modules/.bin/quire", "/usr/lib/quire/run")
    .replace("/usr/local/bin/quire", "/usr/bin/quire");
}

/** Writes a file of the package, with folders above it. */
async function place(content: string | Buffer, to: string, mode: number): Promise<void> {
  const file = path.join(tree, to);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
  await chmod(file, mode);
}

async function copyFiles(): Promise<void> {
  await place(await withOwnPaths("quire"), "usr/bin/quire", 0o755);
  for (const name of ["quire.service", "quire-work.service"])
    await place(await withOwnPaths(name), `usr/lib/systemd/system/${name}`, 0o644);
  await place(await readFile(path.join(sources, "run")), "usr/lib/quire/run", 0o755);
  await place(await readFile(path.join(sources, "quire.conf")), "etc/quire/quire.conf", 0o640);
  for (const name of ["README.md", "CHANGELOG.md", "LICENCES.md"])
    await place(await readFile(path.join(root, name)), `usr/share/doc/quire/${name}`, 0o644);
  await place(await readFile(path.join(root, "LICENSE")), "usr/share/doc/quire/copyright", 0o644);
  for (const name of await readdir(path.join(root, "docs")))
    if (name.endsWith(".md"))
      await place(await readFile(path.join(root, "docs", name)), `usr/share/doc/quire/${name}`, 0o644);
}

async function control(architecture: string): Promise<void> {
  const folder = path.join(tree, "DEBIAN");
  await mkdir(folder, { recursive: true });
  const kilobytes = run("du", ["-sk", "--exclude=DEBIAN", tree]).split("\t")[0];
  const fields = [
    "Package: quire",
    `Version: ${packageJson.version}`,
    `Architecture: ${architecture}`,
    "Maintainer: The authors of Quire <quire@example.org>",
    `Installed-Size: ${kilobytes}`,
    "Depends: adduser, libc6 (>= 2.28), libstdc++6",
    "Recommends: qpdf, libreoffice-writer-nogui, libreoffice-calc-nogui, libreoffice-impress-nogui",
    "Suggests: postgresql, nginx | caddy",
    "Section: web",
    "Priority: optional",
    "Description: document service that you host yourself",
    " Quire takes documents in, reads them, and serves them as a JSON API and as pages for",
    " people: PDFs, office files, images, mail and scans, with search, notes and redactions.",
    " It speaks the API of DocumentCloud.",
  ];
  await writeFile(path.join(folder, "control"), `${fields.join("\n")}\n`);
  await writeFile(path.join(folder, "conffiles"), "/etc/quire/quire.conf\n");
  for (const name of ["postinst", "prerm", "postrm"]) {
    await cp(path.join(sources, name), path.join(folder, name));
    await chmod(path.join(folder, name), 0o755);
  }
}

async function build(): Promise<void> {
  const architecture = architectures[process.arch];
  if (architecture === undefined) throw new Error(`There is no Debian package for ${process.arch}`);
  await rm(target, { recursive: true, force: true });
  await mkdir(tree, { recursive: true });
  const source = npmPackage();
  await install(source);
  if (given === undefined) await rm(source);
  await copyFiles();
  await control(architecture);
  await chmod(tree, 0o755);
  const file = path.join(target, `quire_${packageJson.version}_${architecture}.deb`);
  run("dpkg-deb", ["--root-owner-group", "-Zzstd", "--build", tree, file]);
  await rm(tree, { recursive: true });
  const { size } = await stat(file);
  process.stdout.write(`${path.relative(root, file)} has ${(size / 1e6).toFixed(0)} MB\n`);
}

await build();
