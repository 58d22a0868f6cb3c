import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import type { Language } from "../texts/languages.ts";

export interface Bundle {
  script: Buffer;
  stylesheet: Buffer;
}

const bundles = new Map<string, Bundle>();

/**
 * The document viewer (src/viewer/) or the desk (src/desk/) as one script and one stylesheet for browsers. The server
 * bundles each once, in memory at startup or, for another language than English, when it is first needed. That takes
 * about a tenth of a second. So there is no build step to forget and no
 * built file to go stale. Sources do not change while the process runs.
 */
export function bundleOf(name: "viewer" | "desk", language: Language = "en"): Bundle {
  const key = `${name} ${language}`;
  const bundle = bundles.get(key) ?? build(name, language);
  bundles.set(key, bundle);
  return bundle;
}

function build(name: string, language: Language): Bundle {
  const source = (file: string): string => fileURLToPath(new URL(`../${name}/${file}`, import.meta.url));
  const { outputFiles } = buildSync({
    entryPoints: [source("main.tsx"), source(`${name}.css`)],
    outdir: "static",
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: ["chrome120", "firefox121", "safari17.4"],
    jsx: "automatic",
    jsxImportSource: "preact",
    // Each script has the texts of one language only.
    define: { pageLanguage: JSON.stringify(language) },
    // The settings for the type checker are not in the Docker image.
    tsconfigRaw: "{}",
    legalComments: "none",
    logLevel: "silent",
  });
  const output = (extension: string): Buffer =>
    Buffer.from(outputFiles.find(({ path }) => path.endsWith(extension))?.contents ?? []);
  return { script: output(".js"), stylesheet: output(".css") };
}
