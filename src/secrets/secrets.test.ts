import { mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Secrets, type SigningKey } from "./secrets.ts";

const shown = (keys: readonly SigningKey[]): string[] =>
  keys.map(({ id, key }) => `${id} ${key.export().toString("hex")}`);

describe("the secrets in the data folder", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "quire-secrets-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("are created once, even by concurrent calls, and only their owner may read them", async () => {
    const opened = await Promise.all(Array.from({ length: 12 }, () => Secrets.open(folder, null)));
    opened.push(await Secrets.open(folder, null));
    expect(new Set(opened.map((secrets) => shown(secrets.keysFor("a")).join())).size).toBe(1);
    expect(await readdir(folder)).toEqual(["secret"]);
    expect((await stat(path.join(folder, "secret"))).mode & 0o777).toBe(0o600);
    expect(await readFile(path.join(folder, "secret"), "utf8")).toMatch(/^[\w-]{64}\n$/);
  });

  it("are one on each line, the first of which signs", async () => {
    const [one, other] = ["a".repeat(32), "b".repeat(32)];
    await writeFile(path.join(folder, "secret"), `${one}\n\n${other}\n`);
    const secrets = await Secrets.open(folder, null);
    expect(shown(secrets.keysFor("a"))).toEqual(shown(new Secrets([one, other]).keysFor("a")));
    expect(secrets.keysFor("a")[0].id).toBe(new Secrets([one]).keysFor("a")[0].id);
  });

  it("are refused if they are too short or missing", async () => {
    for (const text of ["", "short\n", `${"a".repeat(32)}\nshort\n`]) {
      await writeFile(path.join(folder, "secret"), text);
      await expect(Secrets.open(folder, null)).rejects.toThrow(/secret of 32 characters or more/);
    }
  });

  it("are not created if the setting gives them", async () => {
    await Secrets.open(folder, ["a".repeat(32)]);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("keys", () => {
  it("differ by purpose and by secret", () => {
    const secrets = new Secrets(["a".repeat(32), "b".repeat(32)]);
    const all = [...shown(secrets.keysFor("one purpose")), ...shown(secrets.keysFor("another"))];
    expect(new Set(all).size).toBe(4);
  });
});
