import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { notFound } from "../errors.ts";
import { unpublished } from "../http/resource-route.ts";
import type { Language } from "../texts/languages.ts";
import type { Site } from "../http/browsable/page-shell.ts";
import { StaticFile } from "../http/response/static-file.ts";
import { type Chunk, bundleOf } from "./viewer-bundle.ts";

/**
 * The static files of the pages, at addresses that change with their contents, so that caches never go stale. Those of
 * the viewer and the desk are bundled when they are first needed.
 */
export interface StaticFiles extends Pick<Site, "stylesheet" | "icon" | "script" | "viewer" | "desk"> {
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

/** A bundle with the addresses of its files. */
interface AddressedBundle {
  script: AddressedFile;
  stylesheet: AddressedFile;
  /** The parts of the script that it imports at once. */
  chunks: readonly AddressedFile[];
  all: readonly AddressedFile[];
}

const addressedBundles = new Map<string, AddressedBundle>();

function addressedBundle(name: "viewer" | "desk", language: Language = "en"): AddressedBundle {
  const title = language === "en" ? name : `${name}-${language}`;
  const known = addressedBundles.get(title);
  if (known !== undefined) return known;
  const { script: code, stylesheet: style, chunks: parts } = bundleOf(name, language);
  const script = addressed({ name: title, extension: "js", body: code });
  const stylesheet = addressed({ name, extension: "css", body: style });
  const chunks = parts.map(addressedChunk);
  const bundle = {
    script,
    stylesheet,
    chunks: chunks.filter((_, index) => parts[index]?.isNeededAtOnce === true),
    all: [script, stylesheet, ...chunks],
  };
  addressedBundles.set(title, bundle);
  return bundle;
}

/** The files of the bundle that a name belongs to. */
function filesLike(name: string): readonly AddressedFile[] {
  if (name.startsWith("viewer-")) return addressedBundle("viewer").all;
  if (name.startsWith("desk-de-")) return addressedBundle("desk", "de").all;
  return name.startsWith("desk-") ? addressedBundle("desk").all : [];
}

export function readStaticFiles(): StaticFiles {
  const files = [
    { name: "style", extension: "css", body: read("style.css") },
    { name: "icon", extension: "svg", body: read("icon.svg") },
    { name: "forms", extension: "js", body: read("forms.js") },
  ].map(addressed);
  const [stylesheet = "", icon = "", script = ""] = files.map(({ path }) => path);
  return {
    stylesheet,
    icon,
    script,
    viewer: {
      get script() {
        return addressedBundle("viewer").script.path;
      },
      get stylesheet() {
        return addressedBundle("viewer").stylesheet.path;
      },
      get chunks() {
        return addressedBundle("viewer").chunks.map(({ path }) => path);
      },
    },
    desk: {
      scripts: {
        get en() {
          return addressedBundle("desk").script.path;
        },
        get de() {
          return addressedBundle("desk", "de").script.path;
        },
      },
      get stylesheet() {
        return addressedBundle("desk").stylesheet.path;
      },
    },
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
