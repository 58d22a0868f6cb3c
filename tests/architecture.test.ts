import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

/**
 * What src is made of, from the ground up. A file imports from its own folder and from rows below, never from its own
 * row or above: so there are no rings, and nothing imports what is for tests. Something new gets a place here first.
 */
const layers = [
  ["errors"],
  ["semaphore", "value-kinds"],
  ["config"],
  ["database", "files", "processing", "remote", "secrets"],
  ["jobs", "search"],
  ["http"],
  ["context"],
  ["resources/organizations"],
  ["resources/users"],
  ["resources/projects"],
  ["resources/documents"],
  [
    "resources/entities",
    "resources/memberships",
    "resources/notes",
    "resources/sections",
    "resources/searches",
  ],
  ["resources/absent", "resources/embeds", "resources/statistics"],
  ["import", "web"],
  ["app", "worker"],
  ["commands"],
  ["main"],
  ["testing"],
];

const reserved = [
  {
    what: /^kysely(\/|$)/,
    where: /^(database|jobs|search)\/|^testing\/|^resources\/\w+\/([\w-]*store|access)\.ts$/,
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

/** The folder or file directly below src that a file belongs to; of resources, the one resource. */
function unitOf(file: string): string {
  return /^resources\/[^/]+|^[^/]+?(?=\/|\.ts$)/.exec(file)?.[0] ?? file;
}

function layerOf(file: string): number {
  return layers.findIndex((units) => units.includes(unitOf(file)));
}

describe("the source tree", () => {
  it("keeps the rules of who may import whom", () => {
    const files = globSync("**/*.ts", { cwd: "src" });
    expect(files).toContain("errors.ts");
    expect(files.flatMap((file) => complaints(file, readFileSync(path.join("src", file), "utf8")))).toEqual(
      [],
    );
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
