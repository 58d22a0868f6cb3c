import path from "node:path";
import { Readable } from "node:stream";
import { beforeAll, describe, expect, it } from "vitest";
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
import {
  type TestStorage,
  emptyStorage,
  engines,
  everyRoute,
  startAppOn,
  useApp,
} from "../testing/test-app.ts";
import { useFolder } from "../testing/use-folder.ts";
import { move } from "./move.ts";

const uuid = "0194c6f0-7c1e-4a5b-8d2e-000000000001";
const gone = "0194c6f0-7c1e-4a5b-8d2e-000000000002";

describe.each(engines)("the runs of add-ons in a copy of %s", (engine) => {
  const folder = useFolder("run-files");
  const app = useApp(engine, everyRoute);
  const mara = app.person("mara");
  beforeAll(async () => {
    const { database, files } = app.context;
    await addRunsWithFiles(database, mara.id, [uuid, gone]);
    // The file of the other run went meanwhile.
    await files.put(runFileKey(uuid, "a.csv"), Readable.from([Buffer.from("1,2,3")]));
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
