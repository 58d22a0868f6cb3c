import { inflateSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { documentFileKey } from "../../../files/keys.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import { addPerson, beginSession } from "../../../testing/people.ts";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { defaultEngines, useApp } from "../../../testing/test-app.ts";
import { useWorker } from "../../../testing/use-worker.ts";

const pdf = buildPdf({
  pages: [
    { width: 300, height: 120, lines: ["Alexandrova came"] },
    { width: 300, height: 120, lines: ["The second page"] },
  ],
});
const first = { page_number: 0, x1: 0.2, x2: 0.9, y1: 0.05, y2: 0.9 };
const second = { page_number: 1, x1: 0, x2: 0.5, y1: 0, y2: 0.25 };
const own = { code: "§ 5", label: "Ongoing procurement" };

describe.each(defaultEngines)("the reasons of redactions on %s", (engine) => {
  const app = useApp(engine);
  let session: Record<string, string>;
  let id: number;
  const owner = app.person("owner", { organizations: [1] });
  const worker = useWorker(app);
  beforeAll(async () => {
    const boss = await addPerson(app.context, { username: "boss", isAdministrator: true });
    session = { ...(await beginSession(app.context, boss)) };
    const values = { title: "Minutes", language: "deu", access: "public" };
    const { body } = await send(owner, "POST", "/api/documents/", values);
    id = body.id;
    await fetch(body.presigned_url, { method: "PUT", body: pdf as NonNullable<RequestInit["body"]> });
    await send(owner, "POST", `/api/documents/${id}/process/`, {});
    await worker.drain();
    await setReasons([own]);
  });

  const { send } = app;
  const setReasons = (reasons: object[]): Promise<Reply> =>
    sendAs(app, null, "PUT", "/api/admin/redaction_reasons/", reasons, session);
  const withheldIn = async (document: number): Promise<unknown> =>
    (await send(null, "GET", `/api/documents/${document}/withheld/`)).body;

  it("are those of the law and of the administrators, and no others", async () => {
    const { body } = await send(owner, "GET", "/api/redaction_reasons/");
    expect(body).toContainEqual({ code: "(b)(6)", label: "Personal privacy", set: "foia" });
    expect(body).toContainEqual({ code: "GDPR 9", label: expect.any(String), set: "gdpr" });
    expect(body.at(-1)).toEqual({ ...own, set: "own" });
    const refused = await send(owner, "POST", `/api/documents/${id}/redactions/`, [
      first,
      { ...second, reason: "(b)(99)" },
    ]);
    expect([refused.status, refused.body]).toEqual([
      400,
      [{}, { reason: ['"(b)(99)" is not a valid choice.'] }],
    ]);
    const taken = await setReasons([{ ...own, code: "(b)(6)" }]);
    expect(taken.status).toBe(400);
  });

  it("are drawn, listed and kept, and move with their pages", async () => {
    const answer = await send(owner, "POST", `/api/documents/${id}/redacted_copies/`, {
      redactions: [
        { ...first, reason: "§ 5" },
        { ...second, reason: "(b)(6)" },
      ],
      access: "public",
      show_reasons: true,
      add_index: true,
    });
    expect(answer.status).toBe(201);
    await worker.drain();
    const copy = answer.body.id;
    expect((await send(null, "GET", `/api/documents/${copy}/`)).body).toMatchObject({
      status: "success",
      page_count: 3,
    });
    const listed = (number: number, reason: string, label: string, box: typeof first) => {
      const { page_number: _, ...edges } = box;
      return { page_number: number, reason, label, boxes: [edges] };
    };
    // What the codes mean stays, even if the administrators change that.
    await setReasons([]);
    expect(await withheldIn(copy)).toEqual([
      listed(0, "§ 5", "Ongoing procurement", first),
      listed(1, "(b)(6)", "Personal privacy", second),
    ]);
    expect(await withheldIn(id)).toEqual([]);
    const { pages } = (await send(null, "GET", `/files/documents/${copy}/minutes-redacted.txt.json`)).body;
    expect(pages[2].contents.split("\n")).toEqual(
      expect.arrayContaining([
        "Was zurückgehalten wurde",
        "Seite 1: 1 Stelle, § 5: Ongoing procurement",
        "Seite 2: 1 Stelle, (b)(6): Schutz der Privatsphäre",
      ]),
    );
    const page = await (await app.fetch(`/documents/${copy}-minutes-redacted/`)).text();
    expect(page).toContain("Page 2: 1 place, (b)(6): Personal privacy");
    await expectCodesDrawn(copy);
    const turned = [{ page: "1", modifications: [{ type: "rotate", angle: "cc" }] }, { page: "0" }];
    await send(owner, "POST", `/api/documents/${copy}/modifications/`, turned);
    await worker.drain();
    expect(await withheldIn(copy)).toMatchObject([
      { page_number: 0, reason: "(b)(6)", boxes: [{ x1: 0.75, x2: 1, y1: 0, y2: 0.5 }] },
      { page_number: 1, reason: "§ 5", boxes: [{ x1: 0.2, x2: 0.9 }] },
    ]);
  });

  /** The box is black and has a code, which is white and no text. */
  async function expectCodesDrawn(copy: number): Promise<void> {
    const key = documentFileKey(copy, "minutes-redacted", "pdf");
    await using file = await app.context.files.borrow(key);
    if (file === null) throw new Error("There is no file");
    await using opened = await app.context.pdfs.open(file.path);
    expect((await opened.plainText(0)).text).toBe("");
    const flat = await opened.flat(0, []);
    if (!("pixels" in flat)) throw new Error("The page has shadings");
    const indexes = inflateSync(flat.pixels);
    const [left, top] = [Math.ceil(first.x1 * flat.width) + 2, Math.ceil(first.y1 * flat.height) + 2];
    const [right, bottom] = [Math.floor(first.x2 * flat.width) - 2, Math.floor(first.y2 * flat.height) - 2];
    const counts = { black: 0, white: 0 };
    for (let row = top; row < bottom; row++)
      for (let column = left; column < right; column++) {
        const red = flat.colors[(indexes[row * flat.width + column] ?? 0) * 3] ?? 0;
        if (red === 0) counts.black += 1;
        if (red === 255) counts.white += 1;
      }
    const all = (right - left) * (bottom - top);
    expect(counts.white / all).toBeGreaterThan(0.001);
    expect(counts.black / all).toBeGreaterThan(0.85);
  }
});
