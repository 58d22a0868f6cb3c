import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { addDocuments } from "../testing/factories.ts";
import { plainly, schemaOf, settingsOf } from "../testing/schemas.ts";
import { emptyStorage, engines, testStorage } from "../testing/test-app.ts";
import { migrationNames } from "./migrate.ts";
import { openDatabase } from "./open-database.ts";

describe.each(engines)("the schema on %s", (engine) => {
  it("is created in an empty database and is unchanged when it is opened again", async () => {
    await using storage = await emptyStorage(engine);
    const first = await openDatabase(settingsOf(storage));
    await addDocuments({ database: first }, [{ title: "Kept" }]);
    await first.close();
    const made = await schemaOf(storage);
    expect(made.join("\n")).toContain("documents_by_title");
    for (let time = 0; time < 2; time++) {
      const again = await openDatabase(settingsOf(storage));
      expect(await again.reader.selectFrom("documents").select("title").execute()).toEqual([
        { title: "Kept" },
      ]);
      await again.close();
    }
    expect(await schemaOf(storage)).toEqual(made);
  });

  it("is created completely or not at all", async () => {
    await using storage = await emptyStorage(engine);
    // Conflicts with a table that is made after others.
    await plainly(storage, "create table document_data (in_the_way text)");
    const before = await schemaOf(storage);
    for (let time = 0; time < 2; time++)
      await expect(openDatabase(settingsOf(storage))).rejects.toThrow("could not be brought up to date");
    expect(await schemaOf(storage)).toEqual(before);
    await plainly(storage, "drop table document_data");
    const database = await openDatabase(settingsOf(storage));
    expect(await addDocuments({ database }, [{}])).toEqual([1]);
    await database.close();
  });

  it("is made although a newer Quire has added to the database", async () => {
    await using storage = await emptyStorage(engine);
    await using other = await testStorage(engine);
    await plainly(
      storage,
      "create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)",
      "insert into kysely_migration values ('9999-add-future', '2020')",
    );
    for (let time = 0; time < 2; time++) await (await openDatabase(settingsOf(storage))).close();
    expect(await schemaOf(storage)).toEqual(await schemaOf(other));
    const names = await plainly(storage, "select name from kysely_migration order by name");
    expect(names).toEqual([...migrationNames, "9999-add-future"]);
  });

  it("is made once by several processes that start at once", async () => {
    await using storage = await emptyStorage(engine);
    const open = `const { openDatabase } = await import(${JSON.stringify(import.meta.resolve("./open-database.ts"))});
      const database = await openDatabase(${JSON.stringify(settingsOf(storage))});
      await database.ping();
      await database.close();`;
    const starts = Array.from({ length: 3 }, () =>
      promisify(execFile)(process.execPath, ["--input-type=module", "--eval", open]),
    );
    const ends = await Promise.allSettled(starts);
    expect(ends.filter(({ status }) => status === "rejected")).toEqual([]);
    const database = await openDatabase(settingsOf(storage));
    expect(await addDocuments({ database }, [{}])).toEqual([1]);
    await database.close();
  });
});
