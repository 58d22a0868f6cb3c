import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { chmod, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { transform } from "esbuild";
import packageJson from "../package.json" with { type: "json" };
import { languages } from "../src/texts/languages.ts";
import { bundleOf, bundleText } from "../src/web/viewer-bundle.ts";

/*
 * node packaging/npm.ts: makes the npm package in dist/npm/, which `npm pack` or `npm publish` takes from there.
 *
 * Node strips no types below node_modules, so each module is JavaScript there, with a source map that contains the
 * TypeScript. The scripts of the pages are bundled here instead of in the server, which then needs no esbuild. The
 * packages in `bundled` come with the package, without the parts that no server uses: npm would install 90 MB for the
 * 30 that are needed.
 */

const root = path.join(import.meta.dirname, "..");
const target = path.join(root, "dist", "npm");

/** Each with the packages that it depends on. */
const bundled = ["tesseract.js", "@tesseract.js-data/eng", "@tesseract.js-data/osd", "dejavu-fonts-ttf"];
/** What no server uses of them, by the path from node_modules. A folder's path ends with a slash. */
const unused = [
  // For browsers.
  /^tesseract\.js\/(?:dist|docs|examples|benchmarks|images|tests)\//,
  /^tesseract\.js-core\/.*\.wasm\.js$/,
  /^zlibjs\/(?!$|bin\/(?:$|node-zlib\.js$)|package\.json$|LICENSE)/,
  // The data of an engine that Quire does not use, see src/processing/ocr/ocr-data.ts.
  /^@tesseract\.js-data\/[a-z_]+\/4\.0\.0\//,
  // The fonts of src/processing/convert/text-pages.ts stay.
  /^dejavu-fonts-ttf\/ttf\/(?!$|DejaVuSans(?:Mono)?\.ttf$)/,
];

interface Installed {
  version: string;
  dependencies?: Record<string, string>;
}

async function build(): Promise<void> {
  await rm(target, { recursive: true, force: true });
  await Promise.all([copySources(), writeBundles(), copyOthers(), copyBundled(), writeTypes()]);
  await writeFile(path.join(target, "package.json"), `${JSON.stringify(description(), null, 2)}\n`);
}

function filesOf(folder: string): string[] {
  const entries = readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

/** Whether a source is of no use to a server: tests, and what the bundles of the pages are made from. */
const isLeftOut = (file: string): boolean =>
  /\.test\.ts$|^src\/(?:testing|viewer|desk)\/|-contract\.ts$/.test(file);

/** The server's modules as JavaScript, and the files beside them. */
async function copySources(): Promise<void> {
  for (const file of filesOf("src").filter((one) => !isLeftOut(one))) {
    const to = path.join(target, file);
    await mkdir(path.dirname(to), { recursive: true });
    if (!file.endsWith(".ts")) {
      await cp(path.join(root, file), to);
      continue;
    }
    const source = await readFile(path.join(root, file), "utf8");
    const { code, map } = await transform(withJavaScriptNames(source), {
      loader: "ts",
      format: "esm",
      target: "node24",
      sourcemap: "external",
      sourcefile: path.basename(file),
      tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    });
    const name = path.basename(file, ".ts");
    await writeFile(to.replace(/\.ts$/, ".js"), `${code}//# sourceMappingURL=${name}.js.map\n`);
    await writeFile(to.replace(/\.ts$/, ".js.map"), map);
  }
}

/** Names modules by their names in the package. All strings that end like a module's name are such names. */
function withJavaScriptNames(source: string): string {
  return source.replaceAll(/"([^"\n]*)\.ts"/g, '"$1.js"');
}

/** The scripts and styles of the pages, where src/web/viewer-bundle.ts looks for them. */
async function writeBundles(): Promise<void> {
  const folder = path.join(target, "src", "web", "bundles");
  await mkdir(folder, { recursive: true });
  for (const name of ["viewer", "desk"] as const) {
    for (const language of languages)
      await writeFile(path.join(folder, `${name}-${language}.json`), bundleText(bundleOf(name, language)));
  }
}

async function copyOthers(): Promise<void> {
  for (const file of [
    ...filesOf("samples"),
    ...filesOf("packaging/systemd"),
    "LICENSE",
    "LICENCES.md",
    "README.md",
    "CHANGELOG.md",
  ])
    if (!file.endsWith(".ts")) await cp(path.join(root, file), path.join(target, file));
  const program = path.join(target, "bin", "quire.js");
  await cp(path.join(import.meta.dirname, "quire.js"), program);
  await chmod(program, 0o755);
}

async function copyBundled(): Promise<void> {
  for (const name of bundledWithTheirs()) {
    await cp(path.join(root, "node_modules", name), path.join(target, "node_modules", name), {
      recursive: true,
      filter: (file) => {
        const relative = path.relative(path.join(root, "node_modules"), file).split(path.sep).join("/");
        const named = statSync(file).isDirectory() ? `${relative}/` : relative;
        return !unused.some((pattern) => pattern.test(named));
      },
    });
  }
}

function bundledWithTheirs(): string[] {
  const require = createRequire(path.join(root, "package.json"));
  const names = new Set<string>();
  const add = (name: string): void => {
    if (names.has(name)) return;
    names.add(name);
    const { dependencies = {} } = require(`./node_modules/${name}/package.json`) as Installed;
    for (const dependency of Object.keys(dependencies)) add(dependency);
  };
  for (const name of bundled) add(name);
  return [...names];
}

/** The types of the API, for programs that use it. */
async function writeTypes(): Promise<void> {
  const folder = path.join(target, "api");
  const options = ["--declaration", "--emitDeclarationOnly", "--noEmit", "false", "--outDir", folder];
  execFileSync(
    process.execPath,
    [
      path.join(root, "node_modules", "typescript", "bin", "tsc"),
      "--ignoreConfig",
      path.join(root, "src", "contract", "api.ts"),
      ...options,
      ..."--module nodenext --target es2024 --strict --allowImportingTsExtensions".split(" "),
    ],
    { cwd: root, stdio: ["ignore", "inherit", "inherit"] },
  );
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    await writeFile(file, withJavaScriptNames(await readFile(file, "utf8")));
  }
}

/** QUIRE_COMMIT names it where there is no git, as while an image is built. Null if it is unknown. */
function commitOfSources(): string | null {
  try {
    const given = ["-C", root, "rev-parse", "HEAD"];
    return execFileSync("git", given, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return process.env["QUIRE_COMMIT"] ?? null;
  }
}

function description(): object {
  const commit = commitOfSources();
  const { name, version, description: summary, license, type, dependencies, config } = packageJson;
  return {
    name,
    version,
    description: summary,
    license,
    type,
    keywords: ["documents", "documentcloud", "ocr", "search", "redaction", "archive"],
    bin: { quire: "bin/quire.js" },
    exports: {
      "./api": { types: "./api/api.d.ts", default: "./src/contract/api.js" },
      "./package.json": "./package.json",
    },
    files: ["api", "bin", "packaging", "samples", "src", "LICENCES.md", "CHANGELOG.md"],
    engines: packageJson.engines,
    dependencies,
    bundleDependencies: bundledWithTheirs(),
    config: { ...config, ...(commit !== null && { commit }) },
  };
}

await build();
