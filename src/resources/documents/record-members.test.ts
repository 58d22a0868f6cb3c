import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { engines, startTestApp } from "../../testing/test-app.ts";
import { recordColumns } from "./record-members.ts";

describe.each(engines)("the members of a record on %s", (engine) => {
  it("have every column of the table of documents except its revision", async () => {
    await using app = await startTestApp(engine);
    const { database } = app.context;
    const { rows } = await sql<{ name: string }>`${
      engine === "postgres"
        ? sql`select column_name as name from information_schema.columns
            where table_name = 'documents' and table_schema = current_schema()`
        : sql`select name from pragma_table_info('documents')`
    }`.execute(database.reader);
    const columns = rows.map(({ name }) => name).filter((name) => name !== "revision");
    expect(recordColumns.toSorted()).toEqual(columns.toSorted());
  });
});
