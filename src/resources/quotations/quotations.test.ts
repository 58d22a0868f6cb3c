import { beforeAll, describe, expect, it } from "vitest";
import { buildPdf } from "../../testing/pdf.ts";
import type { Person } from "../../testing/people.ts";
import { type Reply, sendAs } from "../../testing/requests.ts";
import { defaultEngines, useApp } from "../../testing/test-app.ts";
import { useWorker } from "../../testing/use-worker.ts";

const pageSize = { width: 480, height: 250 };
const pdf = buildPdf({
  pages: [
    { ...pageSize, lines: ["The council gave 1,250,000 euros to", "Alexandrova, a well-", "known witness."] },
    { ...pageSize, lines: ["Nobody voted against it."] },
  ],
});

describe.each(defaultEngines)("a check of a quotation on %s", (engine) => {
  const app = useApp(engine);
  let id: number;
  const owner = app.person("owner", { organizations: [1] });
  const stranger = app.person("stranger", { organizations: [2] });
  const worker = useWorker(app);
  beforeAll(async () => {
    const { body } = await sendAs(app, owner, "POST", "/api/documents/", { title: "Minutes" });
    id = body.id;
    await fetch(body.presigned_url, { method: "PUT", body: pdf as NonNullable<RequestInit["body"]> });
    await sendAs(app, owner, "POST", `/api/documents/${id}/process/`, {});
    await worker.drain();
  });

  const check = (person: Person | null, quote: string, where: object = {}): Promise<Reply> =>
    sendAs(app, person, "GET", `/api/quotations/?${new URLSearchParams({ quote, ...where }).toString()}`);
  const page = async (query: object): Promise<[status: number, text: string]> => {
    const answer = await app.fetch(`/quotations/?${new URLSearchParams({ ...query }).toString()}`, {
      headers: { ...owner.headers, accept: "text/html" },
    });
    return [answer.status, await answer.text()];
  };

  it("says where the words stand, and of which file", async () => {
    const quote = "gave 1,250,000 euros to\u00a0Alexandrova, a “well–known witness”";
    const { body: record } = await sendAs(app, owner, "GET", `/api/documents/${id}/`);
    for (const where of [{ document: id, page_number: 0 }, { document: id }]) {
      const { status, body } = await check(owner, quote.replaceAll(/[“”]/g, ""), where);
      expect([status, body.verified, body.reason]).toEqual([200, true, null]);
      const [found] = body.documents;
      expect(found).toMatchObject({ id, title: "Minutes", file_hash: record.file_hash, redacted_at: null });
      expect(found.matches).toHaveLength(1);
      const [match] = found.matches;
      expect(match.page_number).toBe(0);
      expect(match.boxes).toHaveLength(3);
      for (const { x1, x2, y1, y2 } of match.boxes)
        expect(0 <= x1 && x1 < x2 && y1 < y2 && y2 <= 1).toBe(true);
      expect(match.canonical_url).toMatch(/\/documents\/\d+-minutes\/\?q=.*#document\/p1$/);
    }
    const other = await check(owner, quote, { document: id, page_number: 1 });
    expect([other.body.verified, other.body.reason]).toEqual([false, "not_found"]);
    const wrong = await check(owner, "gave 1,250,001 euros", { document: id });
    expect([wrong.body.verified, wrong.body.reason]).toEqual([false, "not_found"]);
    expect((await check(owner, quote, { document: id, page_number: 2 })).body).toHaveProperty("page_number");
    expect((await check(owner, "“–”", { document: id })).body).toHaveProperty("quote");
  });

  it("is about what its viewer may see", async () => {
    const quote = "Nobody voted against it.";
    expect((await check(owner, quote)).body.documents.map(({ id: one }: { id: number }) => one)).toEqual([
      id,
    ]);
    for (const person of [stranger, null]) {
      expect((await check(person, quote, { document: id })).status).toBe(404);
      expect((await check(person, quote)).body).toEqual({
        verified: false,
        reason: "not_found",
        documents: [],
      });
    }
  });

  it("is made on a page, too", async () => {
    const [status, text] = await page({ document: id, quote: "Nobody voted", page: 2 });
    expect([status, text.includes("These words were found.")]).toEqual([200, true]);
    expect((await page({ quote: "Nobody voted" }))[1]).toContain("These words were found.");
    expect((await page({ document: id, quote: "Everybody voted" }))[1]).toContain(
      "These words were not found.",
    );
    expect(await page({ document: id, quote: "x", page: 3 })).toEqual([
      400,
      expect.stringContaining("no such page"),
    ]);
    expect((await page({ document: id }))[1]).toContain("Minutes");
    expect((await page({ document: 999_999, quote: "x" }))[0]).toBe(404);
  });

  it("says that a place was redacted since, and nothing of what stood there", async () => {
    const quote = "to Alexandrova";
    const before = await check(owner, quote, { document: id });
    expect(before.body.verified).toBe(true);
    const boxes = before.body.documents[0].matches[0].boxes.map((box: object) => ({
      ...box,
      page_number: 0,
    }));
    await sendAs(app, owner, "POST", `/api/documents/${id}/redactions/`, boxes);
    await worker.drain();
    for (const where of [{}, { page_number: 0 }]) {
      const { body } = await check(owner, quote, { document: id, ...where });
      expect([body.verified, body.reason]).toEqual([false, "redacted"]);
      expect(body.documents[0].redacted_at).toMatch(/^20/);
      expect(body.documents[0].revision).not.toBe(before.body.documents[0].revision);
      expect(body.documents[0].file_hash).not.toBe(before.body.documents[0].file_hash);
    }
    const untouched = await check(owner, "Everybody voted", { document: id, page_number: 1 });
    expect(untouched.body.reason).toBe("not_found");
    expect((await check(owner, quote)).body.documents).toEqual([]);
    expect((await page({ document: id, quote }))[1]).toContain("last redaction");
    // Once pages have moved, nobody knows on which of them the redaction is.
    await sendAs(app, owner, "POST", `/api/documents/${id}/modifications/`, [{ page: "1,0" }]);
    await worker.drain();
    const moved = await check(owner, "Everybody voted", { document: id, page_number: 0 });
    expect(moved.body.reason).toBe("redacted");
    expect((await check(owner, "Nobody voted", { document: id, page_number: 0 })).body.verified).toBe(true);
  });
});
