import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";

/** A folder that the tests of a `describe` share. It is there at once, and is removed after them. */
export function useFolder(name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), `quire-${name}-`));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
