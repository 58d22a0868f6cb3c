import { Readable } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { documentFileKey } from "../../../files/keys.ts";
import { addPerson, type Person } from "../../../testing/people.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { addDocuments } from "../../../testing/factories.ts";
import { addReadDocument, replaceTexts } from "../../../testing/read-documents.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { useWorker } from "../../../testing/use-worker.ts";

const record = (id: number): string => `/api/documents/${id}/`;
const pdfOf = (...pages: string[]): Buffer =>
  Buffer.from(buildPdf({ pages: pages.map((line) => ({ width: 612, height: 792, lines: [line] })) }));

const fillers = (count: number): string => Array.from({ length: count }, (_, index) => `f${index}`).join(" ");

describe.each(engines)("search after changes on %s", (engine) => {
  const app = useApp(engine);
  const owner = app.person("owner", { organizations: [1] });
  const stranger = app.person("stranger", { organizations: [2] });
  const worker = useWorker(app);

  const send = (method: string, target: string, value?: unknown, person = owner): Promise<Reply> =>
    sendAs(app, person, method, target, value);
  const found = async (q: string, person: Person | null = owner): Promise<number[]> => {
    const { status, body } = await sendAs(
      app,
      person,
      "GET",
      `/api/documents/search/?${new URLSearchParams({ q }).toString()}`,
    );
    expect([status, body]).toEqual([200, expect.anything()]);
    const ids = body.results.map(({ id }: { id: string }) => Number(id));
    expect(body.count).toBe(ids.length);
    return ids;
  };
  const foundInOrder = async (q: string): Promise<number[]> =>
    (await found(q)).toSorted((one, other) => one - other);
  const make = async (values: object): Promise<number> => {
    const { status, body } = await send("POST", "/api/documents/", { access: "public", ...values });
    expect([status, body]).toEqual([201, expect.anything()]);
    return body.id;
  };
  /** Adds a document with status `success`, so that everyone sees it, and pages with these texts. */
  const add = (title: string, ...pages: string[]): Promise<number> =>
    addReadDocument(app.context, { title, user_id: owner.id, pages });

  it("finds a document by its title as soon as it exists, and by its pages as soon as they are read", async () => {
    const id = await make({ title: "Newcomer", description: "firstling" });
    expect(await found("newcomer firstling")).toEqual([id]);
    expect(await found("newcomer", stranger)).toEqual([]);
    const key = documentFileKey(id, "newcomer", "pdf");
    await app.context.files.put(key, Readable.from([pdfOf("Minutes of earlier", "The second page")]));
    const process = async (): Promise<void> => {
      expect(await send("POST", `${record(id)}process/`, {})).toMatchObject({ status: 200 });
      await worker.drain();
      expect((await send("GET", record(id))).body.status).toBe("success");
    };
    await process();
    expect([await found("earlier"), await found("page_no_2:second", stranger)]).toEqual([[id], [id]]);
    await app.context.files.put(key, Readable.from([pdfOf("Minutes of later")]));
    await process();
    expect([await found("earlier"), await found("second"), await found("later", null)]).toEqual([
      [],
      [],
      [id],
    ]);
    expect(await found("newcomer", null)).toEqual([id]);
  });

  it("finds a document by its current title", async () => {
    const id = await add("Oldname", "unchanging");
    expect(await found("oldname", null)).toEqual([id]);
    const change = { title: "Latename", source: "Fromhere", description: "Saidthis" };
    expect((await send("PATCH", record(id), change)).status).toBe(200);
    for (const q of ["latename", "source:fromhere", "description:saidthis", "unchanging"]) {
      expect([q, await found(q, null)]).toEqual([q, [id]]);
    }
    expect(await found("oldname")).toEqual([]);
    await send("PATCH", "/api/documents/", [{ id, title: "Third" }]);
    expect([await found("latename"), await found("third")]).toEqual([[], [id]]);
    await send("PATCH", record(id), { source: "", description: "" });
    expect([await found("fromhere saidthis"), await found("third")]).toEqual([[], [id]]);
    expect((await send("PUT", record(id), { title: "Fourth" })).status).toBe(200);
    expect([await found("third"), await found("fourth unchanging")]).toEqual([[], [id]]);
  });

  it("uses the current data, access and noindex of a document", async () => {
    const id = await add("Changing", "matter");
    await send("PUT", `${record(id)}data/colour/`, { values: ["red"] });
    expect([await found("data_colour:red", null), await found("-data_colour:* AND matter")]).toEqual([
      [id],
      [],
    ]);
    await send("DELETE", `${record(id)}data/colour/`);
    expect([await found("data_colour:red"), await found("matter AND -data_colour:*")]).toEqual([[], [id]]);
    await send("PATCH", record(id), { noindex: true });
    expect([await found("matter", null), await found("matter", stranger)]).toEqual([[], [id]]);
    await send("PATCH", record(id), { noindex: false, access: "private" });
    expect([await found("matter", null), await found("matter", stranger), await found("matter")]).toEqual([
      [],
      [],
      [id],
    ]);
    await send("PATCH", record(id), { access: "organization" });
    const colleague = await addPerson(app.context, { username: "colleague", organizations: [1] });
    expect([await found("matter", colleague), await found("matter", stranger)]).toEqual([[id], []]);
    const hidden = await sendAs(app, stranger, "GET", `${record(id)}search/?q=matter`);
    expect(hidden.status).toBe(404);
  });

  it("finds nothing of a deleted document, and nothing remains in the index", async () => {
    const [gone, stays] = [await add("Mortal", "vanishing"), await add("Mortal", "remaining")];
    expect(await found("mortal", null)).toEqual([stays, gone]);
    expect((await send("DELETE", record(gone))).status).toBe(204);
    expect([await found("mortal", null), await found("vanishing"), await found("vanish*")]).toEqual([
      [stays],
      [],
      [],
    ]);
    expect((await send("GET", `${record(gone)}search/?q=vanishing`)).status).toBe(404);
    await send("DELETE", `/api/documents/?id__in=${stays}`);
    expect(await found("mortal remaining")).toEqual([]);
  });

  it("follows pages that are removed or get other words", async () => {
    const id = await add("Shrinking", "alpha", "beta", "gamma");
    const replace = (...pages: string[]): Promise<void> => replaceTexts(app.context, id, pages);
    await replace("gamma");
    expect([await found("alpha OR beta"), await found("page_no_3:gamma"), await found("gamma")]).toEqual([
      [],
      [],
      [id],
    ]);
    await replace();
    expect([await found("gamma"), await found("shrinking")]).toEqual([[], [id]]);
  });

  it("evaluates NOW at each request, even if nothing has changed", async () => {
    const moment = "2025-03-01T12:00:00.000000Z";
    await addDocuments(app.context, [{ title: "Momentary", created_at: moment }]);
    const queries = [
      { q: "momentary AND created_at:[NOW-1MINUTE TO *]" },
      { q: "momentary", created_at: "[N\\OW-1MINUTE TO *]" },
    ];
    const counts = async (): Promise<number[]> => {
      const targets = queries.map((one) => `/api/documents/search/?${new URLSearchParams(one).toString()}`);
      const answers = targets.map(
        async (target) => (await sendAs(app, null, "GET", target)).body.count as number,
      );
      const pages = queries.map(async (one) => {
        const page = await (await app.fetch(`/?${new URLSearchParams(one).toString()}`)).text();
        return page.includes("Momentary</a>") ? 1 : 0;
      });
      return Promise.all([...answers, ...pages]);
    };
    try {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(moment) + 1000 });
      for (let time = 0; time < 3; time++) expect(await counts()).toEqual([1, 1, 1, 1]);
      vi.setSystemTime(Date.parse(moment) + 120_000);
      expect(await counts()).toEqual([0, 0, 0, 0]);
    } finally {
      vi.useRealTimers();
    }
  });

  describe("in long pages", () => {
    it("finds phrases anywhere in the text", async () => {
      const ids: number[] = [];
      // Near the points where a text must be split for PostgreSQL, and beyond the word positions that it stores.
      for (const before of [3990, 4090, 4094, 4095, 4096, 4190, 8100, 20_000]) {
        const title = `Long ${before}`;
        ids.push(
          await add(title, `${fillers(before)} needle ${fillers(20)} thread ${fillers(200)} zero one`),
        );
      }
      for (const many of [255, 256, 257, 1000]) {
        ids.push(await add(`Many ${many}`, `${"0 ".repeat(many)} needle ${"0 ".repeat(20)} thread zero one`));
      }
      for (const q of [
        '"zero one"',
        '"needle thread"~20',
        '"thread needle"~20',
        '"one zero"~1',
        "needle AND thread",
      ]) {
        expect([q, await foundInOrder(q)]).toEqual([q, ids]);
      }
      expect(await foundInOrder('"needle thread"~19')).toEqual([]);
      expect(await foundInOrder('"one zero"')).toEqual([]);
      expect(await foundInOrder('"0 needle"')).toEqual(ids.slice(-4));
      expect(await foundInOrder(`"needle ${fillers(20)} thread ${fillers(70)}"`)).toEqual(ids.slice(0, -4));
    });

    it("finds words near each other up to a distance of twenty", async () => {
      await add("Apart", `pin ${fillers(21)} cushion`);
      expect([await found('"pin cushion"~20'), await found('"pin cushion"~1000')]).toEqual([[], []]);
    });
  });
});
