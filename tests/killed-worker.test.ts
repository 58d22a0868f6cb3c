import { setTimeout as wait } from "node:timers/promises";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { openContext } from "../src/context.ts";
import { addDocuments } from "../src/testing/factories.ts";
import { buildPdf } from "../src/testing/pdf.ts";
import { type Person, addPerson } from "../src/testing/people.ts";
import { sendAs } from "../src/testing/requests.ts";
import { type ServedApp, serveOn } from "../src/testing/served.ts";
import { engines, testStorage } from "../src/testing/test-app.ts";

/** For longer: `KILLS=50 npx vitest run tests/killed-worker.test.ts`. */
const kills = Number(process.env["KILLS"] ?? 3);

const pdf = Buffer.from(
  buildPdf({
    pages: Array.from({ length: 30 }, (_, index) => ({
      width: 612,
      height: 792,
      lines: [`Page ${index + 1}`],
    })),
  }),
);

/** How far the document's way has been acknowledged. */
interface Uploaded {
  id: number;
  isKept: boolean;
  isQueued: boolean;
}

describe.each(engines)("a server on %s that is killed while files come in and are read", (engine) => {
  it(
    "loses none that it acknowledged, and reads each that was asked for",
    async () => {
      await using storage = await testStorage(engine, { QUIRE_JOB_LEASE_SECONDS: "1" });
      const context = await openContext(storage.config, pino({ level: "silent" }));
      await addDocuments(context, []);
      await context.database.write(async (writer) =>
        context.database.dialect.afterOwnIds("organizations")?.execute(writer),
      );
      const owner = await addPerson(context, { username: "owner", organizations: [1] });
      const uploaded: Uploaded[] = [];
      let server = await serveOn(storage.config);
      try {
        for (let kill = 0; kill < kills; kill++) {
          const running = server;
          const work = Promise.all([0, 1, 2].map(() => uploadUntilItFails(running, owner, uploaded)));
          const enough =
            uploaded.filter(({ isQueued }) => isQueued).length + 1 + Math.floor(Math.random() * 6);
          while (uploaded.filter(({ isQueued }) => isQueued).length < enough) await wait(2);
          await wait(Math.random() * 60);
          await running.kill();
          await work;
          server = await serveOn(storage.config);
        }
        await everyJobDone(context);
        for (const { id, isKept, isQueued } of uploaded) {
          const { status, body } = await sendAs(server, owner, "GET", `/api/documents/${id}/`);
          expect([id, status]).toEqual([id, 200]);
          // What was asked for and not acknowledged may have been done, too.
          const expected = isQueued ? ["success"] : ["success", "nofile"];
          expect(expected).toContain(body.status);
          const file = await context.files.stat(`documents/${id}/one.pdf`);
          expect([id, file?.size]).toEqual([id, isKept || file !== null ? pdf.length : undefined]);
          const pages = await context.database.reader
            .selectFrom("document_pages")
            .select("page")
            .where("document_id", "=", id)
            .execute();
          expect([id, pages.length]).toEqual([id, body.status === "success" ? 30 : 0]);
          const { body: receipts } = await sendAs(server, owner, "GET", `/api/documents/${id}/receipts/`);
          const read = receipts.results.filter(({ step }: { step: string }) => step === "read");
          expect([id, read.length]).toEqual([id, body.status === "success" ? 1 : 0]);
        }
        expect(uploaded.length).toBeGreaterThan(kills);
        if (kills > 3) console.log(`${engine}: ${kills} kills, ${uploaded.length} documents`);
      } finally {
        await server[Symbol.asyncDispose]();
        await context.close();
      }
    },
    60_000 + kills * 5000,
  );
});

async function uploadUntilItFails(server: ServedApp, owner: Person, uploaded: Uploaded[]): Promise<void> {
  try {
    for (;;) {
      const { body } = await sendAs(server, owner, "POST", "/api/documents/", { title: "One" });
      const one: Uploaded = { id: body.id, isKept: false, isQueued: false };
      uploaded.push(one);
      one.isKept = (await fetch(body.presigned_url, { method: "PUT", body: pdf })).status === 200;
      const asked = await sendAs(server, owner, "POST", `/api/documents/${one.id}/process/`);
      one.isQueued = asked.status === 200;
    }
  } catch {
    // The server is gone.
  }
}

async function everyJobDone({ database }: Awaited<ReturnType<typeof openContext>>): Promise<void> {
  while ((await database.reader.selectFrom("jobs").select("id").limit(1).execute()).length > 0)
    await wait(50);
}
