import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { OpenApiDocument } from "../../src/http/schema/openapi-types.ts";
import { serveOn } from "../../src/testing/served.ts";

/*
 * node tests/schemathesis/run.ts [OPTION…]: serves an empty Quire on throwaway storage and lets schemathesis (PyPI) compare
 * its answers with its published document. Options are passed on, so that `--max-examples 50` looks deeper.
 * SCHEMATHESIS names the program, if it is not on the PATH.
 */

const program = process.env["SCHEMATHESIS"] ?? "schemathesis";
const main = path.join(import.meta.dirname, "../../src/main.ts");
const [username, password] = ["tester", "correct horse battery staple"];

/** schemathesis cannot write the bodies of tus: see published-uploads.test.ts. */
const parts = "^/uploads/tus/.";

/** Checks that say nothing about the document. */
const leftOut = [
  // Where the protocol tus wants 412, the check wants another status.
  "missing_required_header",
  // Like Django REST framework, Quire takes texts for numbers and booleans, and ignores most queries that it cannot read.
  "negative_data_rejection",
  // A valid request may be refused for the state of its object, such as a document that is being processed.
  "positive_data_acceptance",
  // Addresses of hidden objects answer 404 to those who may not see them.
  "ignored_auth",
];

const folder = await mkdtemp(path.join(tmpdir(), "quire-schemathesis-"));
try {
  process.exitCode = await run();
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function run(): Promise<number> {
  const data = path.join(folder, "data");
  // Nothing is processed, so no file is fetched from the addresses that schemathesis makes up.
  const idle = { QUIRE_PROCESSING_WORKERS: "0", QUIRE_UNFINISHED_UPLOADS: "1000" };
  await using server = await serveOn({ data, databaseUrl: null, jobLeaseSeconds: 60 }, idle);
  quire(data, ["user", "add", username, "--organization", "Harbour Press", "--admin", "--password-stdin"]);
  const token = quire(data, ["token", "add", username]).trim();
  const given = (await (await server.fetch("/api/schema/")).json()) as OpenApiDocument;
  const document = path.join(folder, "schema.json");
  await writeFile(document, JSON.stringify(withoutSelection(given)));
  // Personal tokens do not open the addresses of administrators. An access token is valid for five minutes. These
  // addresses do not say which methods they have, so that nobody else learns of them.
  const statuses = [
    await schemathesis(document, server.url, token, [
      "--exclude-path-regex",
      `^/api/admin/|${parts}`,
      "--exclude-checks",
      leftOut.join(),
    ]),
    await schemathesis(document, server.url, await accessToken(server.url), [
      "--include-path-regex",
      "^/api/admin/",
      "--exclude-checks",
      [...leftOut, "unsupported_method"].join(),
    ]),
  ];
  return Math.max(...statuses);
}

/** With `fields` and `omit`, members are missing that the document requires: it says so in words. */
function withoutSelection(document: OpenApiDocument): OpenApiDocument {
  for (const item of Object.values(document.paths))
    for (const operation of Object.values(item))
      operation.parameters = operation.parameters.filter(({ name }) => name !== "fields" && name !== "omit");
  return document;
}

/** Runs a command on the storage and returns what it prints. */
function quire(data: string, words: readonly string[]): string {
  const env = { ...process.env, QUIRE_DATA: data };
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], {
    env,
    input: `${password}\n`,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

async function accessToken(url: string): Promise<string> {
  const response = await fetch(`${url}/api/token/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username, password }),
  });
  return ((await response.json()) as { access: string }).access;
}

/** Runs the program and returns its exit code. */
async function schemathesis(
  document: string,
  url: string,
  token: string,
  options: readonly string[],
): Promise<number> {
  const words = ["run", document, "--url", url, "--header", `Authorization: Bearer ${token}`];
  const limits = [
    "--max-examples",
    "10",
    "--seed",
    "1",
    "--generation-database",
    "none",
    "--continue-on-failure",
  ];
  const checks = ["--checks", "all", "--suppress-health-check", "all"];
  const child = spawn(program, [...words, ...limits, ...checks, ...options, ...process.argv.slice(2)], {
    stdio: "inherit",
    cwd: folder,
  });
  const [status] = (await once(child, "exit")) as [number | null];
  return status ?? 1;
}
