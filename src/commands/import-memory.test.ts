import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { readSource } from "../import/source-reader.ts";
import { useFolder } from "../testing/use-folder.ts";

const run = promisify(execFile);

/** Six times the records may need this many times the memory: the cache of the database fills up to its limit. */
const maxRatio = 1.65;

const printsPeak = `process.on("exit", () => process.stderr.write("peak " + process.resourceUsage().maxRSS + "\\n"))`;

const recordOf = (id: number): string =>
  `${JSON.stringify({
    id,
    access: "public",
    title: `Minutes ${id} of the council`,
    description: `Minutes number ${id} of the harbour council, with a few words`,
    slug: `minutes-${id}`,
    asset_url: "https://assets.example.org/",
    created_at: new Date(1.5e12 + id * 1000).toISOString(),
    updated_at: new Date(1.6e12 + id * 1000).toISOString(),
    data: { topic: [`t${id % 50}`] },
    page_count: 2,
    page_spec: "612.0x792.0:0-1",
    source: "Harbour council",
    status: "success",
    projects: [(id % 20) + 1],
    user: (id % 35) + 1,
    organization: (id % 10) + 1,
  })}\n`;

const records = (count: number): string =>
  Array.from({ length: count }, (_, id) => recordOf(id + 1)).join("");

describe("the memory of an import", () => {
  const folder = useFolder("import");
  /** The peak memory of the process of an import, in kilobytes. */
  async function peakOf(count: number): Promise<number> {
    const file = path.join(folder, `${count}.ndjson`);
    await writeFile(file, records(count));
    const main = path.join(import.meta.dirname, "../main.ts");
    const { stderr } = await run(
      process.execPath,
      [main, "import", file, "--data", path.join(folder, `data-${count}`)],
      { env: { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(printsPeak)}"` } },
    );
    expect(stderr).toContain(`${new Intl.NumberFormat("en").format(count)} documents in`);
    return Math.max(...[...stderr.matchAll(/peak (\d+)/g)].map(([, peak]) => Number(peak)));
  }

  it("hardly grows with the number of records", async () => {
    const small = await peakOf(10_000);
    expect((await peakOf(60_000)) / small).toBeLessThan(maxRatio);
  });

  it("holds batches of the same size, however many records there are", async () => {
    const largest: number[] = [];
    for (const count of [6000, 15_000]) {
      let max = 0;
      const options = { engine: "sqlite", ownAssets: "https://docs.example.org/files/" } as const;
      async function* chunks(): AsyncGenerator<Uint8Array> {
        for (let id = 1; id <= count; id += 500) {
          yield Buffer.from(Array.from({ length: 500 }, (_, index) => recordOf(id + index)).join(""));
        }
      }
      for await (const batch of readSource(chunks(), options)) {
        max = Math.max(max, "staged" in batch ? batch.ends.length : batch.length);
      }
      largest.push(max);
    }
    expect(largest).toEqual([5000, 5000]);
  });
});
