import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../../../testing/factories.ts";
import { runsOn } from "../../../testing/runs.ts";
import { startS3Server } from "../../../testing/s3-server.ts";
import { engines, useApp, useStarted } from "../../../testing/test-app.ts";
import { examineDocuments } from "./examine-documents.ts";
import { batchesToExamine } from "./examined-files.ts";

describe.each(engines)("the examination of files in a bucket on %s", (engine) => {
  const server = useStarted(startS3Server);
  const app = useApp(engine, () => server.environment);
  beforeAll(() => addDocuments(app.context, []));

  const id = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 95, max: 1200 }));

  it("sees each document, whatever the digits of its id, and goes on from any position", async () => {
    const documents = fc.uniqueArray(fc.record({ id, files: fc.nat({ max: 2 }) }), {
      selector: (document) => document.id,
      minLength: 1,
      maxLength: 12,
    });
    const property = fc.asyncProperty(documents, fc.nat({ max: 20 }), async (drawn, batches) => {
      const { database, files } = app.context;
      await database.write((writer) => writer.deleteFrom("documents").execute());
      await files.deleteFolder("documents");
      await addDocuments(
        app.context,
        drawn.map((document) => ({ id: document.id, original_extension: "txt" })),
      );
      for (const document of drawn)
        for (const extension of ["pdf", "txt"].slice(0, document.files))
          await files.put(
            `documents/${document.id}/${extension === "pdf" ? "" : "original/"}a-document.${extension}`,
            bytes(),
          );
      await files.put("documents/1/images/1/a-document-p1-small.gif", bytes());
      await files.put("documents/112/images/1/a-document-p1-small.gif", bytes());
      const seen: { id: number; files: number }[] = [];
      let position: number | null = null;
      const see = async (max: number): Promise<void> => {
        for await (const batch of batchesToExamine(app.context, position)) {
          if (max-- === 0) return;
          for (const document of batch.documents) {
            const found = batch.files.get(document.id);
            seen.push({ id: document.id, files: Number(found?.isPdfThere) + Number(found?.isOriginalThere) });
          }
          ({ position } = batch);
        }
      };
      await see(batches);
      await see(Infinity);
      // The second run may see the documents between two folders again.
      const seenById = new Map(seen.map((one) => [one.id, one]));
      expect([...seenById.values()].toSorted(inOrder)).toEqual(drawn.toSorted(inOrder));
    });
    await fc.assert(property, { numRuns: runsOn(engine, 40) });
  });

  it("asks the store for a list, and for files that are not in it", async () => {
    const { files, database } = app.context;
    await database.write((writer) => writer.deleteFrom("documents").execute());
    await files.deleteFolder("documents");
    const ids = await addDocuments(
      app.context,
      Array.from({ length: 150 }, () => ({ page_count: 0 })),
    );
    const [lacking, ...others] = ids;
    for (const other of others) await files.put(`documents/${other}/a-document.pdf`, bytes());
    server.asked.splice(0);
    const found = await Array.fromAsync(examineDocuments(app.context));
    expect(found.map(({ what }) => what)).toEqual([`document ${lacking}: its file is missing`]);
    expect(server.asked.length).toBeLessThan(8);
    expect(server.asked.filter((asked) => asked.startsWith("HEAD"))).toEqual([
      `HEAD documents/${lacking}/a-document.pdf`,
    ]);
  });
});

const inOrder = (one: { id: number }, other: { id: number }): number => one.id - other.id;

async function* bytes(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("bytes");
}
