import { createHash } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { LeaseLostError } from "../../../jobs/lease.ts";
import { PageError } from "../../../processing/pdf/pdf-pages.ts";
import { addDocuments } from "../../../testing/factories.ts";
import { jobOn } from "../../../testing/job-queue.ts";
import { type Person, addPerson } from "../../../testing/people.ts";
import { buildPdf, writePdf } from "../../../testing/pdf.ts";
import { addTexts } from "../../../testing/read-documents.ts";
import { defaultEngines, useApp } from "../../../testing/test-app.ts";
import { useWorker } from "../../../testing/use-worker.ts";
import { changeActive } from "../../users/change-account.ts";
import { countPages } from "../pages/page-store.ts";
import { processDocument } from "./process-document.ts";

const record = (id: number): string => `/api/documents/${id}/`;
const twoPages = Buffer.from(
  buildPdf({
    pages: [
      { width: 612, height: 792, lines: ["Minutes of the council"] },
      { width: 792, height: 612, lines: ["The second page"] },
    ],
  }),
);

/** Pages with the same words, of which some are missing. */
function pagesWithout(count: number, missing: readonly number[], words = "The same words again"): Uint8Array {
  const first = 5;
  const content = `BT /F1 12 Tf 72 700 Td (${words}) Tj ET`;
  const page =
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 3 0 R >> >> >>";
  const kids = Array.from({ length: count }, (_, index) => `${index + first} 0 R`).join(" ");
  return writePdf(
    [
      "<< /Type /Catalog /Pages 2 0 R >>",
      `<< /Type /Pages /Count ${count} /Kids [${kids}] >>`,
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
      { dictionary: `/Length ${content.length}`, stream: Buffer.from(content) },
      ...Array.from({ length: count }, (_, index) => (missing.includes(index + 1) ? "null" : page)),
    ],
    "/Root 1 0 R",
  );
}

const put = (
  address: string,
  bytes: Uint8Array | string | ReadableStream,
  init: RequestInit = {},
): Promise<Response> =>
  fetch(address, { method: "PUT", body: bytes as NonNullable<RequestInit["body"]>, ...init });

describe.each(defaultEngines)("uploading and processing on %s", (engine) => {
  const app = useApp(engine, { QUIRE_UPLOAD_LIMIT_MB: "1" });
  const owner = app.person("owner", { organizations: [1] });
  const stranger = app.person("stranger", { organizations: [2] });
  const worker = useWorker(app);

  const { send } = app;

  async function make(values: object = {}): Promise<{ id: number; address: string }> {
    const { body } = await send(owner, "POST", "/api/documents/", { title: "Minutes", ...values });
    return { id: body.id, address: body.presigned_url };
  }

  async function processed(bytes: Uint8Array | string, values: object = {}): Promise<number> {
    const { id, address } = await make(values);
    expect((await put(address, bytes)).status).toBe(200);
    expect(await send(owner, "POST", `${record(id)}process/`, {})).toMatchObject({ status: 200, body: "OK" });
    await worker.drain();
    return id;
  }

  it("reads a PDF's pages, their sizes and their text", async () => {
    const id = await processed(twoPages);
    const { body } = await send(owner, "GET", record(id));
    expect(body).toMatchObject({
      status: "success",
      page_count: 2,
      page_spec: "612.00x792.00:0;792.00x612.00:1",
      file_hash: createHash("sha1").update(twoPages).digest("hex"),
    });
    expect(body).not.toHaveProperty("presigned_url");
    const asset = async (name: string, person: Person | null = owner): Promise<Response> =>
      app.fetch(`/files/documents/${id}/${name}`, { headers: { ...person?.headers } });
    expect(Buffer.from(await (await asset("minutes.pdf")).arrayBuffer()).equals(twoPages)).toBe(true);
    expect(await (await asset("minutes.txt")).text()).toBe("Minutes of the council\n\nThe second page");
    expect(await (await asset("pages/minutes-p2.txt")).text()).toBe("The second page");
    const json = (await (await asset("minutes.txt.json")).json()) as { pages: object[] };
    expect(json.pages).toMatchObject([
      { page: 0, contents: "Minutes of the council", ocr: null, lang: "eng" },
      { page: 1, contents: "The second page" },
    ]);
    const words = (await (await asset("pages/minutes-p1.position.json")).json()) as { text: string }[];
    expect(words.map(({ text }) => text)).toEqual(["Minutes", "of", "the", "council"]);
    const kept = (size: string): string => `documents/${id}/images/${body.file_hash}/p1-${size}.gif`;
    for (const [size, width, height, isThere] of [
      ["small", 180, 233, true],
      ["normal", 700, 906, false],
      ["normal", 700, 906, true],
    ] as const) {
      // A reader gets an image before it is stored.
      await expect
        .poll(async () => [size, (await app.context.files.stat(kept(size))) !== null])
        .toEqual([size, isThere]);
      const image = await asset(`pages/minutes-p1-${size}.gif`);
      expect([size, image.status, image.headers.get("content-type")]).toEqual([size, 200, "image/gif"]);
      const gif = Buffer.from(await image.arrayBuffer());
      expect([gif.toString("latin1", 0, 3), gif.readUInt16LE(6), gif.readUInt16LE(8)]).toEqual([
        "GIF",
        width,
        height,
      ]);
    }
    for (const name of [
      "pages/minutes-p3.txt",
      "pages/minutes-p0.txt",
      "pages/minutes-p1-huge.gif",
      "other.txt",
    ]) {
      expect((await asset(name)).status).toBe(404);
    }
    for (const name of ["minutes.pdf", "minutes.txt", "pages/minutes-p1-small.gif"]) {
      expect((await asset(name, stranger)).status).toBe(404);
      expect((await asset(name, null)).status).toBe(404);
    }
    await send(owner, "PATCH", record(id), { access: "public" });
    expect((await asset("minutes.txt", null)).status).toBe(200);
    await send(owner, "PATCH", record(id), { access: "private" });
    expect((await asset("minutes.txt", null)).status).toBe(404);
    const receipts = (await send(owner, "GET", `${record(id)}receipts/`)).body.results;
    expect(receipts).toMatchObject([
      { step: "received", outcome: "done", bytes: twoPages.length, next: "stored" },
      { step: "stored", outcome: "done", key: `documents/${id}/minutes.pdf`, next: null },
      { step: "read", outcome: "done", pages: 2, next: "indexed" },
      { step: "rendered", outcome: "done", page: 1, sizes: ["small", "thumbnail"], next: "indexed" },
      { step: "indexed", outcome: "done", pages: 2, next: null },
    ]);
    const moments = receipts.map(({ at }: { at: string }) => at);
    expect(moments).toEqual(moments.toSorted());
    expect((await send(stranger, "GET", `${record(id)}receipts/`)).status).toBe(404);
  });

  it.each([
    ["a text", "hello", /^This is not a PDF file: it looks like plain text$/],
    [
      "a PNG image",
      Buffer.from("\x89PNG\r\n\x1a\n and more", "latin1"),
      /^This is not a PDF file: it looks like a PNG image$/,
    ],
    ["what looks like nothing", Buffer.alloc(3000, 7), /^This is not a PDF file$/],
    ["a broken one", twoPages.subarray(0, 200), /./],
  ])("says of %s why it cannot be read, and takes the next", async (_what, bytes, reason) => {
    const id = await processed(bytes);
    const next = await processed(twoPages);
    expect((await send(owner, "GET", record(id))).body.status).toBe("error");
    const { body } = await send(owner, "GET", `${record(id)}errors/`);
    expect(body.results).toMatchObject([{ message: expect.stringMatching(reason) }]);
    expect(body.results[0].created_at).toMatch(/\.\d{6}Z$/);
    expect((await send(owner, "GET", record(next))).body.status).toBe("success");
    expect(await send(owner, "POST", `${record(id)}process/`)).toMatchObject({ status: 200 });
    await worker.drain();
    expect((await send(owner, "GET", `${record(id)}errors/`)).body.results).toHaveLength(2);
  });

  it("reports every unreadable page, in whichever run, and images that cannot be made", async () => {
    const broken = [2, 58];
    const open = app.context.pdfs.open.bind(app.context.pdfs);
    const opening = vi.spyOn(app.context.pdfs, "open").mockImplementation(async (file) => {
      const pdf = await open(file);
      vi.spyOn(pdf, "image").mockRejectedValue(new PageError(0, "too-slow", "took longer than 1 s"));
      return pdf;
    });
    await worker.stop();
    const { id, address } = await make();
    expect((await put(address, pagesWithout(74, broken))).status).toBe(200);
    await send(owner, "POST", `${record(id)}process/`);
    const lost = jobOn(id, async (writer) => {
      if ((await countPages(writer, id)) > 64) throw new LeaseLostError();
    });
    const { signal } = new AbortController();
    await expect(processDocument(app.context, lost, signal)).rejects.toThrow(LeaseLostError);
    expect(await countPages(app.context.database.reader, id)).toBe(64);
    worker.start();
    await worker.drain();
    opening.mockRestore();
    const unread = broken.map((page) => ({ page, reason: `broken: page ${page} of 74 cannot be read` }));
    const message = "took longer than 1 s";
    expect((await send(owner, "GET", `${record(id)}receipts/`)).body.results).toMatchObject([
      { step: "received" },
      { step: "stored" },
      { step: "read", outcome: "done", pages: 74, unread },
      { step: "rendered", outcome: "failed", page: 1, message, next: "indexed" },
      { step: "indexed", pages: 74 },
    ]);
    expect((await send(owner, "GET", `${record(id)}errors/`)).body.results).toMatchObject([{ message }]);
    expect((await app.fetch(`/files/documents/${id}/minutes.txt`, { headers: owner.headers })).status).toBe(
      200,
    );
  });

  it("reports that a language has no recognition data, in whichever run", async () => {
    await worker.stop();
    const { id, address } = await make({ language: "isl" });
    expect((await put(address, pagesWithout(74, [], ""))).status).toBe(200);
    await send(owner, "POST", `${record(id)}process/`);
    const lost = jobOn(id, async (writer) => {
      if ((await countPages(writer, id)) > 64) throw new LeaseLostError();
    });
    const { signal } = new AbortController();
    await expect(processDocument(app.context, lost, signal)).rejects.toThrow(LeaseLostError);
    await addTexts(app.context, id, Array<string>(10).fill(""), 64);
    worker.start();
    await worker.drain();
    expect((await send(owner, "GET", record(id))).body.status).toBe("success");
    const { results } = (await send(owner, "GET", `${record(id)}receipts/`)).body;
    const message = expect.stringMatching(/isl/);
    expect(results.slice(2)).toMatchObject([
      { step: "read", pages: 74 },
      { step: "recognised", outcome: "failed", pages: 0, message, next: "indexed" },
      { step: "rendered" },
      { step: "indexed" },
    ]);
    expect(results[2]).not.toHaveProperty("unread");
    expect((await send(owner, "GET", `${record(id)}errors/`)).body.results).toMatchObject([{ message }]);
  });

  describe("the upload address", () => {
    it("is valid for one document and a limited time, and uploads need it", async () => {
      const { id, address } = await make();
      const { id: other } = await make();
      const good = new URL(address);
      for (const change of [
        (url: URL) => void (url.pathname = `/uploads/documents/${other}/minutes.pdf`),
        (url: URL) => url.searchParams.set("expires", String(Number(url.searchParams.get("expires")) + 1)),
        (url: URL) => url.searchParams.set("signature", "x"),
        (url: URL) => url.searchParams.delete("signature"),
        (url: URL) => url.searchParams.set("expires", "1"),
      ]) {
        const url = new URL(good);
        change(url);
        expect((await put(url.href, twoPages, { headers: owner.headers })).status).toBe(403);
      }
      expect((await put(address, "")).status).toBe(400);
      expect((await put(address, "x".repeat(1024 * 1024 + 1))).status).toBe(413);
      expect(await app.context.files.stat(`documents/${id}/minutes.pdf`)).toBeNull();
      expect((await put(address, twoPages)).status).toBe(200);
      // Its signature changes every five minutes.
      const { presigned_url: same } = (await send(owner, "GET", record(id))).body;
      expect(new URL(same).pathname).toBe(new URL(address).pathname);
      await send(owner, "POST", `${record(id)}process/`);
      expect((await put(address, twoPages)).status).toBe(409);
      await worker.drain();
      await send(owner, "DELETE", record(id));
      expect((await put(address, twoPages)).status).toBe(404);
    });

    it("stops working when its user's account is closed", async () => {
      const leaver = await addPerson(app.context, {
        username: "leaver",
        organizations: [1],
        password: "a long password",
      });
      const { body } = await send(leaver, "POST", "/api/documents/", { title: "Minutes" });
      const file = `documents/${body.id}/minutes.pdf`;
      const another = new URL(body.presigned_url);
      another.searchParams.set("viewer", String(owner.id));
      expect((await put(another.href, twoPages)).status).toBe(403);
      // The same holds if the account is closed while the bytes arrive.
      const { files } = app.context;
      const begun = Promise.withResolvers<void>();
      const storing = vi.spyOn(files, "put").mockImplementationOnce(async (...given) => {
        begun.resolve();
        storing.mockRestore();
        return files.put(...given);
      });
      const disabled = Promise.withResolvers<void>();
      const late = put(
        body.presigned_url,
        new ReadableStream({
          start: (controller) => controller.enqueue(twoPages.subarray(0, 10)),
          async pull(controller) {
            await disabled.promise;
            controller.enqueue(twoPages.subarray(10));
            controller.close();
          },
        }),
        { duplex: "half" },
      );
      await begun.promise;
      await changeActive(app.context, "leaver", false);
      disabled.resolve();
      expect((await late).status).toBe(403);
      expect((await put(body.presigned_url, twoPages)).status).toBe(403);
      expect(await app.context.files.stat(file)).toBeNull();
      await changeActive(app.context, "leaver", true);
      expect((await put(body.presigned_url, twoPages)).status).toBe(200);
    });

    it("is shown only to the owner, never in a list, and for every document of a bulk creation", async () => {
      const { body } = await send(owner, "POST", "/api/documents/", [{ title: "a" }, { title: "b" }]);
      expect(body.map((one: object) => Object.hasOwn(one, "presigned_url"))).toEqual([true, true]);
      await send(owner, "PATCH", record(body[0].id), { access: "organization" });
      const member = await addPerson(app.context, { username: `member-${body[0].id}`, organizations: [1] });
      expect((await send(member, "GET", record(body[0].id))).body).not.toHaveProperty("presigned_url");
      const list = await send(owner, "GET", "/api/documents/?per_page=1000");
      expect(list.body.results.some((one: object) => Object.hasOwn(one, "presigned_url"))).toBe(false);
    });
  });

  it("refuses documents that may not or cannot be processed", async () => {
    const { id } = await make();
    const process = `${record(id)}process/`;
    expect(await send(owner, "POST", process)).toMatchObject({
      status: 400,
      body: { error: `Document ${id} has no file to process` },
    });
    expect((await send(stranger, "POST", process)).status).toBe(404);
    expect((await send(null, "POST", process)).status).toBe(403);
    expect(await send(owner, "DELETE", process)).toMatchObject({
      status: 400,
      body: { error: "Not processing" },
    });
    const [shown = 0] = await addDocuments(app.context, [{ user_id: owner.id }]);
    expect(await send(stranger, "POST", `${record(shown)}process/`)).toMatchObject({
      status: 400,
      body: { error: `You do not have permission to edit document ${shown}` },
    });
    for (const [sent, body] of [
      [[{ id }, { id: 99_999 }], ["Could not find all documents to process."]],
      [{ ids: [id, 99_999] }, ["Could not find all documents to process."]],
      [[{}], [{ id: ["This field is required."] }]],
      [{ id }, { non_field_errors: ['Expected a list of items but got type "dict".'] }],
    ] as const) {
      expect(await send(owner, "POST", "/api/documents/process/", sent)).toMatchObject({ status: 400, body });
    }
    expect(await send(owner, "POST", "/api/documents/process/", [])).toMatchObject({
      status: 200,
      body: "OK",
    });
  });

  it("uses Tesseract when Textract is requested, and says so in the receipt", async () => {
    const made = [await make(), await make(), await make({ language: "rus" })];
    for (const { address } of made) await put(address, twoPages);
    const [one = 0, two = 0, three = 0] = made.map(({ id }) => id);
    const textract = { ocr_engine: "textract" };
    expect(await send(owner, "POST", `${record(one)}process/`, textract)).toMatchObject({
      status: 200,
      body: "OK",
    });
    const several = [
      { id: two, ocr_engine: "tess4" },
      { id: three, ...textract },
    ];
    expect((await send(owner, "POST", "/api/documents/process/", several)).status).toBe(200);
    await worker.drain();
    const notesOf = async (id: number): Promise<unknown> => {
      const { results } = (await send(owner, "GET", `${record(id)}receipts/`)).body;
      return results.find(({ step }: { step: string }) => step === "read").notes;
    };
    const notes = [expect.stringContaining("Textract was asked for")];
    expect([await notesOf(one), await notesOf(two), await notesOf(three)]).toEqual([notes, undefined, notes]);
    const page = await app.fetch(`/documents/${one}-minutes/`, { headers: owner.headers });
    expect(await page.text()).toContain("Textract was asked for");
    expect(await send(owner, "POST", `${record(one)}process/`, { ocr_engine: "other" })).toMatchObject({
      status: 400,
      body: { ocr_engine: ['"other" is not a valid choice.'] },
    });
  });

  it("removes the images of a file that another has replaced, and keeps those of the same file", async () => {
    const id = await processed(twoPages);
    const { files } = app.context;
    const { file_hash: first } = (await send(owner, "GET", record(id))).body;
    const processAgain = async (): Promise<string> => {
      await send(owner, "POST", `${record(id)}process/`, {});
      await worker.drain();
      return (await send(owner, "GET", record(id))).body.file_hash;
    };
    const drawn = (hash: string): string => `documents/${id}/images/${hash}/p2-large.gif`;
    const store = (key: string, bytes: Uint8Array): Promise<void> =>
      files.put(
        key,
        (async function* chunks() {
          yield bytes;
        })(),
      );
    await store(drawn(first), Buffer.from("GIF"));
    expect([await processAgain(), await files.stat(drawn(first))]).toEqual([first, expect.anything()]);
    await store(`documents/${id}/minutes.pdf`, buildPdf({ pages: [{ width: 90, height: 90, lines: [] }] }));
    const second = await processAgain();
    expect(second).not.toBe(first);
    expect(await Array.fromAsync(files.folders(`documents/${id}/images`))).toEqual([second]);
  });

  /** Starts to read a file. The reading of its pages waits until `goOn` is called. */
  async function readingOf(id: number): Promise<{ goOn: () => Promise<void> }> {
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const open = app.context.pdfs.open.bind(app.context.pdfs);
    const opening = vi.spyOn(app.context.pdfs, "open").mockImplementation(async (...file) => {
      const pdf = await open(...file);
      const read = pdf.plainText.bind(pdf);
      vi.spyOn(pdf, "plainText").mockImplementation(async (page) => {
        begun.resolve();
        await held.promise;
        return read(page);
      });
      return pdf;
    });
    await send(owner, "POST", `${record(id)}process/`);
    await begun.promise;
    opening.mockRestore();
    // A file that takes long to read is shown after half a second.
    const step = async (): Promise<unknown> => (await send(owner, "GET", `${record(id)}process/`)).body.step;
    await expect.poll(step).toBe("reading");
    return {
      goOn: async () => {
        held.resolve();
        await worker.drain();
      },
    };
  }

  it("keeps a document pending until its words can be found, and shows its pages to those who may see it", async () => {
    const { id, address } = await make({ title: "Kelp", access: "public" });
    await put(address, buildPdf({ pages: [{ width: 612, height: 792, lines: ["Bladderwrack"] }] }));
    const { goOn } = await readingOf(id);
    const search = "/api/documents/search/?q=bladderwrack";
    expect((await send(owner, "GET", record(id))).body).toMatchObject({ status: "pending", page_count: 1 });
    expect((await send(owner, "GET", `${record(id)}process/`)).body).toMatchObject({
      status: "pending",
      step: "reading",
      pages: 1,
    });
    const left = { doc_id: id, images: 1, texts: 1, text_positions: 1, pages: 1 };
    expect((await send(owner, "GET", "/api/documents/pending/")).body).toEqual([left]);
    const image = `/files/documents/${id}/pages/kelp-p1-small.gif`;
    expect((await app.fetch(image, { headers: owner.headers })).status).toBe(200);
    for (const target of [record(id), image]) expect((await send(null, "GET", target)).status).toBe(404);
    expect((await send(null, "GET", search)).body.count).toBe(0);
    await goOn();
    expect((await send(null, "GET", record(id))).body.status).toBe("success");
    expect((await send(null, "GET", search)).body.count).toBe(1);
  });

  it("keeps a document that failed pending while it is processed again, although it has pages", async () => {
    const { id, address } = await make({ access: "public" });
    await put(address, twoPages);
    const before = await readingOf(id);
    expect((await send(owner, "DELETE", `${record(id)}process/`)).status).toBe(200);
    await before.goOn();
    await addTexts(app.context, id, ["Half of it"]);
    const { goOn } = await readingOf(id);
    expect((await send(owner, "GET", record(id))).body.status).toBe("pending");
    expect((await send(null, "GET", record(id))).status).toBe(404);
    await goOn();
    expect((await send(null, "GET", record(id))).body.status).toBe("success");
  });

  it("keeps a document readable while it waits to be processed again", async () => {
    const { id, address } = await make({ title: "Report", access: "public" });
    await put(address, twoPages);
    await send(owner, "POST", `${record(id)}process/`);
    await worker.drain();
    const { slug } = (await send(null, "GET", record(id))).body;
    const text = async (): Promise<[number, string]> => {
      const answer = await app.fetch(`/files/documents/${id}/${slug}.txt`);
      return [answer.status, await answer.text()];
    };
    const before = await text();
    expect(before[0]).toBe(200);
    await worker.stop();
    expect((await send(owner, "POST", `${record(id)}process/`)).status).toBe(200);
    expect((await send(null, "GET", record(id))).body).toMatchObject({ status: "readable", page_count: 2 });
    expect(await text()).toEqual(before);
    expect((await send(null, "GET", `/api/documents/search/?q=id:${id}`)).body.count).toBe(1);
    worker.start();
    await worker.drain();
    expect((await send(null, "GET", record(id))).body.status).toBe("success");
    expect(await text()).toEqual(before);
  });

  it("processes several documents, and cancels processing on request", async () => {
    const made = [await make(), await make()];
    for (const { address } of made) await put(address, twoPages);
    const ids = made.map(({ id }) => id);
    expect((await send(owner, "POST", "/api/documents/process/", { ids })).status).toBe(200);
    await worker.drain();
    for (const id of ids) expect((await send(owner, "GET", record(id))).body.status).toBe("success");
    await worker.stop();
    const [id = 0] = ids;
    await send(owner, "POST", `${record(id)}process/`);
    expect((await send(owner, "GET", record(id))).body.status).toBe("readable");
    const pending = { doc_id: id, images: 2, texts: 2, text_positions: 2, pages: 2 };
    expect((await send(owner, "GET", "/api/documents/pending/")).body).toEqual([pending]);
    expect((await send(owner, "GET", `${record(id)}pending/`)).body).toEqual(pending);
    for (const done of [0, 1, 2]) {
      const progress = {
        document_id: id,
        step: "reading",
        done,
        total: 2,
        at: "2025-01-31T12:00:00.000000Z",
      };
      await app.context.database.write(async (writer) => {
        await writer.deleteFrom("document_progress").where("document_id", "=", id).execute();
        await writer.insertInto("document_progress").values(progress).execute();
      });
      const left = 2 - done;
      const shown = { doc_id: id, images: left, texts: left, text_positions: left, pages: 2 };
      expect((await send(owner, "GET", "/api/documents/pending/")).body).toEqual([shown]);
      expect((await send(owner, "GET", `${record(id)}pending/`)).body).toEqual(shown);
    }
    expect((await send(stranger, "GET", "/api/documents/pending/")).body).toEqual([]);
    expect((await send(null, "GET", "/api/documents/pending/")).body).toEqual([]);
    expect((await send(owner, "GET", `${record(ids[1] ?? 0)}pending/`)).body).toEqual({});
    expect(await send(owner, "POST", `${record(id)}process/`)).toMatchObject({
      status: 400,
      body: { error: `Already processing: ${id}` },
    });
    expect((await send(owner, "DELETE", `${record(id)}process/`)).status).toBe(200);
    worker.start();
    await worker.drain();
    expect((await send(owner, "GET", record(id))).body.status).toBe("error");
    const { body } = await send(owner, "GET", `${record(id)}errors/`);
    expect(body.results).toMatchObject([{ message: "Processing was cancelled" }]);
  });
});
