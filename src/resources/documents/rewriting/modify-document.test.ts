import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PageWord } from "../../../processing/pdfium/page-words.ts";
import { jobOn } from "../../../testing/job-queue.ts";
import type { Person } from "../../../testing/people.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import type { Reply } from "../../../testing/requests.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { useWorker } from "../../../testing/use-worker.ts";
import { modifyDocument } from "./modify-document.ts";
import { isInFull, runsOn } from "../../../testing/runs.ts";

const record = (id: number): string => `/api/documents/${id}/`;

const pdfOf = (name: string, pages: number): Uint8Array =>
  buildPdf({
    pages: Array.from({ length: pages }, (_, page) => ({
      width: 600 + page,
      height: 800,
      lines: [`${name} page ${page}`],
    })),
  });

describe.each(engines)("modifications on %s", (engine) => {
  const app = useApp(engine);
  const owner = app.person("owner", { organizations: [1] });
  const reader = app.person("reader", { organizations: [1] });
  const stranger = app.person("stranger", { organizations: [2] });
  const worker = useWorker(app);

  const { send } = app;

  async function processed(name: string, pages: number, person = owner): Promise<number> {
    const { body } = await send(person, "POST", "/api/documents/", { title: "Minutes" });
    const init = { method: "PUT", body: pdfOf(name, pages) as NonNullable<RequestInit["body"]> };
    expect((await fetch(body.presigned_url, init)).status).toBe(200);
    await send(person, "POST", `${record(body.id)}process/`, {});
    await worker.drain();
    return body.id;
  }

  const asset = async (id: number, name: string): Promise<Buffer> => {
    const answer = await app.fetch(`/files/documents/${id}/${name}`, { headers: owner.headers });
    return Buffer.from(await answer.arrayBuffer());
  };
  const texts = async (id: number): Promise<string[]> =>
    (
      JSON.parse((await asset(id, "minutes.txt.json")).toString()) as { pages: { contents: string }[] }
    ).pages.map(({ contents }) => contents);
  /** The page sizes in the PDF itself. */
  const drawn = async (id: number, pages: number): Promise<string[]> =>
    Promise.all(
      Array.from({ length: pages }, async (_, page) => {
        const words = (await asset(id, `pages/minutes-p${page + 1}.position.json`)).toString();
        return (JSON.parse(words) as PageWord[]).map(({ text }) => text).join(" ");
      }),
    );

  async function modify(id: number, items: unknown): Promise<Reply> {
    const answer = await send(owner, "POST", `${record(id)}modifications/`, items);
    await worker.drain();
    return answer;
  }

  it("remove, move, copy and rotate pages, and return the list as it was understood", async () => {
    const id = await processed("own", 6);
    const other = await processed("other", 2);
    expect(
      await modify(id, [
        { page: "0-2,5" },
        { page: "1", id: other },
        { page: "3", modifications: [{ type: "rotate", angle: "cc" }] },
      ]),
    ).toMatchObject({
      status: 201,
      body: {
        data: [
          { page: "1-3,6", slug: "minutes", page_spec: [[0, 2], 5], page_length: 4 },
          { page: "2", slug: "minutes", page_spec: [1], page_length: 1, id: other },
          { page: "4", page_spec: [3], modifications: [{ type: "rotate", angle: "cc" }] },
        ],
      },
    });
    const expected = ["own page 0", "own page 1", "own page 2", "own page 5", "other page 1", "own page 3"];
    expect(await texts(id)).toEqual(expected);
    expect(await drawn(id, 6)).toEqual(expected);
    const { body } = await send(owner, "GET", record(id));
    expect(body).toMatchObject({ status: "success", page_count: 6 });
    expect(body.page_spec).toBe(
      "600.00x800.00:0;601.00x800.00:1,4;602.00x800.00:2;605.00x800.00:3;800.00x603.00:5",
    );
    const [turned] = JSON.parse((await asset(id, "pages/minutes-p6.position.json")).toString()) as PageWord[];
    expect(turned).toMatchObject({ upright: false, direction: 1 });
    expect(turned?.x1).toBeGreaterThan(0.8);
    const receipts = (await send(owner, "GET", `${record(id)}receipts/`)).body.results;
    expect(receipts.at(-1)).toMatchObject({
      step: "modified",
      outcome: "done",
      pages: 6,
      documents: [other],
    });
    expect((await send(owner, "GET", `${record(id)}history/`)).body.results[0]).toMatchObject({
      action: "modified",
      user: owner.id,
    });
    const found = await send(owner, "GET", `/api/documents/search/?q=${encodeURIComponent('"own page 4"')}`);
    expect(found.body.results).toEqual([]);
  });

  it("carry notes and sections along, but no private notes into other documents", async () => {
    const [id, other] = [await processed("own", 3), await processed("other", 1)];
    for (const one of [id, other]) await send(owner, "PATCH", record(one), { access: "organization" });
    const area = { x1: 0.1, x2: 0.3, y1: 0.2, y2: 0.4 };
    const note = async (person: Person, to: number, value: object): Promise<Reply> =>
      send(person, "POST", `${record(to)}notes/`, { access: "private", ...value });
    await note(owner, id, { title: "kept", page_number: 0, ...area, access: "public" });
    await note(owner, id, { title: "lost", page_number: 1, ...area });
    await note(reader, id, { title: "reader's", page_number: 2 });
    await note(owner, other, { title: "open", page_number: 0, access: "public" });
    await note(owner, other, { title: "mine", page_number: 0 });
    await note(reader, other, { title: "secret", page_number: 0 });
    await send(owner, "POST", `${record(id)}sections/`, { title: "Start", page_number: 0 });
    await send(owner, "POST", `${record(id)}sections/`, { title: "Middle", page_number: 1 });
    await send(owner, "POST", `${record(other)}sections/`, { title: "Else", page_number: 0 });
    const before = await app.context.database.reader.selectFrom("notes").selectAll().execute();
    const start = before.find(({ title }) => title === "kept");
    expect(
      (
        await modify(id, [
          { page: "2" },
          { page: "0", id: other },
          { page: "0", modifications: [{ type: "rotate", angle: "ccw" }] },
          { page: "2,0" },
        ])
      ).status,
    ).toBe(201);
    const notes = await app.context.database.reader
      .selectFrom("notes")
      .selectAll()
      .where("document_id", "=", id)
      .orderBy("title")
      .orderBy("page_number")
      .execute();
    expect(notes.map(({ title, page_number }) => [title, page_number])).toEqual([
      ["kept", 2],
      ["kept", 4],
      ["lost", 0],
      ["mine", 1],
      ["open", 1],
      ["reader's", 0],
    ]);
    expect(notes[0]).toMatchObject({ id: start?.id, x1: 0.2, x2: 0.4, y1: 0.7, y2: 0.9 });
    expect(notes[1]).toMatchObject(area);
    expect(notes[2]).toMatchObject({ x1: null, y2: null });
    const sections = (await send(owner, "GET", `${record(id)}sections/`)).body.results;
    expect(
      sections
        .map(({ title, page_number }: { title: string; page_number: number }) => [page_number, title])
        .toSorted(),
    ).toEqual([
      [1, "Else"],
      [2, "Start"],
      [4, "Start"],
    ]);
    const ofOther = await app.context.database.reader
      .selectFrom("notes")
      .select("title")
      .where("document_id", "=", other)
      .execute();
    expect(ofOther).toHaveLength(3);
    // Copied notes are found in the new document as well.
    const found = async (word: string): Promise<number> =>
      (await send(owner, "GET", `/api/documents/search/?q=${word}+id:${id}`)).body.count;
    expect([await found("open"), await found("mine"), await found("secret")]).toEqual([1, 1, 0]);
  });

  it("remove the document's entities, and import none from others", async () => {
    const [id, other] = [await processed("own", 2), await processed("other", 1)];
    const { body: entity } = await send(owner, "POST", "/api/entities/", { wikidata_id: "Q1" });
    for (const one of [id, other]) {
      const occurrences = [{ page: 0, offset: 0, page_offset: 0, content: "page" }];
      const value = { entity: entity.id, occurrences };
      expect((await send(owner, "POST", `${record(one)}entities/`, value)).status).toBe(201);
    }
    const held = async (one: number): Promise<unknown[]> =>
      (await send(owner, "GET", `${record(one)}entities/`)).body.results;
    await worker.stop();
    await send(owner, "POST", `${record(id)}modifications/`, [{ page: "0" }, { page: "0", id: other }]);
    expect(await held(id)).toHaveLength(1);
    worker.start();
    await worker.drain();
    expect((await send(owner, "GET", record(id))).body).toMatchObject({ status: "success", page_count: 2 });
    expect([await held(id), await held(other)]).toMatchObject([[], [{ entity: entity.id }]]);
  });

  it("leave the old document whole when they are interrupted, and take effect once", async () => {
    const id = await processed("own", 3);
    await worker.stop();
    const file = await asset(id, "minutes.pdf");
    await send(owner, "POST", `${record(id)}modifications/`, [{ page: "1-2" }]);
    const job = jobOn(id);
    const stopped = AbortSignal.abort(new Error("stopped"));
    await expect(modifyDocument(app.context, job, stopped)).rejects.toThrow("stopped");
    expect((await asset(id, "minutes.pdf")).equals(file)).toBe(true);
    expect(await texts(id)).toEqual(["own page 0", "own page 1", "own page 2"]);
    // The worker dies after it has stored the new file, and before the commit.
    const late = jobOn(id, async () => {
      if (!(await asset(id, "minutes.pdf")).equals(file)) throw new Error("died");
    });
    await expect(modifyDocument(app.context, late, new AbortController().signal)).rejects.toThrow("died");
    expect(await texts(id)).toEqual(["own page 0", "own page 1", "own page 2"]);
    worker.start();
    await worker.drain();
    expect((await send(owner, "GET", record(id))).body).toMatchObject({ status: "success", page_count: 2 });
    expect(await texts(id)).toEqual(["own page 1", "own page 2"]);
    expect(await drawn(id, 2)).toEqual(["own page 1", "own page 2"]);
  });

  // Requests and pages, which no engine can change.
  if (!isInFull(engine)) return;

  it("keep positions that a client set, and rotate them with their page", async () => {
    const id = await processed("own", 3);
    const clientPositions = [{ text: "Given", x1: 0.1, x2: 0.3, y1: 0.2, y2: 0.25 }];
    const page = (page_number: number) => ({ page_number, text: "Given", positions: clientPositions });
    const pages = [page(1), { ...page(2), ocr: "other1" }];
    expect((await send(owner, "PATCH", record(id), { pages })).status).toBe(200);
    await worker.drain();
    const shownWords = async (): Promise<PageWord[][]> =>
      Promise.all(
        [1, 2, 3].map(
          async (number) =>
            JSON.parse((await asset(id, `pages/minutes-p${number}.position.json`)).toString()) as PageWord[],
        ),
      );
    const before = await shownWords();
    expect(before.slice(1)).toMatchObject([clientPositions, clientPositions]);
    const turn = { modifications: [{ type: "rotate", angle: "cc" }] };
    expect((await modify(id, [{ page: "0", ...turn }, { page: "1-2" }])).status).toBe(201);
    expect((await shownWords()).slice(1)).toEqual(before.slice(1));
    expect((await modify(id, [{ page: "0" }, { page: "1-2", ...turn }])).status).toBe(201);
    const turned = { text: "Given", x1: 0.75, x2: 0.8, y1: 0.1, y2: 0.3, upright: false, direction: 1 };
    expect((await shownWords()).slice(1)).toMatchObject([[turned], [turned]]);
  });

  it("are refused with all their faults", async () => {
    const id = await processed("own", 3);
    const foreign = await processed("foreign", 3, stranger);
    const to = `${record(id)}modifications/`;
    const rotate = { type: "rotate", angle: "hw" };
    const details = `the document ${id}`;
    for (const [item, fault] of [
      [{ page: "2-1" }, { non_field_errors: ["Page range must be ascending"] }],
      [{ page: "1-1" }, { non_field_errors: ["Page range must be ascending"] }],
      [{ page: "5" }, { non_field_errors: [`Must be a valid page for ${details}: 5 (page count: 3)`] }],
      [{ page: "a" }, { non_field_errors: ["Page spec must have integer page numbers"] }],
      [{ page: "-1" }, { non_field_errors: ["Page spec must have integer page numbers"] }],
      [{ page: "0-1-2" }, { non_field_errors: ["Page spec has too many parts (['0', '1', '2'])"] }],
      [{}, { page: ["This field is required."] }],
      [
        { page: "0", modifications: [rotate, rotate] },
        { modifications: ["Invalid to specify more than one rotation modification per item"] },
      ],
      [
        { page: "0", modifications: [{ type: "rotate" }] },
        {
          modifications: [{ non_field_errors: ["Angle must be specified for rotation modifications"] }],
        },
      ],
      [
        { page: "0", modifications: [{ type: "flip", angle: "x" }] },
        {
          modifications: [{ type: ['"flip" is not a valid choice.'], angle: ['"x" is not a valid choice.'] }],
        },
      ],
    ] as const) {
      expect(await send(owner, "POST", to, [{ page: "0" }, item])).toMatchObject({
        status: 400,
        body: { data: [{}, fault] },
      });
    }
    expect(await send(owner, "POST", to, { page: "0" })).toMatchObject({
      status: 400,
      body: { data: { non_field_errors: ['Expected a list of items but got type "dict".'] } },
    });
    expect((await send(owner, "POST", to, [])).status).toBe(400);
    for (const hidden of [foreign, 99_999]) {
      expect(await send(owner, "POST", to, [{ page: "0", id: hidden }])).toMatchObject({
        status: 403,
        body: { detail: "You may only import pages from documents you can view" },
      });
    }
    expect((await send(stranger, "POST", to, [{ page: "0" }])).status).toBe(404);
    expect((await send(null, "POST", to, [{ page: "0" }])).status).toBe(403);
    expect((await send(owner, "GET", to)).status).toBe(405);
    await worker.stop();
    expect((await send(owner, "POST", to, [{ page: "1" }])).status).toBe(201);
    expect(await send(owner, "POST", to, [{ page: "0" }])).toMatchObject({
      status: 400,
      body: { error: "Already processing" },
    });
    const busy = await send(owner, "POST", `${record(id)}process/`, {});
    expect(busy.status).toBe(400);
    worker.start();
    await worker.drain();
    expect(await texts(id)).toEqual(["own page 1"]);
  });

  it("are refused if an id is an object, whatever its toString", async () => {
    const id = await processed("own", 1);
    for (const named of [{ toString: ["a"] }, { valueOf: 1, toString: null }, [], true, null]) {
      const { status } = await send(owner, "POST", `${record(id)}modifications/`, [{ page: "0", id: named }]);
      expect([named, status]).toEqual([named, 400]);
    }
  });

  it("give the same result as rearranging the pages by hand", async () => {
    const other = await processed("other", 3);
    const angle = fc.constantFrom(null, "cc", "ccw", "hw");
    const item = fc.record({ first: fc.nat(99), more: fc.nat(2), isOther: fc.boolean(), angle });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(item, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
        async (rounds) => {
          const id = await processed("own", 3);
          let expected = ["own page 0", "own page 1", "own page 2"];
          for (const round of rounds) {
            const others = ["other page 0", "other page 1", "other page 2"];
            const next: string[] = [];
            const items = round.map(({ first, more, isOther, angle: turned }) => {
              const from = isOther ? others : expected;
              const start = first % from.length;
              const end = Math.min(from.length - 1, start + more);
              next.push(...from.slice(start, end + 1));
              const page = start === end ? `${start}` : `${start}-${end}`;
              const turning = turned === null ? [] : [{ type: "rotate", angle: turned }];
              return { page, id: isOther ? other : id, modifications: turning };
            });
            expect((await modify(id, items)).status).toBe(201);
            expected = next;
            expect(await texts(id)).toEqual(expected);
          }
          expect(await drawn(id, expected.length)).toEqual(expected);
          expect((await send(owner, "GET", record(id))).body.page_count).toBe(expected.length);
        },
      ),
      { numRuns: runsOn(engine, 6), endOnFailure: true },
    );
  });
});
