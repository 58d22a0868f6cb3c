import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { notFound } from "../errors.ts";
import { unpublished } from "../http/resource-route.ts";
import type { Language } from "../texts/languages.ts";
import { StaticFile } from "../http/response/static-file.ts";
import { type Chunk, bundleOf } from "./viewer-bundle.ts";

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
  /** The script of the desk by language. Other scripts than the English one are bundled when they are first needed. */
  deskScripts: Readonly<Record<Language, string>>;
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

/** The digest is checked, so that a cache never has another script under this address. */
const germanDeskPath = "/static/desk-de-:digest";

interface AddressedFile {
  path: string;
  file: StaticFile;
}

function addressed(file: { name: string; extension: string; body: Buffer }): AddressedFile {
  const { name, extension, body } = file;
  const served = new StaticFile(types[extension] ?? "", body);
  return { path: `/static/${name}-${served.digest}.${extension}`, file: served };
}

function addressedChunk({ name, body }: Chunk): AddressedFile {
  return { path: `/static/${name}`, file: new StaticFile(types["js"] ?? "", body) };
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
  ].map(addressed);
  const chunks = [...viewer.chunks, ...desk.chunks].map(addressedChunk);
  let german: readonly AddressedFile[] | undefined;
  /** The script of the desk in German, and its chunks. */
  const germanDesk = (): readonly AddressedFile[] => {
    if (german !== undefined) return german;
    const bundle = bundleOf("desk", "de");
    const script = addressed({ name: "desk-de", extension: "js", body: bundle.script });
    german = [script, ...bundle.chunks.map(addressedChunk)];
    return german;
  };
  const [
    stylesheet = "",
    icon = "",
    script = "",
    viewerScript = "",
    viewerStylesheet = "",
    englishDesk = "",
    deskStylesheet = "",
  ] = files.map(({ path }) => path);
  return {
    stylesheet,
    icon,
    script,
    viewerScript,
    viewerStylesheet,
    deskScripts: {
      en: englishDesk,
      get de() {
        return germanDesk()[0]?.path ?? "";
      },
    },
    viewerChunks: viewer.chunks.flatMap(({ name, isNeededAtOnce }) =>
      isNeededAtOnce ? [`/static/${name}`] : [],
    ),
    deskStylesheet,
    register(app) {
      for (const { path, file } of [...files, ...chunks]) {
        app.get(path, { schema: {} }, (request, reply) => file.send(request, reply));
      }
      // Another process may have sent the page that names it.
      app.get(germanDeskPath, { schema: unpublished() }, (request, reply) => {
        const found = germanDesk().find(({ path }) => request.url.endsWith(path));
        if (found === undefined) throw notFound();
        return found.file.send(request, reply);
      });
    },
  };
}
