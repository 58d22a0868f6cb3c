import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { notFound } from "../errors.ts";
import { unpublished } from "../http/resource-route.ts";
import { type Language, inEachLanguage, isLanguage } from "../texts/languages.ts";
import type { PageBundle, Site } from "../http/browsable/page-shell.ts";
import { StaticFile } from "../http/response/static-file.ts";
import { type Chunk, bundleOf } from "./viewer-bundle.ts";

/**
 * The static files of the pages, at addresses that change with their contents, so that caches never go stale. Those of
 * the viewer and the desk are bundled when they are first needed.
 */
export interface StaticFiles extends Pick<
  Site,
  "stylesheet" | "icon" | "script" | "passkeyScript" | "viewer" | "desk"
> {
  /** Paths below the root of the service, starting with a slash. */
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

/** The digest is checked, so that a cache never has another file under this address. */
const bundledPath = "/static/:name";

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

/** A bundle with the files that its addresses name. */
interface AddressedBundle extends PageBundle {
  files: readonly AddressedFile[];
}

const addressedBundles = new Map<string, AddressedBundle>();

function addressedBundle(name: "viewer" | "desk", language: Language): AddressedBundle {
  const title = language === "en" ? name : `${name}-${language}`;
  const known = addressedBundles.get(title);
  if (known !== undefined) return known;
  const { script: code, stylesheet: style, chunks: parts } = bundleOf(name, language);
  const script = addressed({ name: title, extension: "js", body: code });
  const stylesheet = addressed({ name, extension: "css", body: style });
  const chunks = parts.map(addressedChunk);
  const bundle = {
    script: script.path,
    stylesheet: stylesheet.path,
    chunks: parts.flatMap(({ isNeededAtOnce }, index) =>
      isNeededAtOnce ? [(chunks[index] as AddressedFile).path] : [],
    ),
    files: [script, stylesheet, ...chunks],
  };
  addressedBundles.set(title, bundle);
  return bundle;
}

/** The files of the bundle that a name belongs to. */
function filesLike(fileName: string): readonly AddressedFile[] {
  const [, name, code = ""] = /^(viewer|desk)-(?:([a-z]{2})-)?/.exec(fileName) ?? [];
  if (name === undefined) return [];
  return addressedBundle(name as "viewer" | "desk", isLanguage(code) ? code : "en").files;
}

export function readStaticFiles(): StaticFiles {
  const files = [
    { name: "style", extension: "css", body: read("style.css") },
    { name: "icon", extension: "svg", body: read("icon.svg") },
    { name: "forms", extension: "js", body: read("forms.js") },
    { name: "passkeys", extension: "js", body: read("account/passkeys.js") },
  ].map(addressed);
  const [stylesheet = "", icon = "", script = "", passkeyScript = ""] = files.map(({ path }) => path);
  return {
    stylesheet,
    icon,
    script,
    passkeyScript,
    viewer: inEachLanguage((language) => addressedBundle("viewer", language)),
    desk: inEachLanguage((language) => addressedBundle("desk", language)),
    register(app) {
      for (const { path, file } of files) {
        app.get(path, { schema: {} }, (request, reply) => file.send(request, reply));
      }
      // Another process may have sent the page that names the file.
      app.get<{ Params: { name: string } }>(bundledPath, { schema: unpublished() }, (request, reply) => {
        const { name } = request.params;
        const found = filesLike(name).find(({ path }) => path === `/static/${name}`);
        if (found === undefined) throw notFound();
        return found.file.send(request, reply);
      });
    },
  };
}
