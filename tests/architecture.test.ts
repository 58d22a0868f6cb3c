import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

/**
 * The source tree from the ground up: a row for each folder or file. A folder stands for the files directly in it, and
 * with "/**" also for those in its subfolders. A file imports from its own unit and from the rows below, never from
 * another unit of its row or from a row above. That makes import rings between units impossible. Add a row for a new
 * folder before anything else.
 */
const layers = [
  // What the server and the browser's half share: shapes, limits, options of pages. It imports nothing.
  ["contract"],
  // The words of pages, for the server and for browsers, one folder a language.
  ["texts/de", "texts/en", "texts/es", "texts/fr"],
  ["texts"],
  // The viewer runs in browsers and uses only the public API. The server does not import it, and it imports nothing of
  // the server.
  ["viewer/texts"],
  ["viewer/model"],
  ["viewer/state"],
  ["viewer/form"],
  ["viewer/editing"],
  ["viewer/actions"],
  ["viewer"],
  // The same holds for the desk, which shares parts of the viewer.
  ["desk/model"],
  ["desk/parts", "desk/uploads"],
  ["desk/admin", "desk/redacting"],
  ["desk"],
  // What is recognised in texts by its form. Nothing of Quire stands under it but the contract.
  ["recognisers"],
  ["errors", "compile-cache", "running-processes", "trace"],
  ["batches", "bounded-map", "concurrently", "file-kinds", "semaphore", "value-kinds", "work-folders"],
  ["shared-semaphores"],
  ["config-values"],
  ["config-contradictions", "settings"],
  ["config"],
  ["database/**", "files", "processing", "remote", "secrets"],
  ["processing/embedding", "processing/prune", "processing/fonts"],
  ["processing/pdfium"],
  ["processing/pdf"],
  ["processing/unpack"],
  ["processing/office"],
  ["processing/convert", "processing/ocr"],
  ["jobs", "search"],
  ["metrics"],
  ["http/text"],
  ["http/request"],
  ["http/fields"],
  ["http/browsable"],
  ["http/response"],
  ["http/schema"],
  ["http"],
  ["context"],
  ["resources/document-states"],
  ["resources/organizations"],
  ["resources/users"],
  ["resources/users/assistants"],
  ["resources/users/credentials"],
  ["resources/notifications"],
  ["resources/mails"],
  ["resources/projects"],
  ["resources/documents"],
  ["resources/documents/pages"],
  ["resources/documents/embeddings"],
  ["resources/documents/withheld"],
  ["resources/documents/list"],
  ["resources/documents/files"],
  ["resources/documents/families"],
  ["resources/documents/tree"],
  ["resources/documents/record"],
  ["resources/documents/search"],
  ["resources/documents/holds"],
  ["resources/documents/processing"],
  [
    "resources/documents/comparing",
    "resources/documents/mentioned",
    "resources/documents/rewriting",
    "resources/documents/spreadsheet",
    "resources/documents/trash",
  ],
  ["resources/documents/uploads"],
  ["resources/documents/routes"],
  ["resources/entities", "resources/memberships", "resources/notes", "resources/sections"],
  [
    "resources/account",
    "resources/administration",
    "resources/branding",
    "resources/unsupported",
    "resources/embeds",
    "resources/events",
    "resources/iiif",
    "resources/imports",
    "resources/mirrors",
    "resources/quotations",
    "resources/statistics",
  ],
  [
    "resources/audit",
    "resources/identities",
    "resources/installation",
    "resources/keeping",
    "resources/searches",
    "resources/webhooks",
  ],
  ["resources/addons", "resources/guests", "resources/mailkeys", "resources/productions"],
  ["web/feeds", "web/forms", "web/searching"],
  ["web/style"],
  ["backup", "import", "web"],
  ["web/connections"],
  ["archive", "mirror", "web/account", "web/comparing", "web/desk", "web/notes", "web/quotations"],
  [
    "web/addons",
    "web/guests",
    "web/imports",
    "web/mailkeys",
    "web/mcp",
    "web/mentions",
    "web/productions",
    "web/projects",
    "web/searches",
    "web/tray",
    "web/tree",
  ],
  ["web/assistants"],
  // The application starts it and shows it to administrators.
  ["serving/followers", "serving/schedule"],
  ["services"],
  ["routes"],
  ["app", "worker"],
  ["serving"],
  ["commands"],
  ["commands/transfer"],
  ["main"],
  ["testing"],
  ["desk/testing"],
];

/** Queries are in these files, with kysely or by `database/rows.ts`. */
const queries = {
  what: /^kysely(\/|$)/,
  where: /^(database|jobs|search)\/|^testing\/|^resources\/[\w/]+\/([\w-]*store|access)\.ts$/,
};

const reserved = [
  queries,
  { what: /^(pg|node:sqlite)$/, where: /^(database|testing)\// },
  { what: /^@?fastify(\/|$)/, where: /^app\.ts$|^(http|web)\/|routes\.ts$/ },
  {
    what: /^(node:)?(child_process|worker_threads|cluster)$/,
    where: /^(database|processing|serving|testing)\/|^import\/source-(reader|thread)\.ts$/,
  },
  { what: /^@?preact(\/|$)/, where: /^(viewer|desk)\// },
  { what: /^esbuild$/, where: /^web\/viewer-bundle\.ts$/ },
  { what: /^process\.env$|^(node:)?process$/, where: /^main\.ts$|^testing\// },
];

/** The rules that a file breaks, a sentence each. Paths are relative to src/. Test files may import anything. */
function complaints(file: string, source: string): string[] {
  if (file.endsWith(".test.ts")) return [];
  if (layerOf(file) < 0) return [`${file} has no row in the layers`];
  return uses(source).flatMap((name) => {
    if (!name.startsWith(".")) {
      const isMisplaced =
        isGround(file) || reserved.some((rule) => rule.what.test(name) && !rule.where.test(file));
      return isMisplaced ? [`${file} may not use ${name}`] : [];
    }
    const target = path.posix.join(file, "..", name);
    const isInside = unitOf(target) === unitOf(file);
    const isBelow = layerOf(target) >= 0 && layerOf(target) < layerOf(file);
    const isAcross = isForBrowsers(target) && !isForBrowsers(file);
    const isAllowed = isInside || (isBelow && !isAcross) || !/\.tsx?$/.test(target);
    const isQueryElsewhere = target === "database/rows.ts" && !queries.where.test(file);
    if (isQueryElsewhere) return [`${file} may not use ${target}`];
    const isForTypes = isForBrowsers(file) && isGround(target) && !isLoaded(target);
    if (isForTypes && !importsTypes(source, name)) return [`${file} may only import types of ${target}`];
    return isAllowed ? [] : [`${file} may not import ${target}`];
  });
}

/** The contract is the ground: no library stands under it either. */
const isGround = (file: string): boolean => file.startsWith("contract/");

/** The parts of the contract that browsers load. Of the others, they use types, which vanish. */
const isLoaded = (file: string): boolean =>
  /^contract\/(?:describing-fields|icons|limits|page-options)\.ts$/.test(file);

const isForBrowsers = (file: string): boolean => /^(viewer|desk)\//.test(file);

/** The modules that a source imports, statically, dynamically or for types alone, and `process.env` if it reads it. */
function uses(source: string): string[] {
  const code = source.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, "");
  const imports = /^(?:import|export)\b[^;"]*\bfrom\s*"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"/gm;
  const names = [...code.matchAll(imports)].map((match) => match[1] ?? match[2] ?? "");
  return /\bprocess\.env\b/.test(code) ? [...names, "process.env"] : names;
}

const importsTypes = (source: string, name: string): boolean =>
  Array.from(source.matchAll(/^import\b([^;"]*)\bfrom\s*"([^"]+)"/gm)).every(
    ([, what = "", from]) => from !== name || what.trimStart().startsWith("type "),
  );

/** The lengths that a form states by itself, instead of those of the contract. */
const ownLimits = (source: string): string[] => source.match(/\bmax[lL]ength(?:=["{]|: )\d+/g) ?? [];

/** The unit of a file: the file itself if it has a row, or else its folder. */
function unitOf(file: string): string {
  const name = file.replace(/\.tsx?$/, "");
  const units = layers.flat();
  const tree = units.find((unit) => unit.endsWith("/**") && file.startsWith(unit.slice(0, -2)));
  return units.includes(name) ? name : (tree ?? path.posix.dirname(file));
}

function layerOf(file: string): number {
  return layers.findIndex((units) => units.includes(unitOf(file)));
}

/** The files that import themselves through other files. Imports of types count. */
function filesInRings(imports: ReadonlyMap<string, readonly string[]>): string[] {
  return [...imports.keys()].filter((file) => {
    const reached = new Set(imports.get(file));
    for (const other of reached) for (const next of imports.get(other) ?? []) reached.add(next);
    return reached.has(file);
  });
}

const importsOf = (file: string, source: string): string[] =>
  uses(source)
    .filter((name) => name.startsWith("."))
    .map((name) => path.posix.join(file, "..", name));

/** The texts that stand in the source of a component, instead of in a catalogue. */
function ownTexts(source: string): string[] {
  const code = source.replaceAll(/\/\*.*?\*\/|^ *\/\/.*$/gms, "");
  const attributes = /\s(?:aria-(?:label|description)|title|label|placeholder|alt)="[^"]*[a-z]{3}[^"]*"/g;
  const contents = /^ *[A-Z][a-z]+(?: [\w,.:']+)*[.?!…]?$|(?<!=)>[A-Z][a-z]+[^<>{}()=;]*<\//gm;
  const sentences = /["`][A-Z][a-z]+ (?:[a-z]|\$\{)[^"`]*["`]/g;
  return [attributes, contents, sentences].flatMap((texts) => code.match(texts) ?? []);
}

const maxFilesInFolder = 25;

describe("the source tree", () => {
  it("keeps the rules on which file may import which", () => {
    const files = globSync("**/*.{ts,tsx}", { cwd: "src" });
    expect(files).toContain("errors.ts");
    expect(files.flatMap((file) => complaints(file, readFileSync(path.join("src", file), "utf8")))).toEqual(
      [],
    );
  });

  it("has each name of an error once", () => {
    const files = globSync("**/*.{ts,tsx}", { cwd: "src" }).filter((file) => !file.endsWith(".test.ts"));
    const names = files.flatMap((file) =>
      Array.from(
        readFileSync(path.join("src", file), "utf8").matchAll(/^(?:export )?class (\w+Error)\b/gm),
        ([, name = ""]) => name,
      ),
    );
    expect(names).toContain("RemoteError");
    expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
  });

  it("has no import rings", () => {
    const files = globSync("**/*.{ts,tsx}", { cwd: "src" }).filter((file) => !file.endsWith(".test.ts"));
    const imports = new Map(
      files.map((file) => [file, importsOf(file, readFileSync(path.join("src", file), "utf8"))]),
    );
    expect(imports.get("main.ts")).toContain("commands/serve.ts");
    expect(filesInRings(imports)).toEqual([]);
  });

  it("has no component of the viewer or the desk with texts of its own, which would have no translation", () => {
    const files = globSync("{viewer,desk}/**/*.tsx", { cwd: "src" });
    const found = files.map(
      (file) => [file, ownTexts(readFileSync(path.join("src", file), "utf8"))] as const,
    );
    expect(found.filter(([, texts]) => texts.length > 0)).toEqual([]);
  });

  it("has no form with limits of its own, which the server would not know", () => {
    const files = globSync("{viewer,desk,web}/**/*.{ts,tsx}", { cwd: "src" }).filter(
      (file) => !file.endsWith(".test.ts"),
    );
    const found = files.flatMap((file) => ownLimits(readFileSync(path.join("src", file), "utf8")));
    expect(files).toContain("desk/bulk-actions.tsx");
    expect(found).toEqual([]);
  });

  it(`has no folder with more than ${maxFilesInFolder} source files`, () => {
    // Migrations are one list, which only grows.
    const files = globSync("**/*.{ts,tsx}", { cwd: "src" }).filter(
      (file) => !/\.test\.ts$|^testing\/|^database\/migrations\/\d/.test(file),
    );
    const sizes = Map.groupBy(files, (file) => path.posix.dirname(file));
    expect(
      [...sizes].filter(([, { length }]) => length > maxFilesInFolder).map(([folder]) => folder),
    ).toEqual([]);
  });
});

describe("the rules", () => {
  it.each(['<input maxlength="255" />', "<input maxLength={1000} />", "const field = { maxLength: 10 };"])(
    "find the limit in %j",
    (source) => {
      expect(ownLimits(source)).toHaveLength(1);
    },
  );

  it.each([
    `<button aria-label="Zoom in" />`,
    `<h3>Attachments</h3>`,
    `<p>\n  Close\n</p>`,
    `<p class="quiet">There are no notes.</p>`,
    `said.value = "The search failed";`,
    "said.value = `Page ${page} of the document`;",
  ])("find the text in %j", (source) => {
    expect(ownTexts(source)).not.toEqual([]);
  });

  it("find each file of a ring, and no file that only leads to or from it", () => {
    const sources = {
      "a.ts": `import { b } from "./b.ts";`,
      "b.ts": `import type { C } from "./c/c.ts";`,
      "c/c.ts": `const b = await import("../b.ts");\nimport { d } from "../d.ts";`,
      "d.ts": "",
    };
    const imports = Object.entries(sources).map(([file, source]) => [file, importsOf(file, source)] as const);
    expect(filesInRings(new Map(imports))).toEqual(["b.ts", "c/c.ts"]);
  });

  it.each([
    ["files/local.ts", `import { page } from "../http/pagination.ts";`],
    ["http/request/viewer.ts", `import {\n  type User,\n} from "../resources/users/store.ts";`],
    ["resources/users/store.ts", `export { a } from "../documents/store.ts";`],
    ["jobs/queue.ts", `import "../search/text-index.ts";`],
    ["app.ts", `const app = await import("./testing/test-app.ts");`],
    ["main.ts", `import { rows } from "../bench/rows.ts";`],
    ["tools/strings.ts", ""],
    ["resources/notes/routes.ts", `import { sql } from "kysely";`],
    ["search/query.ts", `import pg from "pg";`],
    ["context.ts", `import type { FastifyInstance } from "fastify";`],
    ["files/zip.ts", `import { spawn } from "node:child_process";`],
    ["config.ts", `export const port = process.env["PORT"];`],
    ["viewer/page.tsx", `import { parsePageSpec } from "../processing/page-spec.ts";`],
    ["contract/note.ts", `import type { Language } from "../texts/languages.ts";`],
    ["contract/note.ts", `import { Type } from "typebox";`],
    ["viewer/notes.tsx", `import { Note } from "../contract/note.ts";`],
    ["viewer/notes.tsx", `import { type Note } from "../contract/note.ts";`],
    ["web/routes.ts", `import { App } from "../viewer/app.tsx";`],
    ["web/home-page.ts", `import { render } from "preact";`],
  ])("forbid, in %s, %s", (file, source) => {
    expect(complaints(file, source)).toHaveLength(1);
  });

  it.each([
    ["main.ts", `import { serve } from "./commands/serve.ts";\nserve(process.env);`],
    ["commands/serve.ts", `// reads no process.env\nimport { app } from "../app.ts";`],
    [
      "resources/notes/store.ts",
      `import { sql } from "kysely";\nimport { a } from "../documents/access.ts";`,
    ],
    [
      "viewer/notes.tsx",
      `import type { Note } from "../contract/note.ts";\nimport { noteLimits } from "../contract/limits.ts";`,
    ],
    ["viewer/page.tsx", `import { useEffect } from "preact/hooks";\nimport { Notes } from "./notes.tsx";`],
    ["http/viewer.test.ts", `import { app } from "../app.ts";\nimport pg from "pg";`],
  ])("allow, in %s, %s", (file, source) => {
    expect(complaints(file, source)).toEqual([]);
  });
});
