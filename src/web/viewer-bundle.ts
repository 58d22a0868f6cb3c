import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

export interface ViewerBundle {
  script: Buffer;
  stylesheet: Buffer;
}

let bundle: ViewerBundle | undefined;

/**
 * The viewer of documents (src/viewer/) as one script and one stylesheet for browsers. It is bundled in memory at the
 * start, in about a tenth of a second: there is no build step that could be forgotten, and no built file to go stale.
 * Sources do not change while the process runs, so it is bundled once.
 */
export function bundleViewer(): ViewerBundle {
  bundle ??= build();
  return bundle;
}

function source(name: string): string {
  return fileURLToPath(new URL(`../viewer/${name}`, import.meta.url));
}

function build(): ViewerBundle {
  const { outputFiles } = buildSync({
    entryPoints: [source("main.tsx"), source("viewer.css")],
    outdir: "static",
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: ["chrome120", "firefox121", "safari17.4"],
    jsx: "automatic",
    jsxImportSource: "preact",
    // The settings for the type checker are not in the Docker image.
    tsconfigRaw: "{}",
    legalComments: "none",
    logLevel: "silent",
  });
  const output = (extension: string): Buffer =>
    Buffer.from(outputFiles.find(({ path }) => path.endsWith(extension))?.contents ?? []);
  return { script: output(".js"), stylesheet: output(".css") };
}
