import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { notFound } from "../errors.ts";
import { unpublished } from "../http/resource-route.ts";
import type { PageScript } from "../http/browsable/page-shell.ts";
import type { Language } from "../texts/languages.ts";
import { StaticFile } from "../http/response/static-file.ts";
import { type Chunk, bundleOf } from "./viewer-bundle.ts";

/** The static files of the pages, at addresses that change with their contents, so that caches never go stale. */
export interface StaticFiles {
  /** Paths below the root of the service, starting with a slash. */
  stylesheet: string;
  icon: string;
  script: string;
  /** The scripts by language. Other scripts than the English ones are bundled when they are first needed. */
  viewerScripts: Readonly<Record<Language, PageScript>>;
  deskScripts: Readonly<Record<Language, PageScript>>;
  viewerStylesheet: string;
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

/** The digest is checked, so that a cache never has another script under these addresses. */
const germanPaths = { viewer: "/static/viewer-de-:digest", desk: "/static/desk-de-:digest" } as const;

type ScriptName = keyof typeof germanPaths;

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

/** A script in one language, with its chunks. */
interface ServedScript extends PageScript {
  files: readonly AddressedFile[];
}

function servedScript(name: ScriptName, language: Language): ServedScript {
  const { script, chunks } = bundleOf(name, language);
  const suffix = language === "en" ? "" : `-${language}`;
  const main = addressed({ name: `${name}${suffix}`, extension: "js", body: script });
  return {
    address: main.path,
    chunks: chunks.flatMap((chunk) => (chunk.isNeededAtOnce ? [addressedChunk(chunk).path] : [])),
    files: [main, ...chunks.map(addressedChunk)],
  };
}

/** A script in every language. The English one is bundled now, the others when they are first needed. */
function scriptsOf(name: ScriptName): Readonly<Record<Language, ServedScript>> {
  const english = servedScript(name, "en");
  let german: ServedScript | undefined;
  return {
    en: english,
    get de() {
      german ??= servedScript(name, "de");
      return german;
    },
  };
}

export function readStaticFiles(): StaticFiles {
  const scripts = { viewer: scriptsOf("viewer"), desk: scriptsOf("desk") };
  const files = [
    { name: "style", extension: "css", body: read("style.css") },
    { name: "icon", extension: "svg", body: read("icon.svg") },
    { name: "forms", extension: "js", body: read("forms.js") },
    { name: "viewer", extension: "css", body: bundleOf("viewer").stylesheet },
    { name: "desk", extension: "css", body: bundleOf("desk").stylesheet },
  ].map(addressed);
  const [stylesheet = "", icon = "", script = "", viewerStylesheet = "", deskStylesheet = ""] = files.map(
    ({ path }) => path,
  );
  return {
    stylesheet,
    icon,
    script,
    viewerScripts: scripts.viewer,
    viewerStylesheet,
    deskScripts: scripts.desk,
    deskStylesheet,
    register(app) {
      for (const { path, file } of [...files, ...scripts.viewer.en.files, ...scripts.desk.en.files]) {
        app.get(path, { schema: {} }, (request, reply) => file.send(request, reply));
      }
      for (const name of ["viewer", "desk"] as const) {
        // Another process may have sent the page that names it.
        app.get(germanPaths[name], { schema: unpublished() }, (request, reply) => {
          const found = scripts[name].de.files.find(({ path }) => request.url.endsWith(path));
          if (found === undefined) throw notFound();
          return found.file.send(request, reply);
        });
      }
    },
  };
}
