import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { describingNames } from "../../contract/describing-fields.ts";
import { addDocuments } from "../../testing/factories.ts";
import { engines, startTestApp } from "../../testing/test-app.ts";
import { addDescribingColumn } from "./event-statements.ts";

describe.each(engines)("the events of a document on %s", (engine) => {
  it("tell of a change of each text that describes it, also of one that is added", async () => {
    await using app = await startTestApp(engine);
    const [id = 0] = await addDocuments(app.context, [{}]);
    const { database } = app.context;
    await database.write(async (writer) => {
      const expectEvent = async (column: string, value: string): Promise<void> => {
        await sql`delete from events`.execute(writer);
        await sql`update documents set ${sql.id(column)} = ${value} where id = ${id}`.execute(writer);
        const { rows } = await sql`select type from events`.execute(writer);
        expect({ column, rows }).toEqual({ column, rows: [{ type: "document.changed" }] });
      };
      for (const column of describingNames) await expectEvent(column, "Harbour");
      const columns = [...describingNames, "reference"];
      await addDescribingColumn(writer as never, database.dialect, "reference", columns);
      for (const column of columns) await expectEvent(column, "Quay");
    });
  });
});
