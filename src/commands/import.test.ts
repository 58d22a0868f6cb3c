import { EventEmitter } from "node:events";
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Readable, Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Config, readConfig } from "../config.ts";
import { startAppOn } from "../testing/test-app.ts";
import { addAccount } from "../testing/people.ts";
import { buildBrokenPdf, buildPdf } from "../testing/pdf.ts";
import { exportDocuments } from "./export.ts";
import { importDocuments } from "./import.ts";
import { run } from "./run.ts";

class Output extends Writable {
  text = "";
  onWrite: (() => void) | undefined;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    this.onWrite?.();
    done();
  }
}

const record = (id: number): string => `${JSON.stringify({ id, title: `Number ${id}`, access: "public" })}\n`;

async function* asBytes(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text);
}

/** Endless records, a thousand at a time. */
async function* recordsUntil(last: number, atLast: () => Promise<void>): AsyncGenerator<string> {
  for (let first = 1; ; first += 1000) {
    if (first > last) await atLast();
    yield Array.from({ length: 1000 }, (_, index) => record(first + index)).join("");
  }
}

function configOf(environment: Record<string, string>): Config {
  const read = readConfig(environment);
  if ("problems" in read) throw new Error(read.problems.join());
  return read.config;
}

describe("import and export on the command line", () => {
  let folder: string;
  let signals: EventEmitter;
  let keeper: number;
  const at = (...names: string[]): string => path.join(folder, ...names);

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "quire-commands-"));
    signals = new EventEmitter();
    keeper = await addAccount({ QUIRE_DATA: at("data") }, "keeper");
  });

  afterEach(() => rm(folder, { recursive: true }));

  async function quire(args: string[], input: Iterable<string> | AsyncIterable<string> = []) {
    const stdout = new Output();
    const stderr = new Output();
    const code = await run([importDocuments, exportDocuments], {
      args,
      environment: { QUIRE_DATA: at("data"), QUIRE_URL: "https://docs.example.org" },
      stdin: Readable.from(asBytes(input), { highWaterMark: 1 }),
      stdout,
      stderr,
      signals,
      version: () => Promise.resolve("1.2.3"),
      nowMilliseconds: () => 0,
      exit: () => undefined,
    });
    return { code, stdout: stdout.text, stderr: stderr.text.replaceAll(`${folder}/`, "") };
  }

  it("import what can be imported, report the rest, and end with 1 if something failed", async () => {
    await mkdir(at("inbox"));
    await writeFile(at("inbox", "good.pdf"), buildPdf({ pages: [{ width: 612, height: 792 }] }));
    await writeFile(at("inbox", "bad.pdf"), buildBrokenPdf());
    await writeFile(at("inbox", "notes.md"), "x");
    await writeFile(at("records.ndjson"), `${record(7)}nonsense\n`);
    const first = await quire(["import", at("inbox"), at("records.ndjson"), at("absent")]);
    expect({ code: first.code, stdout: first.stdout }).toEqual({ code: 1, stdout: "" });
    expect(first.stderr.split("\n")).toEqual([
      "inbox/notes.md: skipped, not a kind of file that can be a document (.md)",
      "absent: cannot be opened (ENOENT)",
      "inbox/bad.pdf: broken: its structure cannot be made out",
      expect.stringMatching(/^records.ndjson, line 2: not JSON: /),
      "2 documents in, 1 skipped (1 .md), 3 failed",
      "",
    ]);
    const { code, stderr } = await quire(["import", at("inbox", "good.pdf"), "-"], [record(7), record(8)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "1 document in, 2 known already\n" });
  });

  it("keep where files of a folder were, also a second place, and write what became of each", async () => {
    await mkdir(at("Council", "2024", "copies"), { recursive: true });
    const pdf = buildPdf({ pages: [{ width: 612, height: 792 }] });
    await writeFile(at("Council", "2024", "minutes.pdf"), pdf);
    await writeFile(at("Council", "2024", "copies", "again.pdf"), pdf);
    await writeFile(at("Council", "=bad.exe"), "x");
    await writeFile(at("Council", ".hidden"), "x");
    const { stderr } = await quire(["import", at("Council"), "--report", at("report.csv")]);
    expect(stderr.split("\n")).toEqual([
      "Council/.hidden: skipped, hidden",
      "Council/=bad.exe: skipped, not a kind of file that can be a document (.exe)",
      "Council/2024/minutes.pdf: the same file as document 1, which has both paths now",
      "1 document in, 1 known already, 2 skipped (1 .exe, 1 hidden)",
      "Progress and results: https://docs.example.org/imports/1/",
      "",
    ]);
    const [exported = ""] = (await quire(["export"])).stdout.split("\n");
    const { data, title } = JSON.parse(exported) as { data: unknown; title: string };
    const paths = ["Council/2024/copies/again.pdf", "Council/2024/minutes.pdf"];
    expect([title, data]).toEqual(["again", { path: paths }]);
    const report = (await readFile(at("report.csv"), "utf8")).replaceAll(`${folder}/`, "");
    expect(report.split("\r\n")).toEqual([
      "path,outcome,document,reason",
      "Council/.hidden,skipped,,hidden",
      "Council/=bad.exe,skipped,,not a kind of file that can be a document (.exe)",
      "Council/2024/copies/again.pdf,added,1,",
      "Council/2024/minutes.pdf,known,1,",
      "",
    ]);
    const again = await quire(["import", at("Council")]);
    expect(again.stderr).toContain("0 documents in, 2 known already");
    expect(again.stderr).not.toContain("both paths");
  });

  it("write the records of all documents, to the output or to a file that is complete or does not exist", async () => {
    await quire(["import", "-"], [record(2), record(1)]);
    const { code, stdout, stderr } = await quire(["export"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "2 documents out\n" });
    const [first, second] = stdout.split("\n");
    expect(JSON.parse(first ?? "")).toMatchObject({
      id: 1,
      asset_url: "https://docs.example.org/files/",
      canonical_url: "https://docs.example.org/documents/1-number-1/",
    });
    expect(JSON.parse(second ?? "")).toMatchObject({ id: 2, title: "Number 2", status: "nofile" });
    expect(await quire(["export", "--output", at("all.ndjson")])).toEqual({ code: 0, stdout: "", stderr });
    expect(await readFile(at("all.ndjson"), "utf8")).toBe(stdout);
    expect((await readdir(folder)).toSorted()).toEqual(["all.ndjson", "data"]);
    const refused = await quire(["export", "--output", at("absent", "all.ndjson")]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("ENOENT") as string });
  });

  it("reproduce the same bytes in another database", async () => {
    await writeFile(at("a.pdf"), buildPdf({ pages: [{ width: 612, height: 792 }] }));
    await quire(["import", at("a.pdf"), "-"], [record(70)]);
    const exported = (await quire(["export"])).stdout;
    await rm(at("data"), { recursive: true });
    await addAccount({ QUIRE_DATA: at("data") }, "keeper");
    expect(await quire(["import", "-"], [exported])).toMatchObject({ code: 0 });
    expect((await quire(["export"])).stdout).toBe(exported);
    expect(exported.split("\n")).toHaveLength(3);
  });

  function countDocuments(): number {
    using database = new DatabaseSync(at("data/quire.sqlite"), { readOnly: true });
    return Number(database.prepare("select count(*) as count from documents").get()?.["count"]);
  }

  it("stop at Ctrl-C with what has been imported, and report it", async () => {
    const { code, stderr } = await quire(
      ["import", "-"],
      recordsUntil(30_000, async () => {
        await expect.poll(countDocuments, { timeout: 240_000 }).toBeGreaterThan(0);
        signals.emit("SIGINT", "SIGINT");
      }),
    );
    expect(code).toBe(130);
    // On a busy machine, lines of progress come before it.
    const [, reported = ""] =
      /^(?:[\d,]+ documents.*\n)*StoppedError: ([\d,]+) documents in\n$/.exec(stderr) ?? [];
    const imported = Number(reported.replaceAll(",", ""));
    // The last records of the input do not arrive before the signal.
    expect(imported).toBeGreaterThan(0);
    expect(imported).toBeLessThan(30_000);
    expect((await quire(["export"])).stdout.split("\n")).toHaveLength(imported + 1);
  });

  it("refuse an owner who does not exist before anything is imported", async () => {
    await writeFile(at("a.pdf"), buildPdf({ pages: [{ width: 612, height: 792 }] }));
    for (const [option, id] of [
      ["--user", "5"],
      ["--organization", "6"],
      ["--project", "7"],
    ] as const) {
      const { code, stderr } = await quire(["import", at("a.pdf"), option, id]);
      expect(code).toBe(1);
      expect(stderr).toBe(`0 documents in\nquire: There is no ${option.slice(2)} ${id}\n`);
    }
    expect((await quire(["export"])).stdout).toBe("");
  });

  const records = async () =>
    (await quire(["export"])).stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it("publish no file without --access, and give it to the only user who can sign in", async () => {
    await writeFile(at("a.pdf"), buildPdf({ pages: [{ width: 612, height: 792 }] }));
    expect(await quire(["import", at("a.pdf")])).toMatchObject({ code: 0 });
    expect(await records()).toMatchObject([{ access: "private", language: "eng", user: keeper }]);
  });

  it("require an owner if nobody or several can sign in, except for records that name their own", async () => {
    await writeFile(at("a.pdf"), buildPdf({ pages: [{ width: 612, height: 792 }] }));
    const owned = JSON.stringify({ id: 77, title: "x", user: 9, organization: 9 });
    const other = await addAccount({ QUIRE_DATA: at("data") }, "other");
    const several = await quire(["import", at("a.pdf"), "-"], [owned]);
    expect(several).toMatchObject({
      code: 1,
      stderr:
        "0 documents in\nquire: 2 users can sign in. Name the owner of the documents with --user; " +
        "quire user list shows the users, and quire user add makes one\n",
    });
    expect(await records()).toEqual([]);
    expect(await quire(["import", at("a.pdf"), "-", "--user", "other"], [owned])).toMatchObject({ code: 0 });
    expect((await records()).map(({ user }) => user)).toEqual([other, 9]);

    await rm(at("data"), { recursive: true });
    const nobody = await quire(["import", at("a.pdf")]);
    expect(nobody).toMatchObject({
      code: 1,
      stderr:
        "0 documents in\nquire: Nobody can sign in yet who could own the documents. " +
        "Make an account with quire user add, or name an owner with --user\n",
    });
    expect(await quire(["import", "-"], [owned])).toMatchObject({ code: 0 });
    expect(await quire(["import", "-"], [record(2)])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Nobody can sign in yet") as string,
    });
  });

  it("apply options to a known file, or report what they refuse", async () => {
    await writeFile(at("a.pdf"), buildPdf({ pages: [{ width: 612, height: 792 }] }));
    const other = await addAccount({ QUIRE_DATA: at("data") }, "other");
    const given = (...options: string[]) => quire(["import", at("a.pdf"), ...options]);
    expect(await given("--access", "public", "--user", "keeper")).toMatchObject({ code: 0 });
    const again = await given("--access", "private", "--user", String(other));
    expect(again).toMatchObject({ code: 0, stderr: "0 documents in, 1 brought up to date\n" });
    expect(await records()).toMatchObject([{ access: "private", user: other }]);
    const refused = await given("--access", "public", "--user", "other");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /^a\.pdf: document \d+ of this file stays private, not public: .*\n0 documents in, 1 failed\n$/,
    );
    expect(await records()).toMatchObject([{ access: "private", user: other }]);
  });

  it("create an account for an owner without one, and refuse a disabled one", async () => {
    await writeFile(at("a.pdf"), buildPdf({ pages: [{ width: 612, height: 792 }] }));
    const made = await quire(["import", at("a.pdf"), "--user", "archive"]);
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining("1 document in\n") as string });
    const [, token = ""] =
      /^With this link, archive can set a password.*\n.*token=(\S+)\n$/.exec(made.stdout) ?? [];
    const password = "a keeper of old papers";
    await using app = await startAppOn(configOf({ QUIRE_DATA: at("data") }));
    const body = new URLSearchParams({ token, password, repeated: password });
    expect((await app.fetch("/set-password/", { method: "POST", body })).status).toBe(200);
    const signedIn = await app.fetch("/api/token/", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "archive", password }),
    });
    expect(signedIn.status).toBe(200);
    expect(await quire(["import", at("a.pdf"), "--user", "archive"])).toEqual({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("0 documents in, 1 known already\n") as string,
    });
    const { database } = app.context;
    await database.write((writer) =>
      writer.updateTable("users").set({ is_active: false }).where("username", "=", "archive").execute(),
    );
    const refused = await quire(["import", at("a.pdf"), "--user", "archive"]);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("archive is disabled") as string,
    });
  });

  it("refuse --access for records, which have their own", async () => {
    const { code, stderr } = await quire(["import", "-", "--access", "private"], [record(1)]);
    expect(code).toBe(1);
    expect(stderr).toContain("--access is for files: records have their own");
    const withProject = await quire(["import", "-", "--project", "7"], [record(1)]);
    expect(withProject.code).toBe(1);
    expect(withProject.stderr).toContain("--project is for files: records have their own");
    expect(await records()).toEqual([]);
  });

  it("give files to the chosen owner", async () => {
    const owned = { id: 1, title: "x", user: { id: 5, username: "maria" }, organization: 6, projects: [7] };
    await quire(["import", "-"], [JSON.stringify(owned)]);
    await writeFile(at("a.pdf"), buildPdf({ pages: [{ width: 612, height: 792 }] }));
    const options = [
      "--user",
      "maria",
      "--organization",
      "6",
      "--project",
      "7",
      "--access",
      "private",
      "--language",
      "fra",
    ];
    expect(await quire(["import", at("a.pdf"), ...options])).toMatchObject({ code: 0 });
    const [, line = ""] = (await quire(["export"])).stdout.split("\n");
    expect(JSON.parse(line)).toMatchObject({
      user: 5,
      organization: 6,
      projects: [7],
      access: "private",
      language: "fra",
    });
  });

  it("accept only existing languages and levels of access", async () => {
    const { code, stderr } = await quire(["import", "-", "--language", "xx", "--access", "invisible"]);
    expect(code).toBe(2);
    expect(stderr).toContain('--language="xx": expected the code of a language, such as eng, fra or deu');
    expect(stderr).toContain('--access="invisible": expected one of public, organization, private');
  });
});
