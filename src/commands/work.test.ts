import { EventEmitter } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable, Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addAccount } from "../testing/people.ts";
import { buildPdf } from "../testing/pdf.ts";
import { exportDocuments } from "./export.ts";
import { importDocuments } from "./import.ts";
import { run } from "./run.ts";
import { work } from "./work.ts";

class Output extends Writable {
  text = "";
  isTTY = false;
  columns = 200;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

const a4 = "595.28x841.89:0";
const page = { width: 612, height: 792, lines: ["The harbour master counts ships"] };

describe("work", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "quire-work-"));
    await addAccount({ QUIRE_DATA: path.join(folder, "data") }, "keeper");
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function quire(args: string[], { isTTY = false, signals = new EventEmitter() } = {}) {
    const [stdout, stderr] = [new Output(), new Output()];
    stderr.isTTY = isTTY;
    const code = await run([importDocuments, exportDocuments, work], {
      args,
      environment: { QUIRE_DATA: path.join(folder, "data"), QUIRE_LOG_LEVEL: "silent" },
      stdin: Readable.from([]),
      stdout,
      stderr,
      signals,
      version: () => Promise.resolve("1.2.3"),
      nowMilliseconds: () => 0,
      exit: () => undefined,
    });
    return { code, stdout: stdout.text, stderr: stderr.text };
  }

  /** The page count of a file of another type is known once it has been converted to PDF. */
  const sizesOfPages = async (): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await quire(["export"])).stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { title: string; page_spec: string })
        .map(({ title, page_spec }) => [title, page_spec]),
    );

  it("runs the queued jobs and ends, with a progress bar", async () => {
    await writeFile(
      path.join(folder, "One.pdf"),
      buildPdf({ pages: Array.from({ length: 40 }, () => page) }),
    );
    await writeFile(path.join(folder, "Two.txt"), "Herring, by month");
    await writeFile(path.join(folder, "Three.csv"), "a,b\n1,2\n");
    const names = ["One.pdf", "Two.txt", "Three.csv"].map((name) => path.join(folder, name));
    expect(await quire(["import", ...names])).toMatchObject({ code: 0 });
    expect(await sizesOfPages()).toMatchObject({ Three: "", Two: "" });
    const ended = await quire(["work", "--until-done"], { isTTY: true });
    expect(ended).toMatchObject({ code: 0, stdout: "" });
    expect(ended.stderr).toMatch(/\[[#-]{12}\] {2}\d of \d jobs/);
    expect(ended.stderr).toMatch(/\d jobs done\n$/);
    expect(await sizesOfPages()).toEqual({ One: "612.00x792.00:0-39", Three: a4, Two: a4 });
  });

  it("ends at once if the queue is empty, and says so", async () => {
    const ended = await quire(["work", "--until-done"]);
    expect(ended).toEqual({ code: 0, stdout: "", stderr: "0 jobs done\n" });
  });

  it("says when it is done, without a bar, if stderr is not a terminal", async () => {
    await writeFile(path.join(folder, "Two.txt"), "Herring, by month");
    await quire(["import", path.join(folder, "Two.txt")]);
    const ended = await quire(["work", "--until-done"]);
    expect(ended).toEqual({ code: 0, stdout: "", stderr: "1 job done\n" });
  });
});
