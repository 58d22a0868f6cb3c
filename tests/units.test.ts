import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";

const units = ["quire.service", "quire-work.service"];

function textOf(name: string): Promise<string> {
  return readFile(path.join(import.meta.dirname, "../packaging/systemd", name), "utf8");
}

/** The lines of a unit of systemd, without those that differ by what it starts. */
async function linesOf(name: string): Promise<string[]> {
  const lines = (await textOf(name)).split("\n");
  return lines.filter((line) => !/^(#|Description=|After=|ExecStart=|ExecReload=)/.test(line));
}

describe("the unit of a worker", () => {
  it("has the user, the data and the sandbox of that of a server", async () => {
    expect(await linesOf("quire-work.service")).toEqual(await linesOf("quire.service"));
  });
});

// What they do is tried by npm run test:debian.
describe.each(units)("%s", (name) => {
  it("hides nothing in /proc, without which the kernel lets no program have a /proc of its own", async () => {
    const hiding =
      /^(ProtectKernelTunables|ProtectKernelLogs|ProtectHostname|ProtectProc|ProcSubset)=(?!no$|default$)/m;
    expect(await textOf(name)).not.toMatch(hiding);
  });
});
