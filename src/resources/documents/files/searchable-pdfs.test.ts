import { writeFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { beforeAll, describe, expect, it } from "vitest";
import { documentFileKey } from "../../../files/keys.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import { type Person, addPerson } from "../../../testing/people.ts";
import { addReadDocuments } from "../../../testing/read-documents.ts";
import { sendAs } from "../../../testing/requests.ts";
import { defaultEngines, useApp } from "../../../testing/test-app.ts";
import { makeWorkFolder } from "../../../work-folders.ts";

const pdf = Buffer.from(
  buildPdf({
    pages: [
      { width: 400, height: 600 },
      { width: 400, height: 600 },
    ],
  }),
);

describe.each(defaultEngines)("searchable PDFs on %s", (engine) => {
  const app = useApp(engine);
  let owner: Person;
  let [scan, plain] = [0, 0];
  beforeAll(async () => {
    const row = { access: "private", slug: "x", original_extension: "pdf" };
    [scan = 0, plain = 0] = await addReadDocuments(app.context, [
      { ...row, pages: ["", ""] },
      { ...row, pages: ["", ""] },
    ]);
    for (const id of [scan, plain])
      await app.context.files.put(documentFileKey(id, "x", "pdf"), Readable.from([pdf]));
    owner = await addPerson(app.context, { username: "owner", organizations: [1] });
    await app.context.database.write((writer) =>
      writer.updateTable("documents").set({ user_id: owner.id }).execute(),
    );
    const words = [{ text: "gefunden", x1: 0.1, x2: 0.5, y1: 0.2, y2: 0.24 }];
    const pages = [{ page_number: 1, text: "gefunden", ocr: "hand", positions: words }];
    await sendAs(app, owner, "PATCH", `/api/documents/${scan}/`, { pages });
  });

  const get = (path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> =>
    app.fetch(path, { method, headers: { ...owner.headers, ...headers } });

  async function textOf(bytes: Uint8Array): Promise<string[]> {
    await using folder = await makeWorkFolder("conversion");
    const path = folder.file("read.pdf");
    await writeFile(path, bytes);
    await using open = await app.context.pdfs.open(path);
    return await Promise.all([0, 1].map(async (page) => (await open.text(page)).text));
  }

  it("are served to those who may see the document, beside the file as it came", async () => {
    const path = `/files/documents/${scan}/x.pdf`;
    const answer = await get(`${path}?text=1`);
    const etag = answer.headers.get("etag") ?? "";
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    const copy = Buffer.from(await answer.arrayBuffer());
    expect(Number(answer.headers.get("content-length"))).toBe(copy.length);
    expect(await textOf(copy)).toEqual(["", "gefunden"]);
    expect(Buffer.from(await (await get(path)).arrayBuffer())).toEqual(pdf);
    expect((await get(`${path}?text=1`, { "if-none-match": etag })).status).toBe(304);
    expect((await get(`${path}?text=1`, {}, "HEAD")).headers.get("etag")).toBe(etag);
    expect((await app.fetch(`${path}?text=1`)).status).toBe(404);
    const address = (await (await get(`${path}?text=1`, { accept: "application/json" })).json()) as {
      location: string;
    };
    const signed = await app.fetch(new URL(address.location).pathname + new URL(address.location).search);
    expect(await textOf(Buffer.from(await signed.arrayBuffer()))).toEqual(["", "gefunden"]);
  });

  it("are the file itself where no word has a position, and stand in for it in archives", async () => {
    const same = await get(`/files/documents/${plain}/x.pdf?text=1`);
    expect(Buffer.from(await same.arrayBuffer())).toEqual(pdf);
    const archive = async (query: string): Promise<number> =>
      (await (await get(`/api/documents/zip/?id__in=${scan},${plain}${query}`)).arrayBuffer()).byteLength;
    expect(await archive("&text=1")).toBeGreaterThan((await archive("")) + 1000);
    const page = await (await get(`/documents/${scan}-x/`)).text();
    expect(page).toContain(`/x.pdf?text=1" download`);
    expect(await (await get(`/documents/${plain}-x/`)).text()).not.toContain("text=1");
  });
});
