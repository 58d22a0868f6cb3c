import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrationNames } from "../database/migrate.ts";
import { commitOfClone, versionText } from "./version.ts";

const commit = "0123456789abcdef0123456789abcdef01234567";

describe("the version", () => {
  let git: string;
  beforeEach(async () => {
    git = await mkdtemp(path.join(tmpdir(), "quire-version-"));
    await mkdir(path.join(git, "refs", "heads"), { recursive: true });
  });
  afterEach(() => rm(git, { recursive: true }));

  const write = (name: string, text: string): Promise<void> => writeFile(path.join(git, name), text);

  it("says the newest schema", async () => {
    expect(await versionText()).toMatch(/^\d+\.\d+\.\d+ \(.*schema .+\)$/);
    expect(await versionText()).toContain(`schema ${migrationNames.at(-1)}`);
  });

  it("says the commit of a clone, wherever git keeps it", async () => {
    expect(await commitOfClone(git)).toBeNull();
    await write("HEAD", `${commit}\n`);
    expect(await commitOfClone(git)).toBe(commit);
    await write("HEAD", "ref: refs/heads/main\n");
    expect(await commitOfClone(git)).toBeNull();
    await write("packed-refs", `# pack-refs with: peeled\n${commit} refs/heads/main\n`);
    expect(await commitOfClone(git)).toBe(commit);
    const later = commit.replace("0", "f");
    await write(path.join("refs", "heads", "main"), `${later}\n`);
    expect(await commitOfClone(git)).toBe(later);
    await write("HEAD", "ref: refs/heads/main/../../../../etc/passwd\n");
    expect(await commitOfClone(git)).toBeNull();
  });
});
