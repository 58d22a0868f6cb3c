import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

/**
 * The source tree from the ground up: a row for each folder or file. A folder stands for the files directly in it; with
 * "/**", for those below it as well. A file imports from its own unit and from the rows below, never from its own row
 * or above. That makes rings between units impossible. A new folder gets its row here first.
 */
const layers = [
  ["errors"],
  ["semaphore", "value-kinds"],
  ["config"],
  ["database/**", "files", "processing", "remote", "secrets"],
  ["processing/prune"],
  ["processing/pdfium"],
  ["processing/pdf"],
  ["processing/convert", "processing/ocr"],
  ["jobs", "search"],
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
  ["resources/users/credentials"],
  ["resources/projects"],
  ["resources/documents"],
  ["resources/documents/pages"],
  ["resources/documents/list"],
  ["resources/documents/files"],
  ["resources/documents/record"],
  ["resources/documents/search"],
  ["resources/documents/processing"],
  ["resources/documents/rewriting"],
  ["resources/documents/uploads"],
  ["resources/documents/routes"],
  [
    "resources/entities",
    "resources/memberships",
    "resources/notes",
    "resources/sections",
    "resources/searches",
  ],
  ["resources/unsupported", "resources/embeds", "resources/statistics"],
  ["import", "web"],
  ["app", "worker"],
  ["commands"],
  ["main"],
  ["testing"],
];

const reserved = [
  {
    what: /^kysely(\/|$)/,
    where: /^(database|jobs|search)\/|^testing\/|^resources\/[\w/]+\/([\w-]*store|access)\.ts$/,
  },
  { what: /^(pg|node:sqlite)$/, where: /^(database|testing)\// },
  { what: /^@?fastify(\/|$)/, where: /^app\.ts$|^(http|web)\/|routes\.ts$/ },
  {
    what: /^(node:)?(child_process|worker_threads|cluster)$/,
    where: /^(database|processing|testing)\/|^commands\/background-/,
  },
  { what: /^process\.env$|^(node:)?process$/, where: /^main\.ts$|^testing\// },
];

/** What is wrong with a file, a sentence each. Paths are below src/. Tests may use what they like. */
function complaints(file: string, source: string): string[] {
  if (file.endsWith(".test.ts")) return [];
  if (layerOf(file) < 0) return [`${file} has no place in the layers`];
  return uses(source).flatMap((name) => {
    if (!name.startsWith(".")) {
      const isMisplaced = reserved.some((rule) => rule.what.test(name) && !rule.where.test(file));
      return isMisplaced ? [`${file} may not use ${name}`] : [];
    }
    const target = path.posix.join(file, "..", name);
    const isInside = unitOf(target) === unitOf(file);
    const isBelow = layerOf(target) >= 0 && layerOf(target) < layerOf(file);
    return isInside || isBelow || !target.endsWith(".ts") ? [] : [`${file} may not import ${target}`];
  });
}

/** The modules that a source imports, in whatever way, and `process.env` when it is read. */
function uses(source: string): string[] {
  const code = source.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, "");
  const imports = /^(?:import|export)\b[^;"]*\bfrom\s*"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"/gm;
  const names = [...code.matchAll(imports)].map((match) => match[1] ?? match[2] ?? "");
  return /\bprocess\.env\b/.test(code) ? [...names, "process.env"] : names;
}

/** The unit of a file: the file itself where it has a row, or else its folder. */
function unitOf(file: string): string {
  const name = file.replace(/\.ts$/, "");
  const units = layers.flat();
  const tree = units.find((unit) => unit.endsWith("/**") && file.startsWith(unit.slice(0, -2)));
  return units.includes(name) ? name : (tree ?? path.posix.dirname(file));
}

function layerOf(file: string): number {
  return layers.findIndex((units) => units.includes(unitOf(file)));
}

const maxFilesInFolder = 25;

describe("the source tree", () => {
  it("keeps the rules of who may import whom", () => {
    const files = globSync("**/*.ts", { cwd: "src" });
    expect(files).toContain("errors.ts");
    expect(files.flatMap((file) => complaints(file, readFileSync(path.join("src", file), "utf8")))).toEqual(
      [],
    );
  });

  it(`has no folder with more than ${maxFilesInFolder} source files`, () => {
    const files = globSync("**/*.ts", { cwd: "src" }).filter((file) => !/\.test\.ts$|^testing\//.test(file));
    const sizes = Map.groupBy(files, (file) => path.posix.dirname(file));
    expect(
      [...sizes].filter(([, { length }]) => length > maxFilesInFolder).map(([folder]) => folder),
    ).toEqual([]);
  });
});

describe("the rules", () => {
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
    ["http/viewer.test.ts", `import { app } from "../app.ts";\nimport pg from "pg";`],
  ])("allow, in %s, %s", (file, source) => {
    expect(complaints(file, source)).toEqual([]);
  });
});
