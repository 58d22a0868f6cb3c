import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { namingFullFolder } from "../errors.ts";
import { failureText } from "./failure.ts";

const data = "/srv/quire/data";
const full = (where?: string): Error =>
  Object.assign(new Error("ENOSPC: no space left on device, write"), {
    code: "ENOSPC",
    ...(where !== undefined && { path: where }),
  });
const text = (thrown: unknown): string => failureText(thrown, { withStacks: false, data });

describe("what is said about a full disk", () => {
  it("names the folder and what to free", () => {
    expect(text(full("/mnt/backups"))).toBe(
      "quire: /mnt/backups: the disk is full (ENOSPC)\n" +
        "  Free space there. The --keep options of quire backup remove old backups.\n",
    );
    expect(text(full(path.join(data, "files")))).toMatch(
      /^quire: \/srv\/quire\/data\/files: the disk is full \(ENOSPC\)\n {2}Free space there\. QUIRE_PAGE_IMAGES_MB limits/,
    );
    expect(text(full(tmpdir()))).toContain("or name another folder for temporary files with TMPDIR");
    expect(text(new Error("copying failed", { cause: full("/srv/quire/database") }))).toContain("--keep");
  });

  it("names the data folder if the database is full", () => {
    const error = Object.assign(new Error("database or disk is full"), { errcode: 13 });
    expect(text(error)).toMatch(
      /^quire: database or disk is full\n {2}Free space on the disk of \/srv\/quire\/data, or with PostgreSQL/,
    );
  });

  it("is nothing about other failures", () => {
    expect(text(new Error("no"))).toBe("quire: no\n");
    expect(text(full())).toBe("quire: ENOSPC: no space left on device, write\n");
  });
});

describe("the folder of a full disk", () => {
  it("is given to an error that names no file, and to no other", () => {
    expect(namingFullFolder(full(), "/mnt/a")).toMatchObject({ path: "/mnt/a" });
    expect(namingFullFolder(full("/mnt/b"), "/mnt/a")).toMatchObject({ path: "/mnt/b" });
    expect(namingFullFolder(new Error("no"), "/mnt/a")).not.toHaveProperty("path");
  });
});
