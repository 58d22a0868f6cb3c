import { beforeAll, describe, expect, it } from "vitest";
import type { SimilarDocument } from "../../../contract/comparing.ts";
import type { Person } from "../../../testing/people.ts";
import { addReadDocuments } from "../../../testing/read-documents.ts";
import { sendAs } from "../../../testing/requests.ts";
import { everyJobDone, sendFile } from "../../../testing/sent-files.ts";
import { fingerprintLater } from "../pages/fingerprint-store.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { buildWorker } from "../../../worker.ts";

const words = Array.from({ length: 300 }, (_, index) => `word${(index * 7919) % 1000}`);
const contract = words.join(" ");
const other = words.with(20, "changed").with(200, "<b>replaced");
const unlike = words.map((word) => `${word}x`).join(" ");

describe.each(engines)("nearly equal documents on %s", (engine) => {
  const app = useApp(engine);
  let ids: number[];
  const owner = app.person("owner", { organizations: [1] });
  beforeAll(async () => {
    const row = { access: "public", slug: "x", user_id: owner.id };
    ids = await addReadDocuments(app.context, [
      { ...row, title: "First", pages: [contract] },
      { ...row, title: "Second", pages: [other.slice(0, 150).join(" "), other.slice(150).join(" ")] },
      { ...row, title: "Hidden", access: "private", pages: [contract] },
      { ...row, title: "Unlike", pages: [unlike] },
    ]);
    await app.context.database.write((writer) => fingerprintLater(writer, ids));
    await sendFile(app, owner, { extension: "txt", bytes: Buffer.from(contract) }, "Sent");
    await work();
  });

  async function work(): Promise<void> {
    const worker = buildWorker(app.context);
    worker.start();
    await everyJobDone(app.context);
    await worker.stop();
  }

  async function similarTo(id: number | undefined, person: Person | null): Promise<[string, number][]> {
    const { body } = await sendAs(app, person, "GET", `/api/documents/${id}/similar/`);
    return (body.results as SimilarDocument[]).map(({ title, similarity }) => [title, similarity]);
  }

  it("are found by everyone who may see them, and only by them", async () => {
    const [first = 0, second = 0] = ids;
    const found = await similarTo(first, null);
    expect(found.map(([title]) => title)).toEqual(["Second"]);
    expect(found[0]?.[1]).toBeGreaterThan(0.8);
    expect(await similarTo(first, owner)).toEqual([["Hidden", 1], ["Sent", 1], ...found]);
    expect((await sendAs(app, null, "GET", `/api/documents/${ids[2]}/similar/`)).status).toBe(404);
    const compare = (id: number | undefined, person: Person | null) =>
      sendAs(app, person, "GET", `/api/documents/${first}/comparison/?with=${id}`);
    const { body } = await compare(second, null);
    const differing = body.lines.flatMap((line: { right: { text: string; differs: boolean }[] }) =>
      line.right.filter((part) => part.differs).map((part) => part.text.trim()),
    );
    expect(differing).toEqual(["changed", "<b>replaced"]);
    expect([(await compare(ids[2], null)).status, (await compare(undefined, owner)).status]).toEqual([
      404, 400,
    ]);
    const page = await (await app.fetch(`/documents/${first}/comparison/${second}/`)).text();
    expect(page).toContain("<ins>&#60;b&#62;replaced </ins>");
    expect((await app.fetch(`/documents/${first}/comparison/${ids[2]}/`)).status).toBe(404);
    expect(await (await app.fetch(`/documents/${first}-x/`)).text()).toContain(`/comparison/${second}/"`);
  });

  it("are folded in the results that people see, if their files are equal, with counts of what each may see", async () => {
    const row = { slug: "x", user_id: owner.id, file_hash: "c".repeat(40), access: "public" };
    const pages = ["lighthouse ledger"];
    const copies = await addReadDocuments(app.context, [
      { ...row, title: "Original", data: '{"path":["a/x.pdf"]}', pages },
      { ...row, title: "Same folder", data: '{"path":["a/y.pdf"]}', pages },
      { ...row, title: "Elsewhere", data: '{"path":["b/x.pdf"]}', pages },
      { ...row, title: "Private one", data: '{"path":["c/x.pdf"]}', access: "private", pages },
    ]);
    const page = async (
      headers: Record<string, string>,
    ): Promise<[rows: number, summary: string, text: string]> => {
      const answer = await app.fetch("/?q=lighthouse", { headers: { ...headers, accept: "text/html" } });
      const text = await answer.text();
      const summary = /<details class="copies">\s*<summary>([^<]*)/.exec(text)?.[1] ?? "";
      return [text.split('class="document-row').length - 1, summary, text];
    };
    const [rows, summary, text] = await page({});
    expect([rows, summary]).toEqual([1, "3 copies in 2 places"]);
    for (const id of copies.slice(0, 3)) expect(text).toContain(`/documents/${id}-x/`);
    expect(text).not.toContain("Private one");
    expect((await page(owner.headers)).slice(0, 2)).toEqual([1, "4 copies in 3 places"]);
    const { body } = await sendAs(app, null, "GET", "/api/documents/search/?q=lighthouse");
    expect(body.results).toHaveLength(3);
  });

  it("lose their fingerprint in the transaction that changes the text, until a job makes it again", async () => {
    const [first = 0, second = 0] = ids;
    const pages = [{ page_number: 0, text: unlike }];
    expect((await sendAs(app, owner, "PATCH", `/api/documents/${second}/`, { pages })).status).toBe(200);
    const { reader } = app.context.database;
    const bands = await reader
      .selectFrom("fingerprint_bands")
      .select("band")
      .where("document_id", "=", second)
      .execute();
    expect([bands, await similarTo(second, owner), await similarTo(first, null)]).toEqual([[], [], []]);
    await work();
    expect((await similarTo(ids[3], null)).map(([title]) => title)).toEqual(["Second"]);
  });
});
