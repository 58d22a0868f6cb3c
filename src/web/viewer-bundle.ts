import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type * as Esbuild from "esbuild";
import type { Language } from "../texts/languages.ts";

export interface Bundle {
  script: Buffer;
  stylesheet: Buffer;
  /** Parts of the script, which it imports by name from the folder in which it is itself. */
  chunks: readonly Chunk[];
}

export interface Chunk {
  /** Contains a hash of the content. */
  name: string;
  body: Buffer;
  /** Whether the script imports it at once; otherwise only when someone needs it. */
  isNeededAtOnce: boolean;
}

const bundles = new Map<string, Bundle>();

/**
 * The document viewer (src/viewer/) or the desk (src/desk/) as one stylesheet and one script for browsers, with a chunk
 * for each part that the script imports on demand. The server bundles each once, in memory: soon after the start
 * ({@link prepareBundles}), or when it is first needed. That takes about a tenth of a second. So there is no build step
 * to forget and no built file to go stale. Sources do not change while the process runs. The npm package has no sources
 * of scripts, and no esbuild: packaging/npm.ts puts the bundles into it.
 */
export function bundleOf(name: "viewer" | "desk", language: Language = "en"): Bundle {
  const key = `${name} ${language}`;
  const bundle =
    bundles.get(key) ??
    packagedBundle(name, language) ??
    bundleFrom(name, esbuild().buildSync(optionsFor(name, language)));
  bundles.set(key, bundle);
  return bundle;
}

function esbuild(): typeof Esbuild {
  return createRequire(import.meta.url)("esbuild") as typeof Esbuild;
}

interface BundleText {
  script: string;
  stylesheet: string;
  chunks: { name: string; body: string; isNeededAtOnce: boolean }[];
}

/** A bundle as the npm package has it. */
export function bundleText({ script, stylesheet, chunks }: Bundle): string {
  const text: BundleText = {
    script: script.toString(),
    stylesheet: stylesheet.toString(),
    chunks: chunks.map(({ name, body, isNeededAtOnce }) => ({
      name,
      body: body.toString(),
      isNeededAtOnce,
    })),
  };
  return JSON.stringify(text);
}

function packagedBundle(name: string, language: Language): Bundle | null {
  let text: string;
  try {
    text = readFileSync(new URL(`./bundles/${name}-${language}.json`, import.meta.url), "utf8");
  } catch {
    return null;
  }
  const { script, stylesheet, chunks } = JSON.parse(text) as BundleText;
  return {
    script: Buffer.from(script),
    stylesheet: Buffer.from(stylesheet),
    chunks: chunks.map(({ name: file, body, isNeededAtOnce }) => ({
      name: file,
      body: Buffer.from(body),
      isNeededAtOnce,
    })),
  };
}

/** Makes the bundles in English in other processes, so that this one keeps answering requests. */
export async function prepareBundles(): Promise<void> {
  for (const name of ["viewer", "desk"] as const) {
    const key = `${name} en`;
    if (bundles.has(key)) continue;
    const bundle = packagedBundle(name, "en") ?? (await bundledAside(name));
    if (!bundles.has(key)) bundles.set(key, bundle);
  }
}

async function bundledAside(name: string): Promise<Bundle> {
  const { build, stop } = esbuild();
  const bundle = bundleFrom(name, await build(optionsFor(name, "en")));
  await stop();
  return bundle;
}

function optionsFor(name: string, language: Language) {
  const source = (file: string): string => fileURLToPath(new URL(`../${name}/${file}`, import.meta.url));
  return {
    entryPoints: [source("main.tsx"), source(`${name}.css`)],
    outdir: "static",
    chunkNames: `${name}${language === "en" ? "" : `-${language}`}-[name]-[hash]`,
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    write: false,
    format: "esm",
    target: ["chrome120", "firefox121", "safari17.4"],
    jsx: "automatic",
    jsxImportSource: "preact",
    // Each script has the words of one language only: see `imports` in package.json.
    conditions: ["module", `words-${language}`],
    // The settings for the type checker change nothing in a script.
    tsconfigRaw: "{}",
    charset: "utf8",
    legalComments: "none",
    logLevel: "silent",
  } as const satisfies BuildOptions;
}

type BuildOptions = Parameters<typeof Esbuild.buildSync>[0];

function bundleFrom(
  name: string,
  { outputFiles, metafile }: Esbuild.BuildResult<ReturnType<typeof optionsFor>>,
): Bundle {
  const contents = new Map(outputFiles.map((file) => [path.basename(file.path), Buffer.from(file.contents)]));
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([file, facts]) => [path.basename(file), facts]),
  );
  const atOnce = new Set<string>();
  const follow = (file: string): void => {
    for (const imported of outputs.get(file)?.imports ?? []) {
      const chunk = path.basename(imported.path);
      if (imported.kind !== "import-statement" || atOnce.has(chunk)) continue;
      atOnce.add(chunk);
      follow(chunk);
    }
  };
  follow("main.js");
  const named = (file: string): Buffer => contents.get(file) ?? Buffer.alloc(0);
  const chunks = [...contents.keys()].filter((file) => file.endsWith(".js") && file !== "main.js");
  return {
    script: named("main.js"),
    stylesheet: named(`${name}.css`),
    chunks: chunks.map((file) => ({ name: file, body: named(file), isNeededAtOnce: atOnce.has(file) })),
  };
}
