import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";

/** The lines of a unit of systemd, without those that differ by what it starts. */
async function linesOf(name: string): Promise<string[]> {
  const text = await readFile(path.join(import.meta.dirname, "../packaging/systemd", name), "utf8");
  return text.split("\n").filter((line) => !/^(#|Description=|After=|ExecStart=|ExecReload=)/.test(line));
}

describe("the unit of a worker", () => {
  it("has the user, the data and the sandbox of that of a server", async () => {
    expect(await linesOf("quire-work.service")).toEqual(await linesOf("quire.service"));
  });
});
