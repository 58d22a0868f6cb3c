import { beforeAll, describe, expect, it } from "vitest";
import { addOwners } from "../../../testing/factories.ts";
import { type Person, addPerson } from "../../../testing/people.ts";
import { addReadDocument, addReadDocuments } from "../../../testing/read-documents.ts";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { engines, useApp } from "../../../testing/test-app.ts";

const documents = 80;

/** One in this many documents has the word. */
const words = { pier: 20, quay: 2, mole: 1 };

/** Many of them are answered from a few documents in order, others because too many have the words from all. */
const queries = [
  "-pier",
  "-quay",
  "-mole",
  "-crane",
  "-absent",
  "-quay -pier",
  "NOT (quay AND pier)",
  "NOT (quay OR crane)",
  "language:eng -quay",
  "-quay -language:deu",
  "NOT (pier AND language:deu)",
  '-"dock quay"',
  "-title:ferry",
  "-ferry",
  "-buoy",
  "-qua*",
  "-quay~1",
  "NOT (pier AND NOT quay)",
  "language:deu OR NOT quay",
  "(language:eng AND NOT quay) OR page_count:3",
];

const addressOf = (parameters: Record<string, string>): string =>
  `/api/documents/search/?${new URLSearchParams(parameters).toString()}`;

describe.each(engines)("a search that only excludes words on %s", (engine) => {
  const app = useApp(engine);
  const viewers: (Person | null)[] = [null];

  beforeAll(async () => {
    await app.context.database.write(addOwners);
    for (const username of ["owner", "other"]) viewers.push(await addPerson(app.context, { username }));
    const [, owner = null] = viewers;
    const rows = Array.from({ length: documents }, (_, number) => {
      const held = Object.entries(words).flatMap(([word, every]) => (number % every === 0 ? [word] : []));
      return {
        title: `dock ${held.join(" ")} ${number % 10 === 3 ? "" : "crane"}`,
        // Several documents have the same one.
        created_at: `2025-01-${10 + (number % 17)}T12:00:00.000000Z`,
        access: number % 4 === 1 ? ("private" as const) : ("public" as const),
        noindex: number % 5 === 2,
        language: number % 3 === 0 ? "deu" : "eng",
        user_id: owner?.id ?? 0,
        pages: Array.from({ length: 1 + (number % 3) }, () => (number % 8 === 0 ? "a ferry" : "")),
      };
    });
    const ids = await addReadDocuments(app.context, rows);
    for (const id of ids.slice(-9)) {
      const note = { title: "buoy", page_number: 0, access: "private" };
      await sendAs(app, owner, "POST", `/api/documents/${id}/notes/`, note);
    }
  });

  const get = (address: string, by: Person | null): Promise<Reply> => sendAs(app, by, "GET", address);

  /** The ids of all results in their order, and the counts of the pages. */
  async function walk(first: string, by: Person | null, between?: () => Promise<void>) {
    const walked = { ids: [] as number[], counts: new Set<number>() };
    for (let next: string | null = first; next !== null;) {
      const { status, body }: Reply = await get(next, by);
      expect([next, status, body]).toEqual([next, 200, expect.anything()]);
      walked.ids.push(...body.results.map(({ id }: { id: string }) => Number(id)));
      walked.counts.add(body.count);
      next = body.next?.replace(/^https?:\/\/[^/]+/, "") ?? null;
      await between?.();
    }
    return { ids: walked.ids, counts: [...walked.counts] };
  }

  it("finds the same documents in the same order, and counts as many, as with facets, by pages and by cursors", async () => {
    const sorts = ["score", "-title", "data_k", "-id", "page_count"];
    const all = queries.flatMap((q) => viewers.map((by, viewer) => ({ q, by, viewer })));
    const found: unknown[] = [];
    const expected: unknown[] = [];
    for (const [index, { q, by, viewer }] of all.entries()) {
      const asked = { q, sort: sorts[index % sorts.length] ?? "", version: index % 2 === 0 ? "2.0" : "1.0" };
      found.push({ viewer, ...asked, ...(await walk(addressOf({ ...asked, per_page: "9" }), by)) });
      // A search with facets reads all documents.
      const whole = await walk(addressOf({ ...asked, per_page: "25", facets: "access" }), by);
      expected.push({ viewer, ...asked, ...whole });
    }
    expect(found).toEqual(expected);
  });

  it("finds the documents that the words alone do not", async () => {
    expect((await get(addressOf({ q: "buoy" }), viewers[1] ?? null)).body.count).toBe(9);
    for (const by of viewers) {
      const countOf = async (q: string): Promise<number> =>
        (await get(addressOf({ q, per_page: "3" }), by)).body.count;
      const all = await countOf("");
      for (const word of ["pier", "quay", "mole", "crane", "ferry", "buoy", "absent", '"dock quay"'])
        expect([word, await countOf(`-${word}`)]).toEqual([word, all - (await countOf(word))]);
    }
  });

  it("is counted once for a walk, which has each document that stays as it is once while others write", async () => {
    const first = addressOf({ q: "-quay", per_page: "5" });
    const { counts, ids } = await walk(first, null);
    const added: number[] = [];
    const walked = await walk(first, null, async () => {
      added.push(
        await addReadDocument(app.context, { title: "dock", created_at: "2025-01-12T12:00:00.000000Z" }),
      );
      if (added.length > 1)
        await app.context.database.write((writer) =>
          writer
            .deleteFrom("documents")
            .where("id", "=", added.shift() ?? 0)
            .execute(),
        );
    });
    expect({ ...walked, ids: walked.ids.filter((id) => ids.includes(id)) }).toEqual({ counts, ids });
    await app.context.database.write((writer) =>
      writer.deleteFrom("documents").where("id", "in", added).execute(),
    );
  });

  it("is counted again for another person and for other words, and refuses the cursor of another search", async () => {
    const [, owner = null] = viewers;
    const countOf = async (q: string, by: Person | null): Promise<number> =>
      (await get(addressOf({ q, per_page: "3" }), by)).body.count;
    const { body } = await get(addressOf({ q: "-pier", per_page: "3" }), null);
    const cursor = new URL(body.next).searchParams.get("cursor") ?? "";
    const continued = (q: string, by: Person | null): Promise<Reply> =>
      get(addressOf({ q, per_page: "3", cursor }), by);
    for (const [q, by] of [
      ["-pier", owner],
      ["-quay", null],
      ["-absent", null],
      ["", null],
      ["-title:pier", null],
      ["-pier language:eng", owner],
    ] as const)
      expect([q, (await continued(q, by)).body.count]).toEqual([q, await countOf(q, by)]);
    expect((await continued("pier", null)).status).toBe(404);
    expect((await get(addressOf({ q: "-pier", sort: "id", per_page: "3", cursor }), null)).status).toBe(404);
  });
});
