import pino from "pino";
import { describe, expect, it } from "vitest";
import { openContext } from "../src/context.ts";
import { hangingPdf } from "../src/testing/hostile-pdfs.ts";
import { buildPdf } from "../src/testing/pdf.ts";
import { runs } from "../src/testing/runs.ts";
import { addOwner, endOf, everyJobDone, sendFile } from "../src/testing/sent-files.ts";
import { serveOn } from "../src/testing/served.ts";
import { defaultEngines, testStorage } from "../src/testing/test-app.ts";

const good = runs(20);

describe.each(defaultEngines)("a file on %s that hangs its reader, among many good ones", (engine) => {
  it("fails with a reason, and does not prevent the others from being read", async () => {
    await using storage = await testStorage(engine);
    const context = await openContext(storage.config, pino({ level: "silent" }));
    try {
      const owner = await addOwner(context);
      await using server = await serveOn(storage.config, { QUIRE_PDF_TIME_LIMIT_SECONDS: "3" });
      const bytes = buildPdf({ pages: [{ width: 300, height: 200, lines: ["A good page"] }] });
      const ids: number[] = [];
      let poison = 0;
      for (let index = 0; index < good; index++) {
        if (index === 10) poison = await sendFile(server, owner, { extension: "pdf", bytes: hangingPdf() });
        ids.push(await sendFile(server, owner, { extension: "pdf", bytes }));
      }
      await everyJobDone(context);
      const rows = await context.database.reader
        .selectFrom("documents")
        .select(["id", "status"])
        .where("id", "in", ids)
        .execute();
      expect(rows.filter(({ status }) => status === "success")).toHaveLength(good);
      expect(await endOf(server, owner, poison)).toMatchObject({
        status: "error",
        reason: "took longer than 3 s",
      });
    } finally {
      await context.close();
    }
  });
});
