import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { FastifyInstance } from "fastify";
import { notFound } from "../errors.ts";
import { unpublished } from "../http/resource-route.ts";
import { type Language, inEachLanguage, isLanguage } from "../texts/languages.ts";
import type { PageBundle, Site } from "../http/browsable/page-shell.ts";
import { StaticFile } from "../http/response/static-file.ts";
import { type AddressedFile, addressed, staticTypes } from "./style/addressed-file.ts";
import type { SiteBrand } from "./style/site-brand.ts";
import { type Chunk, bundleOf } from "./viewer-bundle.ts";

/**
 * The static files of the pages, at addresses that change with their contents, so that caches never go stale. Those of
 * the viewer and the desk are bundled when they are first needed.
 */
export interface StaticFiles extends Pick<
  Site,
  "stylesheet" | "fonts" | "icon" | "script" | "passkeyScript" | "trayScript" | "viewer" | "desk"
> {
  /** Paths below the root of the service, starting with a slash. The brand has files of its own. */
  register(app: FastifyInstance, brand: Pick<SiteBrand, "findFile">): void;
}

/** The parts of the stylesheet of all pages, in their order. */
const styles = ["tokens", "base", "frame", "controls", "lists", "pages", "api"];

/** The files of the fonts that the stylesheet names, in their packages: the letters of Latin scripts. */
export const fontFiles = {
  inter: "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  newsreader: "@fontsource-variable/newsreader/files/newsreader-latin-wght-normal.woff2",
};

function read(name: string): Buffer {
  return readFileSync(new URL(`./${name}`, import.meta.url));
}

/** The digest is checked, so that a cache never has another file under this address. */
const bundledPath = "/static/:name";

function addressedChunk({ name, body }: Chunk): AddressedFile {
  return { path: `/static/${name}`, file: new StaticFile(staticTypes["js"] ?? "", body) };
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

function readFonts(): (AddressedFile & { name: string })[] {
  const { resolve } = createRequire(import.meta.url);
  return Object.entries(fontFiles).map(([name, file]) =>
    Object.assign(addressed({ name, extension: "woff2", body: readFileSync(resolve(file)) }), { name }),
  );
}

/** The stylesheet of all pages. Its fonts are beside it, under their addresses. */
function readStyle(fonts: ReturnType<typeof readFonts>): Buffer {
  const css = styles.map((name) => read(`style/${name}.css`).toString()).join("\n");
  return Buffer.from(
    fonts.reduce(
      (text, { name, path }) => text.replace(`"${name}.woff2"`, `"${path.split("/").at(-1)}"`),
      css,
    ),
  );
}

export function readStaticFiles(): StaticFiles {
  const fonts = readFonts();
  const files = [
    { name: "style", extension: "css", body: readStyle(fonts) },
    { name: "icon", extension: "svg", body: read("icon.svg") },
    { name: "forms", extension: "js", body: read("forms.js") },
    { name: "passkeys", extension: "js", body: read("account/passkeys.js") },
    { name: "tray", extension: "js", body: read("tray/tray.js") },
  ].map(addressed);
  const [stylesheet = "", icon = "", script = "", passkeyScript = "", trayScript = ""] = files.map(
    ({ path }) => path,
  );
  return {
    stylesheet,
    fonts: fonts.map(({ path }) => path),
    icon,
    script,
    passkeyScript,
    trayScript,
    viewer: inEachLanguage((language) => addressedBundle("viewer", language)),
    desk: inEachLanguage((language) => addressedBundle("desk", language)),
    register(app, brand) {
      for (const { path, file } of [...files, ...fonts]) {
        app.get(path, { schema: {} }, (request, reply) => file.send(request, reply));
      }
      // Another process may have sent the page that names the file.
      app.get<{ Params: { name: string } }>(
        bundledPath,
        { schema: unpublished() },
        async (request, reply) => {
          const path = `/static/${request.params.name}`;
          const bundled = filesLike(request.params.name).find((file) => file.path === path);
          const file = bundled?.file ?? (await brand.findFile(path));
          if (file === null) throw notFound();
          return file.send(request, reply);
        },
      );
    },
  };
}
