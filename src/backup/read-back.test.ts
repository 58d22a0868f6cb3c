import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LocalFileStore } from "../files/local-file-store.ts";
import { bytesOf, never, objectKeys } from "../testing/backups.ts";
import { runs } from "../testing/runs.ts";
import { sha256Of } from "./hashes.ts";
import { RepositoryObjects } from "./objects.ts";
import { findDamage, readBack } from "./read-back.ts";
import { Repository } from "./repository.ts";

describe("reading back", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "quire-read-back-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function repositoryWith(texts: readonly string[]): Promise<Repository> {
    const repository = await Repository.open(
      await LocalFileStore.open(await mkdtemp(path.join(folder, "r"))),
    );
    for (const text of texts)
      await repository.putObject(repository.objectKey("files", sha256Of(text)), bytesOf(text));
    return repository;
  }

  it("reads every object in as many runs as the share says, and says since when all have been read", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 100 }),
        fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 20 }),
        async (percent, texts) => {
          const repository = await repositoryWith(texts);
          using objects = await RepositoryObjects.list(repository, never);
          const options = { percent, signal: never, progress: () => undefined };
          const inRun = Math.ceil((256 * percent) / 100);
          const needed = Math.ceil(256 / inRun);
          const before = new Date().toISOString();
          let read = 0;
          for (let run = 1; run <= needed; run++) {
            const outcome = await readBack(repository, objects, options);
            read += outcome.read;
            expect(outcome.damaged).toEqual([]);
            expect(outcome.allSince === null).toBe(run < needed);
            expect((outcome.allSince ?? before) >= before).toBe(true);
          }
          expect(read).toBeGreaterThanOrEqual(texts.length);
        },
      ),
      { numRuns: runs(10) },
    );
  });

  it("notes each object whose content is wrong", async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `text ${index}`);
    const repository = await repositoryWith(texts);
    const wrong = (await objectKeys(repository, "files")).filter((_, index) => index % 3 === 0);
    for (const key of wrong) await repository.store.put(key, bytesOf("text x"));
    using objects = await RepositoryObjects.list(repository, never);
    const options = { percent: 100, signal: never, progress: () => undefined };
    const { read, damaged } = await readBack(repository, objects, options);
    expect([read, damaged.toSorted()]).toEqual([40, wrong]);
    expect([...(await findDamage(repository)).objects].toSorted()).toEqual(wrong);
  });
});
