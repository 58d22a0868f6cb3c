import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { addDocuments } from "../src/testing/factories.ts";
import { addPerson } from "../src/testing/people.ts";
import { startTestApp } from "../src/testing/test-app.ts";

const run = promisify(execFile);
const client = (name: string): string => fileURLToPath(new URL(`typed-client/${name}`, import.meta.url));
const compiler = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));

const compilerOptions = {
  target: "es2024",
  lib: ["es2024", "dom"],
  module: "nodenext",
  moduleResolution: "nodenext",
  types: ["node"],
  typeRoots: [fileURLToPath(new URL("../node_modules/@types", import.meta.url))],
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
};

it("compiles and runs with types generated from the schema", async () => {
  await using app = await startTestApp("sqlite");
  await addDocuments(app.context, [{}]);
  const person = await addPerson(app.context, { username: "mara", organizations: [1] });
  const folder = await mkdtemp(path.join(tmpdir(), "quire-types-"));
  try {
    const [schema, types, project] = ["schema.json", "quire-api.d.ts", "tsconfig.json"].map((name) =>
      path.join(folder, name),
    ) as [string, string, string];
    await writeFile(schema, await (await app.fetch("/api/schema/")).text());
    await run(process.execPath, [client("generate.ts"), schema, types]);
    const paths = { "quire-api": [types] };
    const files = [client("program.ts")];
    await writeFile(project, JSON.stringify({ compilerOptions: { ...compilerOptions, paths }, files }));
    const compiled = await run(process.execPath, [compiler, "--project", project]).catch(
      (error: { stdout: string }) => error,
    );
    expect(compiled.stdout).toBe("");
    const { authorization } = person.headers;
    const { stdout } = await run(process.execPath, [client("program.ts"), app.url, authorization]);
    expect(stdout).toMatch(/^done with \d+\n$/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
