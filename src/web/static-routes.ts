import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { StaticFile } from "../http/response/static-file.ts";
import { bundleOf } from "./viewer-bundle.ts";

/** The static files of the pages, at addresses that change with their contents, so that caches never go stale. */
export interface StaticFiles {
  /** Paths below the root of the service, starting with a slash. */
  stylesheet: string;
  icon: string;
  script: string;
  viewerScript: string;
  viewerStylesheet: string;
  /** The parts of the viewer's script that it imports at once. */
  viewerChunks: readonly string[];
  deskScript: string;
  deskStylesheet: string;
  register(app: FastifyInstance): void;
}

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  js: "text/javascript; charset=utf-8",
};

function read(name: string): Buffer {
  return readFileSync(new URL(`./${name}`, import.meta.url));
}

export function readStaticFiles(): StaticFiles {
  const viewer = bundleOf("viewer");
  const desk = bundleOf("desk");
  const files = [
    { name: "style", extension: "css", body: read("style.css") },
    { name: "icon", extension: "svg", body: read("icon.svg") },
    { name: "forms", extension: "js", body: read("forms.js") },
    { name: "viewer", extension: "js", body: viewer.script },
    { name: "viewer", extension: "css", body: viewer.stylesheet },
    { name: "desk", extension: "js", body: desk.script },
    { name: "desk", extension: "css", body: desk.stylesheet },
  ].map(({ name, extension, body }) => {
    const file = new StaticFile(types[extension] ?? "", body);
    return { path: `/static/${name}-${file.digest}.${extension}`, file };
  });
  const chunks = [...viewer.chunks, ...desk.chunks].map(({ name, body }) => ({
    path: `/static/${name}`,
    file: new StaticFile(types["js"] ?? "", body),
  }));
  const [
    stylesheet = "",
    icon = "",
    script = "",
    viewerScript = "",
    viewerStylesheet = "",
    deskScript = "",
    deskStylesheet = "",
  ] = files.map(({ path }) => path);
  return {
    stylesheet,
    icon,
    script,
    viewerScript,
    viewerStylesheet,
    viewerChunks: viewer.chunks.flatMap(({ name, isNeededAtOnce }) =>
      isNeededAtOnce ? [`/static/${name}`] : [],
    ),
    deskScript,
    deskStylesheet,
    register(app) {
      for (const { path, file } of [...files, ...chunks]) {
        app.get(path, { schema: {} }, (request, reply) => file.send(request, reply));
      }
    },
  };
}
