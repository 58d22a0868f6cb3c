import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeEmbeddingModel } from "../../../testing/embedding-model.ts";
import type { Person } from "../../../testing/people.ts";
import { addReadDocument, addReadDocuments, replaceTexts } from "../../../testing/read-documents.ts";
import { everyJobDone } from "../../../testing/sent-files.ts";
import { storageRoot } from "../../../testing/storage-root.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { buildWorker } from "../../../worker.ts";
import { queueEmbedding } from "../embeddings/embed-documents.ts";
import { vectorOf } from "../embeddings/sort-by-meaning.ts";

const folder = await mkdtemp(path.join(await storageRoot, "quire-model-"));
await writeEmbeddingModel(folder, [
  ["car", "automobile", "vehicle"],
  ["boat", "ship", "vessel"],
  ["wharf", "quay"],
]);
afterAll(() => rm(folder, { recursive: true }));

const cursorOf = (next: string | null): unknown[] =>
  JSON.parse(Buffer.from(new URL(next ?? "").searchParams.get("cursor") ?? "", "base64url").toString());

describe.each(engines)("search by meaning on %s", (engine) => {
  const app = useApp(engine, { QUIRE_EMBEDDING_MODEL: folder });
  const owner = app.person("owner");

  async function embedAll(): Promise<void> {
    await queueEmbedding(app.context);
    const worker = buildWorker(app.context);
    worker.start();
    await everyJobDone(app.context);
    await worker.stop();
  }

  async function search(q: string, more: Record<string, string> = {}, person: Person | null = null) {
    const target = `/api/documents/search/?${new URLSearchParams({ q, ...more }).toString()}`;
    const { status, body } = await app.send(person, "GET", target);
    expect([status, body]).toEqual([200, expect.anything()]);
    return body;
  }

  const titlesOf = async (...asked: Parameters<typeof search>): Promise<string[]> =>
    (await search(...asked)).results.map(({ title }: { title: string }) => title);

  /** The pages with vectors, each as document and page. */
  async function pagesWithVectors(id: number | undefined): Promise<number[]> {
    const rows = await app.context.database.reader
      .selectFrom("page_embeddings")
      .select("page")
      .where("document_id", "=", id ?? 0)
      .orderBy("page")
      .execute();
    return rows.map(({ page }) => page);
  }

  /** The ids of what a walk finds. `between` runs after each page. */
  async function walk(between: () => Promise<void>): Promise<number[]> {
    const seen: number[] = [];
    for (let cursor: string | null = "*"; cursor !== null;) {
      const { results, next, count }: Awaited<ReturnType<typeof search>> = await search("berth quay", {
        cursor,
      });
      expect(count).toBeGreaterThan(100);
      seen.push(...results.map(({ id }: { id: string }) => Number(id)));
      cursor = next === null ? null : new URL(next).searchParams.get("cursor");
      await between();
    }
    return seen;
  }

  const permit = "permit permit permit permit";
  let ids: number[];
  beforeAll(async () => {
    ids = await addReadDocuments(app.context, [
      { title: "Boats", pages: [`${permit} of a boat.`] },
      { title: "Cars", pages: ["Lines. ".repeat(9), "A permit, and a permit of an automobile."] },
      { title: "Both", pages: ["A permit of a ship or an automobile, here and there and everywhere."] },
      { title: "Hidden", access: "private", user_id: owner.id, pages: [`${permit} of a car, an automobile`] },
    ]);
    await embedAll();
  });

  it("sorts what the words find by both ranks, and names the nearest passage with its page", async () => {
    expect(await titlesOf('"permit"')).toEqual(["Boats", "Cars", "Both"]);
    const { results, count } = await search("vehicle permit");
    expect(results.map(({ title }: { title: string }) => title)).toEqual(["Cars", "Boats", "Both"]);
    expect([count, results[0].nearest_passage]).toEqual([
      3,
      { page_number: 1, text: "A permit, and a permit of an automobile." },
    ]);
    const page = await (await app.fetch("/documents/?q=vehicle+permit")).text();
    expect(page).toMatch(/page=2[^<]*#document\/p2"[^<]*<\/a> A .*permit/);
  });

  it("finds nothing that the viewer may not find, and is not changed by it", async () => {
    expect((await titlesOf("vehicle permit", {}, owner))[0]).toBe("Hidden");
    expect(await titlesOf("vehicle permit")).not.toContain("Hidden");
    const ahead = ids.map((id) => [id]);
    const { next } = await search("vehicle permit", { per_page: "1" });
    const [value, created, id, totals] = cursorOf(next);
    const forged = Buffer.from(JSON.stringify([value, created, id, totals, null, null, ahead]));
    const { results } = await search("vehicle permit", { cursor: forged.toString("base64url") });
    expect(results.map((result: { id: string }) => Number(result.id))).toEqual(ids.slice(0, 3));
  });

  it("leaves searches with quotes, operators or wildcards as they are, and other orders", async () => {
    for (const q of ['vehicle "permit"', "vehicle OR permit", "+permit vehicle", "(vehicle permit)"]) {
      const { results } = await search(q);
      expect([q, results[0].title, results[0].nearest_passage]).toEqual([q, "Boats", undefined]);
    }
    const { results } = await search("vehicle permit", { sort: "id" });
    expect(results[0]).not.toHaveProperty("nearest_passage");
    expect(await titlesOf("vehicle permit access:public")).toEqual(["Cars", "Boats", "Both"]);
  });

  it("refuses a cursor with documents in another form", async () => {
    const [value, created, id, totals] = cursorOf((await search("permit", { per_page: "1" })).next);
    for (const ahead of [
      [1],
      [["1"]],
      [[1, 2]],
      [[-1]],
      "1",
      { length: 1 },
      Array.from({ length: 101 }, () => [1]),
    ]) {
      const cursor = Buffer.from(JSON.stringify([value, created, id, totals, null, null, ahead])).toString(
        "base64url",
      );
      const { status } = await app.send(null, "GET", `/api/documents/search/?q=permit&cursor=${cursor}`);
      expect([ahead, status]).toEqual([ahead, 404]);
    }
  });

  it("forgets the vectors of a text that is changed or removed, and makes them again", async () => {
    const [id = 0] = await addReadDocuments(app.context, [
      { title: "Logs", pages: ["A ship.", "A car.", "A log."] },
    ]);
    await embedAll();
    expect(await pagesWithVectors(id)).toEqual([0, 1, 2]);
    await replaceTexts(app.context, id, ["A ship.", "A boat.", "A log."]);
    expect(await pagesWithVectors(id)).not.toContain(1);
    await embedAll();
    expect(await pagesWithVectors(id)).toEqual([0, 1, 2]);
    await app.context.database.write((writer) =>
      writer.deleteFrom("documents").where("id", "=", id).execute(),
    );
    expect(await pagesWithVectors(id)).toEqual([]);
  });

  it("shows each document that stays as it is once, whatever others write during the walk", async () => {
    const rows = Array.from({ length: 112 }, (_, index) => ({
      title: `Berth ${index}`,
      pages: [
        `${"berth ".repeat(1 + (index % 7))} ${["wharf", "boat", "quay"][index % 3]} ${"x ".repeat(index % 5)}`,
      ],
    }));
    const berths = await addReadDocuments(app.context, rows);
    await embedAll();
    const all = await walk(async () => undefined);
    expect(all.toSorted((one, other) => one - other)).toEqual(berths);
    const gone = new Set<number>();
    const { database } = app.context;
    const seen = await walk(async () => {
      const shown = gone.size * 10;
      if (shown > 60) return;
      const [deleted = 0, hidden = 0, rewritten = 0] = [all[shown + 40], all[shown + 31], all[shown + 35]];
      for (const id of [deleted, hidden, rewritten]) gone.add(id);
      await database.write((writer) => writer.deleteFrom("documents").where("id", "=", deleted).execute());
      await database.write((writer) =>
        writer.updateTable("documents").set({ access: "private" }).where("id", "=", hidden).execute(),
      );
      await replaceTexts(app.context, rewritten, ["nothing"]);
      await addReadDocument(app.context, { title: "Berth", pages: ["berth quay quay"] });
    });
    expect(seen.filter((id) => !gone.has(id))).toEqual(all.filter((id) => !gone.has(id)));
  });

  it("is by words alone if the model cannot be used", async () => {
    expect(await vectorOf(path.join(folder, "missing"), "vehicle")).toBeNull();
  });
});
