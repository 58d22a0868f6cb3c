import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addReadDocument, addReadDocuments, replaceTexts } from "../../../testing/read-documents.ts";
import { type Person, addPerson } from "../../../testing/people.ts";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { runsOn } from "../../../testing/runs.ts";
import { engines, useApp } from "../../../testing/test-app.ts";

/** The words of one run, which no other has: letters alone, so that they have other forms. */
function wordsOf(run: number): string[] {
  const letters = Array.from(String(run), (digit) => "bcdfghjklm"[Number(digit)]).join("o");
  return ["dock", "docks", "quay", "pier", "crane", "lock", "ferry", "buoy"].map((word) => letters + word);
}

/** How often a document has each word, in its title and on its page. */
const contents = fc.record({
  title: fc.array(fc.nat(7), { maxLength: 3 }),
  page: fc.array(fc.nat(7), { maxLength: 40 }),
});
const change = fc.record({
  kind: fc.constantFrom("add" as const, "delete" as const, "hide" as const, "rewrite" as const),
  which: fc.nat(99),
  contents,
});

const first = (q: string, perPage: number): string =>
  `/api/documents/search/?${new URLSearchParams({ q, per_page: String(perPage) }).toString()}`;

describe.each(engines)("a walk through the results of a search on %s", (engine) => {
  const app = useApp(engine);

  const get = (address: string): Promise<Reply> => sendAs(app, null, "GET", address);

  /** The ids of all results, a page at a time. `between` runs after each page. */
  async function walk(q: string, perPage: number, between: () => Promise<void>): Promise<number[]> {
    const ids: number[] = [];
    for (let next: string | null = first(q, perPage); next !== null;) {
      const { status, body }: Reply = await get(next);
      expect([status, body]).toEqual([200, expect.anything()]);
      ids.push(...body.results.map(({ id }: { id: string }) => Number(id)));
      next = body.next?.replace(/^https?:\/\/[^/]+/, "") ?? null;
      await between();
    }
    return ids;
  }

  it("has each document that stays as it is once, in the order in which the walk began, whatever others do", async () => {
    let run = 0;
    const property = fc.asyncProperty(
      fc.array(contents, { minLength: 4, maxLength: 14 }),
      fc.array(contents, { minLength: 1, maxLength: 8 }),
      fc.array(change, { maxLength: 20 }),
      // With some words the weights are in columns, with many in rows.
      fc.constantFrom([0], [0, 2], [0, 2, 3], [1, 2, 3, 4, 5, 6, 7]),
      fc.integer({ min: 1, max: 4 }),
      async (staying, passing, changes, asked, perPage) => {
        const words = wordsOf(run++);
        const text = (indexes: readonly number[]): string => indexes.map((index) => words[index]).join(" ");
        const documentOf = ({
          title,
          page,
        }: (typeof staying)[number]): { title: string; pages: string[] } => ({
          title: text(title),
          pages: [text(page)],
        });
        const stay = await addReadDocuments(app.context, staying.map(documentOf));
        const pass = await addReadDocuments(app.context, passing.map(documentOf));
        const q = text(asked);
        const expected = (await walk(q, 25, async () => {})).filter((id) => stay.includes(id));
        const left = [...changes];
        const seen = await walk(q, perPage, async () => {
          const [next] = left.splice(0, 1);
          if (next === undefined) return;
          const id = pass[next.which % pass.length];
          if (next.kind === "add") pass.push(await addReadDocument(app.context, documentOf(next.contents)));
          else if (id === undefined) return;
          else if (next.kind === "rewrite") await replaceTexts(app.context, id, [text(next.contents.page)]);
          else {
            await app.context.database.write(async (writer) => {
              if (next.kind === "delete") {
                pass.splice(pass.indexOf(id), 1);
                await writer.deleteFrom("documents").where("id", "=", id).execute();
              } else
                await writer.updateTable("documents").set({ noindex: true }).where("id", "=", id).execute();
            });
          }
        });
        expect(seen.filter((id) => stay.includes(id))).toEqual(expected);
      },
    );
    await fc.assert(property, { numRuns: runsOn(engine, 60) });
  });

  it("is counted once if it has no words, and again for another search or another person", async () => {
    const add = () => addReadDocuments(app.context, [{ title: "slip" }]);
    await add();
    await add();
    const person = await addPerson(app.context, { username: "counting" });
    const { count, next } = (await get(first("", 1))).body;
    await add();
    const same = next.replace(/^https?:\/\/[^/]+/, "");
    const countOf = async (address: string, by: Person | null = null): Promise<number> =>
      (await sendAs(app, by, "GET", address)).body.count;
    // A person finds documents with noindex, too.
    const ofPerson = await countOf(first("", 1), person);
    expect(ofPerson).toBeGreaterThan(count);
    expect([await countOf(same), await countOf(same, person)]).toEqual([count, ofPerson]);
    expect(await countOf(`${same}&access=private`)).toBe(0);
    expect(await countOf(`${same}&facets=access`)).toBe(count + 1);
  });

  it("refuses a cursor of another search, and one that no search has made", async () => {
    await addReadDocuments(
      app.context,
      [1, 2, 3].map((number) => ({ title: `wharf mole ${number}` })),
    );
    const { next } = (await get(first("wharf mole", 1))).body;
    const cursor = new URL(next).searchParams.get("cursor") ?? "";
    const [value, created, id, totals] = JSON.parse(Buffer.from(cursor, "base64url").toString());
    expect(totals).toEqual([3, 0, expect.any(Number), 3, 3]);
    const status = async (q: string, ...parts: unknown[]): Promise<number> => {
      const encoded = Buffer.from(JSON.stringify(parts)).toString("base64url");
      return (await get(`${first(q, 1)}&cursor=${encoded}`)).status;
    };
    expect(await status("wharf mole", value, created, id, totals)).toBe(200);
    expect(await status("wharf", value, created, id, totals)).toBe(404);
    for (const other of [
      [value, created, id],
      [value, created, id, [3, 0, 3, 3]],
      [value, created, id, [0, 0, 3, 3, 3]],
      [value, created, id, [3, 0, 3, 4, 3]],
      [value, created, id, [3, -1, 3, 3, 3]],
      [value, created, id, [3, 0.5, 3, 3, 3]],
      [value, created, id, "3"],
      [value, created, id, [3, 0, 3, 3, "3"]],
    ]) {
      expect([other, await status("wharf mole", ...other)]).toEqual([other, 404]);
    }
  });
});
