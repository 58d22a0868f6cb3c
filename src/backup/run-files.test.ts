import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFilesAt } from "../files/open-files.ts";
import { runFileKey } from "../resources/addons/run-files.ts";
import { addRunsWithFiles } from "../testing/addon-runs.ts";
import {
  addBackup,
  differencesIn,
  never,
  openRepository,
  restoreTo,
  silentProgress,
} from "../testing/backups.ts";
import { addDocuments } from "../testing/factories.ts";
import { type Person, addPerson } from "../testing/people.ts";
import {
  type TestApp,
  type TestStorage,
  emptyStorage,
  engines,
  everyRoute,
  startAppOn,
  startTestApp,
} from "../testing/test-app.ts";
import { move } from "./move.ts";

const uuid = "0194c6f0-7c1e-4a5b-8d2e-000000000001";
const gone = "0194c6f0-7c1e-4a5b-8d2e-000000000002";

describe.each(engines)("the runs of add-ons in a copy of %s", (engine) => {
  let folder: string;
  let app: TestApp;
  let mara: Person;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "quire-run-files-"));
    app = await startTestApp(engine, everyRoute);
    const { database, files } = app.context;
    await addDocuments(app.context, []);
    mara = await addPerson(app.context, { username: "mara" });
    await addRunsWithFiles(database, mara.id, [uuid, gone]);
    // The file of the other run went meanwhile.
    await files.put(runFileKey(uuid, "a.csv"), Readable.from([Buffer.from("1,2,3")]));
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  async function expectWhole(storage: TestStorage): Promise<void> {
    await using copy = await startAppOn({ ...storage.config, addonRunner: "true" });
    const ask = (target: string) => copy.fetch(target, { headers: mara.headers });
    const file = await ask(`/files/addon-runs/${uuid}/`);
    expect([file.status, await file.text()]).toEqual([200, "1,2,3"]);
    expect((await ask(`/files/addon-runs/${gone}/`)).status).toBe(404);
    for (const [target, count] of [
      ["addons", 1],
      ["addon_events", 1],
      ["addon_runs", 2],
    ] as const) {
      const { results } = (await (await ask(`/api/${target}/`)).json()) as { results: unknown[] };
      expect([target, results.length]).toEqual([target, count]);
    }
  }

  it("are restored from a backup with their files", async () => {
    const repository = await openRepository(app.context.config, { folder });
    const { manifest, faults } = await addBackup(app.context, repository);
    expect([faults, manifest.files.rows]).toEqual([[], 1]);
    expect(await differencesIn(repository, manifest)).toEqual([]);
    expect((await addBackup(app.context, repository)).newFiles).toBe(0);
    await using storage = await emptyStorage(engine);
    expect(await restoreTo(storage, repository)).toEqual([]);
    await expectWhole(storage);
  });

  it("are moved with their files", async () => {
    await using storage = await emptyStorage(engine);
    const { data, databaseUrl } = storage.config;
    const files = await openFilesAt(storage.config, { folder: path.join(data, "files") });
    const target = { database: { dataFolder: data, databaseUrl }, files, secretFolder: data };
    const { files: moved } = await move(app.context, target, { signal: never, progress: silentProgress });
    expect(moved).toEqual({ count: 1, bytes: 5 });
    await expectWhole(storage);
  });
});
