import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { inflateSync } from "node:zlib";
import { sql } from "kysely";
import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { Writer } from "../../../database/database.ts";
import { unlessAbsent } from "../../../files/unless-absent.ts";
import { reasonOf } from "../../../errors.ts";
import type { PageWord } from "../../../processing/pdfium/page-words.ts";
import { buildFormPdf } from "../../../testing/form-pdf.ts";
import { jobOn } from "../../../testing/job-queue.ts";
import { partOfPage, partsPerDocument } from "../../../search/parts.ts";
import type { Person } from "../../../testing/people.ts";
import { type PagePlan, type PdfObject, buildPdf, writePdf } from "../../../testing/pdf.ts";
import type { Reply } from "../../../testing/requests.ts";
import { type TestEngine, engines, useApp } from "../../../testing/test-app.ts";
import { useWorker } from "../../../testing/use-worker.ts";
import { redactDocument } from "./redact-document.ts";
import { redactingFailed } from "./redacting-failed.ts";
import { turnBox } from "../pages/turn-page.ts";
import { isInFull, runsOn } from "../../../testing/runs.ts";
import { scanOf } from "../../../testing/scan.ts";

const record = (id: number): string => `/api/documents/${id}/`;

const stream = (text: string, dictionary = ""): PdfObject => ({ dictionary, stream: Buffer.from(text) });

const shown = (lines: string[], more = ""): string =>
  `BT /F1 14 Tf 20 TL 72 700 Td ${lines.map((line) => `(${line}) Tj T*`).join(" ")} ET ${more}`;

/** No larger than the lines need: every redacted page is drawn and recognised at 300 dots per inch. */
const pageSize = { width: 480, height: 250 };

/** A page of this size, or of the size that its lines need. */
const pageOf = (lines: string[], rotate: 0 | 90 | 180 | 270, size?: typeof pageSize): PagePlan => {
  const letters = Math.max(...lines.map((line) => line.length));
  return { ...(size ?? { width: 100 + 7 * letters, height: 95 + 16 * lines.length }), lines, rotate };
};

const plain = (lines: string[][], rotate: 0 | 90 | 180 | 270 = 0, size?: typeof pageSize): Uint8Array =>
  buildPdf({ pages: lines.map((one) => pageOf(one, rotate, size)) });

/** A file that becomes a PDF, whose page is no larger than its words. */
const scan = await scanOf(["The witness is Alexandrova"], { width: 400, height: 100 });

const filledIn = (value: string, bottom: number) => ({
  subtype: "Widget" as const,
  rectangle: [100, bottom, 300, bottom + 20] as const,
  value,
  appearance: value,
  more: `/DV (${value}) /TU (${value})`,
});

async function* contentOf(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}

/** Two pages that share one content list, with the name everywhere that a file can have it. */
function buildTellingPdf(name: string): Uint8Array {
  const half = Math.floor(name.length / 2);
  const hidden = `BT 3 Tr /F1 14 Tf 72 500 Td [(${name.slice(0, half)}) -20 (${name.slice(half)})] TJ ET`;
  return writePdf(
    [
      "<< /Type /Catalog /Pages 2 0 R /Outlines 9 0 R /Metadata 11 0 R /AcroForm << /Fields [14 0 R] >> " +
        "/Names << /EmbeddedFiles << /Names [(note) 12 0 R] >> >> >>",
      "<< /Type /Pages /Count 2 /Kids [4 0 R 6 0 R] >>",
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 280 480 730] /Resources 8 0 R /Contents 5 0 R
        /Annots [<< /Type /Annot /Subtype /Text /Rect [400 600 420 620] /Contents (${name}) >> 15 0 R]
        /PieceInfo << /Editor << /Private (${name}) >> >> >>`,
      stream(shown(["The witness", `is ${name} today`, "in the morning"], `${hidden} /Seal Do`)),
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 280 480 730] /Resources 8 0 R /Contents 7 0 R /Annots [16 0 R] >>",
      stream(shown(["The second page"])),
      "<< /Font << /F1 3 0 R >> /XObject << /Seal 10 0 R >> >>",
      `<< /Type /Outlines /First 13 0 R /Last 13 0 R /Count 1 >>`,
      stream(
        `BT /F1 14 Tf 72 400 Td (${name}) Tj ET`,
        "/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>",
      ),
      stream(`<x:xmpmeta>${name}</x:xmpmeta>`, "/Type /Metadata /Subtype /XML"),
      `<< /Type /Filespec /F (${name}.txt) /EF << /F 17 0 R >> >>`,
      `<< /Title (${name}) /Parent 9 0 R /Dest [4 0 R /Fit] >>`,
      "<< /T (form) /Kids [15 0 R 16 0 R] >>",
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (who) /V (${name}) /Parent 14 0 R /Rect [72 300 300 320] /P 4 0 R
        /DA (/F1 12 Tf 0 g) /AP << /N 18 0 R >> >>`,
      "<< /Type /Annot /Subtype /Widget /FT /Tx /T (where) /V (Elsewhere) /Parent 14 0 R /Rect [72 300 300 320] " +
        "/P 6 0 R /DA (/F1 12 Tf 0 g) /AP << /N 19 0 R >> >>",
      stream(`a note on ${name}`, "/Type /EmbeddedFile"),
      ...[name, "Elsewhere"].map((text) =>
        stream(
          `/Tx BMC BT /F1 12 Tf 2 5 Td (${text}) Tj ET EMC`,
          "/Type /XObject /Subtype /Form /BBox [0 0 228 20] /Resources << /Font << /F1 3 0 R >> >>",
        ),
      ),
      `<< /Title (${name}) >>`,
    ],
    "/Root 1 0 R /Info 20 0 R",
  );
}

/** Everything that a PDF contains, extracted independently of the application. */
function takenApart(pdf: Buffer): string {
  const whole = pdf.toString("latin1");
  const streams = [...whole.matchAll(/stream\r?\n([^]*?)\r?\nendstream/g)].map(([, packed = ""]) => {
    try {
      return inflateSync(Buffer.from(packed, "latin1")).toString("latin1");
    } catch {
      return packed;
    }
  });
  // Pixels may be millions of opening brackets.
  const drawn = streams.map((text) => [...text.matchAll(/\(([^()]*)\)/g)].map(([, part]) => part).join(""));
  return [whole, ...streams, ...drawn].join("\n");
}

const boxAround = ({ x1, x2, y1, y2 }: PageWord): Record<string, number> => ({
  x1: Math.max(0, x1 - 0.003),
  x2: Math.min(1, x2 + 0.003),
  y1: Math.max(0, y1 - 0.003),
  y2: Math.min(1, y2 + 0.003),
  page_number: 0,
});

type Statement = (writer: Writer) => Promise<unknown>;

/**
 * Make an entry in the index for a word on the first page when an occurrence of an entity is removed, and stop that.
 */
const plantedEntry: Readonly<Record<TestEngine, [plant: Statement, remove: Statement]>> = {
  sqlite: [
    (writer) =>
      sql`create trigger planted after delete on entity_occurrences begin
        insert into document_words (rowid, words)
          values (old.document_id * ${sql.lit(partsPerDocument)} + ${sql.lit(partOfPage(0))}, 'alexandrova');
      end`.execute(writer),
    (writer) => sql`drop trigger planted`.execute(writer),
  ],
  postgres: [
    async (writer) => {
      await sql`create function planted() returns trigger language plpgsql as $$ begin
        insert into document_words (document_id, part, stretch, words)
          values (old.document_id, ${sql.lit(partOfPage(0))}, 9, to_tsvector('simple', 'alexandrova'));
        return null;
      end $$`.execute(writer);
      await sql`create trigger planted after delete on entity_occurrences
        for each row execute function planted()`.execute(writer);
    },
    (writer) => sql`drop function planted cascade`.execute(writer),
  ],
};

/** The bytes of all files in a folder. What a job removes meanwhile is left out. */
async function bytesBelow(folder: string): Promise<Buffer> {
  const entries = (await unlessAbsent(readdir(folder, { withFileTypes: true }))) ?? [];
  const all = entries.map(async (entry) => {
    const at = path.join(folder, entry.name);
    if (entry.isDirectory()) return bytesBelow(at);
    return (await unlessAbsent(readFile(at))) ?? Buffer.alloc(0);
  });
  return Buffer.concat(await Promise.all(all));
}

describe.each(engines)("redactions on %s", (engine) => {
  const app = useApp(engine);
  const owner = app.person("owner", { organizations: [1] });
  const stranger = app.person("stranger", { organizations: [2] });
  const worker = useWorker(app);

  const { send } = app;

  async function processed(bytes: Uint8Array, values: object = {}): Promise<number> {
    const { body } = await send(owner, "POST", "/api/documents/", { title: "Minutes", ...values });
    const init = { method: "PUT", body: bytes as NonNullable<RequestInit["body"]> };
    expect((await fetch(body.presigned_url, init)).status).toBe(200);
    await send(owner, "POST", `${record(body.id)}process/`, {});
    await worker.drain();
    expect(await failures(body.id)).toEqual([]);
    return body.id;
  }

  /** The document's receipts of failed steps, with their reasons. */
  const failures = async (id: number): Promise<unknown[]> =>
    (await send(owner, "GET", `${record(id)}receipts/`)).body.results.filter(
      ({ outcome }: Reply["body"]) => outcome !== "done",
    );

  const asset = async (id: number, name: string): Promise<Buffer> => {
    const answer = await app.fetch(`/files/documents/${id}/${name}`, { headers: owner.headers });
    return Buffer.from(await answer.arrayBuffer());
  };
  const text = async (id: number, page: number): Promise<string> =>
    (await asset(id, `pages/minutes-p${page + 1}.txt`)).toString();
  const words = async (id: number, page: number): Promise<PageWord[]> =>
    JSON.parse((await asset(id, `pages/minutes-p${page + 1}.position.json`)).toString()) as PageWord[];
  const found = async (q: string): Promise<string[]> =>
    (await send(owner, "GET", `/api/documents/search/?q=${encodeURIComponent(q)}`)).body.results.map(
      ({ id }: { id: string }) => id,
    );
  const vocabulary = async (word: string): Promise<number> => {
    const column = engine === "sqlite" ? "term" : "word";
    const { rows } = await sql`select 1 from search_vocabulary where ${sql.ref(column)} = ${word}`.execute(
      app.context.database.reader,
    );
    return rows.length;
  };

  /**
   * All bytes in the data folder, including those of a database in it. The files are read as they are: the database is
   * not told to write out or clean up anything first.
   */
  const everyByte = async (): Promise<string> =>
    (await bytesBelow(app.context.config.data)).toString("latin1");

  async function upload(): Promise<number> {
    const { body } = await send(owner, "POST", "/api/documents/", { title: "Minutes" });
    await fetch(body.presigned_url, { method: "PUT", body: plain([["One page"]]) as never });
    await send(owner, "POST", `${record(body.id)}process/`, {});
    return body.id;
  }

  it("leave no hidden word in the data folder once the document is success, even with readers", async () => {
    const name = "Konstantinopolskaya";
    const id = await processed(plain([[`The witness is ${name}`], ["The second page"]]));
    for (const size of ["xlarge", "large", "normal", "small", "thumbnail"]) {
      await asset(id, `pages/minutes-p1-${size}.gif`);
    }
    const isInFolder = new RegExp(name, "i").test(await everyByte());
    expect(isInFolder || engine === "postgres").toBe(true);
    const hidden = (await words(id, 0)).find((word) => word.text === name) as PageWord;
    const reading =
      engine === "sqlite" ? new DatabaseSync(path.join(app.context.config.data, "quire.sqlite")) : null;
    reading?.exec("begin; select count(*) from documents");
    const clearing = vi.spyOn(app.context.database, "clearLog");
    await send(owner, "POST", `${record(id)}redactions/`, [boxAround(hidden)]);
    await vi.waitUntil(() => clearing.mock.calls.length > 0, { timeout: 60_000 });
    const { status } = (await send(owner, "GET", record(id))).body;
    // Concurrent readers do not hinder PostgreSQL.
    expect(reading === null || status === "pending").toBe(true);
    reading?.exec("commit");
    reading?.close();
    clearing.mockRestore();
    await vi.waitUntil(async () => (await send(owner, "GET", record(id))).body.status !== "pending", {
      timeout: 60_000,
    });
    const bytes = await everyByte();
    expect(bytes).not.toMatch(new RegExp(`${name}|${name.slice(0, 12)}`, "i"));
    expect((await send(owner, "GET", record(id))).body.status).toBe("success");
    await worker.drain();
  });

  it("leave the document as it was when they fail or are cancelled", async () => {
    const box = { x1: 0.1, x2: 0.2, y1: 0.1, y2: 0.2, page_number: 0 };
    await worker.stop();
    const ids = [await upload(), await upload()];
    worker.start();
    await worker.drain();
    await worker.stop();
    const [failing = 0, cancelled = 0] = ids;
    for (const id of ids) {
      await send(owner, "PATCH", record(id), { access: "public" });
      expect((await send(owner, "POST", `${record(id)}redactions/`, [box])).status).toBe(201);
    }
    expect((await send(owner, "DELETE", `${record(cancelled)}process/`)).status).toBe(200);
    await app.context.files.put(`documents/${failing}/minutes.pdf`, contentOf("broken"));
    worker.start();
    await worker.drain();
    for (const [id, step] of [[failing, "redacted"] as const, [cancelled, "cancelled"] as const]) {
      expect((await send(null, "GET", record(id))).body).toMatchObject({
        status: "success",
        access: "public",
      });
      expect((await failures(id)).at(-1)).toMatchObject({ step, outcome: "failed" });
      expect(await text(id, 0)).toBe("One page");
    }
    const rewrites = await app.context.database.reader.selectFrom("document_rewrites").selectAll().execute();
    expect(rewrites).toEqual([]);
  });

  it("leave the old document whole when they are interrupted, and are completed by the next worker", async () => {
    const id = await processed(plain([["The witness is Alexandrova"], ["The second page"]]));
    await worker.stop();
    const file = await asset(id, "minutes.pdf");
    const hidden = (await words(id, 0)).find((word) => word.text === "Alexandrova");
    await send(owner, "POST", `${record(id)}redactions/`, [boxAround(hidden as PageWord)]);
    const job = jobOn(id);
    const { pdfs, ocr } = app.context;
    for (const step of ["start", "read", "assemble", "find"] as const) {
      const interruption = new AbortController();
      const at = <Work extends (...given: never[]) => unknown>(name: typeof step, work: Work): Work =>
        ((...given) => {
          if (step === name) interruption.abort(new Error("interrupted"));
          return work(...given);
        }) as Work;
      const context = {
        ...app.context,
        pdfs: {
          ...pdfs,
          assemble: at("assemble", pdfs.assemble.bind(pdfs)),
          find: at("find", pdfs.find.bind(pdfs)),
        },
        ocr: { ...ocr, read: at("read", ocr.read.bind(ocr)) },
      };
      if (step === "start") interruption.abort(new Error("interrupted"));
      await expect(redactDocument(context, job, interruption.signal)).rejects.toThrow("interrupted");
      expect((await asset(id, "minutes.pdf")).equals(file)).toBe(true);
      expect(await text(id, 0)).toBe("The witness is Alexandrova");
    }
    worker.start();
    await worker.drain();
    expect((await send(owner, "GET", record(id))).body.status).toBe("success");
    expect(await text(id, 0)).not.toContain("Alexandrova");
    expect(await text(id, 1)).toBe("The second page");
  });

  // What is left in the file, which no engine can change.
  if (!isInFull(engine)) return;

  it("hide every mention of a name that is listed, over line ends too", async () => {
    const lines = [
      ["Judge HOLLOWAY heard Ada", "Hollow\u00e1y, and asked", "Holloway's clerk about Hollow", "Street."],
      ["Nobody was there"],
      ["The judge, Ms Hollo-", "way, left"],
    ];
    const id = await processed(plain(lines), { access: "public" });
    const list = async (q: string): Promise<Reply> =>
      send(owner, "GET", `${record(id)}mentions/?q=${encodeURIComponent(q)}`);
    const { status, body } = await list("hollow\u00c1y");
    expect([status, body.next, body.pages_without_text]).toEqual([200, null, []]);
    const mentions = body.results.flatMap((page: Reply["body"]) =>
      page.mentions.map((one: Reply["body"]) => [page.page_number, one.text, one.boxes.length]),
    );
    expect(mentions).toEqual([
      [0, "HOLLOWAY", 1],
      [0, "Hollow\u00e1y,", 1],
      [0, "Holloway's", 1],
      [2, "Hollo- way,", 2],
    ]);
    expect(body.results[0].mentions[0]).toMatchObject({
      before: "Judge",
      after: expect.stringMatching(/^heard Ada/),
    });
    expect((await list("ada  holloway")).body.results).toMatchObject([
      { page_number: 0, unplaced: 0, mentions: [{ text: "Ada Hollow\u00e1y,", boxes: [{}, {}] }] },
    ]);
    expect((await list("hollow*")).body.results[0].mentions).toHaveLength(4);
    expect(await list("- !")).toMatchObject({ status: 200, body: { next: null, results: [] } });
    expect((await send(stranger, "GET", `${record(id)}mentions/?q=a`)).status).toBe(403);
    expect((await send(null, "GET", `${record(id)}mentions/?q=a`)).status).toBe(403);
    const boxes = body.results.flatMap((page: Reply["body"]) =>
      page.mentions.flatMap((mention: Reply["body"]) =>
        mention.boxes.map((box: object) => ({ ...box, page_number: page.page_number })),
      ),
    );
    expect((await send(owner, "POST", `${record(id)}redactions/`, boxes)).status).toBe(201);
    await worker.drain();
    expect((await send(owner, "GET", record(id))).body).toMatchObject({
      status: "success",
      access: "public",
    });
    expect((await list("holloway")).body.results).toEqual([]);
    expect(takenApart(await asset(id, "minutes.pdf"))).not.toMatch(/hollo-|holloway/i);
    // The text of a page that a client sends without positions cannot be located.
    const pages = [
      { page_number: 1, text: "Holloway was there" },
      { page_number: 2, text: "" },
    ];
    expect((await send(owner, "PATCH", record(id), { pages })).status).toBe(200);
    expect((await list("holloway")).body).toMatchObject({
      pages_without_text: [2],
      results: [{ page_number: 1, mentions: [], unplaced: 1 }],
    });
  });

  it("remove a name from everywhere in a file, and leave the rest", async () => {
    const name = "Alexandrova";
    const id = await processed(buildTellingPdf(name), { access: "public" });
    await asset(id, "pages/minutes-p1-large.gif");
    const boxes = (await words(id, 0)).filter((word) => word.text === name).map((word) => boxAround(word));
    expect(boxes.length).toBeGreaterThanOrEqual(3);
    const hidden = boxes.length;
    boxes.push({ x1: 0.1, x2: 0.7, y1: 0.9, y2: 0.97, page_number: 0 });
    // The file that is attached is a document, too, and goes with it.
    const family = (await send(owner, "GET", `${record(id)}family/`)).body;
    const attached = family.children.map((child: { id: number }) => String(child.id));
    expect(new Set(await found(name))).toEqual(new Set([String(id), ...attached]));
    const entity = (await send(owner, "POST", "/api/entities/", { wikidata_id: "Q1" })).body.id as number;
    const occurrences = [{ page: 0, offset: 15, page_offset: 15, content: name }];
    const reply = await send(owner, "POST", `${record(id)}entities/`, { entity, occurrences });
    expect(reply).toMatchObject({ status: 201, body: { occurrences } });
    const { status, body } = await send(owner, "POST", `${record(id)}redactions/`, boxes);
    expect([status, body]).toEqual([201, boxes]);
    expect((await send(null, "GET", record(id))).status).toBe(404);
    expect((await send(owner, "GET", record(id))).body.status).toBe("pending");
    expect((await send(null, "GET", `${record(id)}entities/`)).status).toBe(404);
    await worker.drain();
    expect((await send(null, "GET", `${record(id)}entities/`)).body.results).toEqual([]);
    expect((await send(null, "GET", `/api/entities/${entity}/`)).status).toBe(200);
    const { body: after } = await send(null, "GET", record(id));
    expect(after).toMatchObject({ status: "success", page_count: 2, access: "public" });
    const apart = takenApart(await asset(id, "minutes.pdf"));
    expect(apart).not.toMatch(new RegExp(`${name}|Seal|xmpmeta|PieceInfo|Outlines`));
    expect(apart).toContain("The second page");
    expect(await text(id, 0)).not.toContain("Alex");
    expect(await text(id, 0)).toMatch(/The witness[^]*today[^]*in the morning/);
    expect(await text(id, 1)).toContain("The second page");
    expect((await words(id, 0)).map((word) => word.text).join(" ")).not.toContain("Alex");
    expect((await words(id, 1)).map((word) => word.text).join(" ")).toBe("The second page Elsewhere");
    expect(await found(name)).toEqual([]);
    expect(await found("alexandrov*")).toEqual([]);
    expect(await found("witness")).toContain(String(id));
    expect(await vocabulary("alexandrova")).toBe(0);
    expect(await vocabulary("witness")).toBe(1);
    const rows = await app.context.database.reader.selectFrom("document_pages").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(name);
    expect(await everyByte()).not.toMatch(new RegExp(name, "i"));
    const { results } = (await send(owner, "GET", `${record(id)}receipts/`)).body;
    expect(results.at(-1)).toMatchObject({ step: "redacted", outcome: "done", pages: [1], words: hidden });
    expect(results.at(-1).checked).toEqual(["pdf", "pixels", "text", "positions", "index", "files"]);
    const history = (await send(owner, "GET", `${record(id)}history/`)).body.results;
    expect(history[0]).toMatchObject({ action: "redacted", user: owner.id });
    expect(JSON.stringify(history)).not.toContain(name);
  });

  it("list other pages with a visible hidden word in the receipt, and fail if it is invisible there", async () => {
    const hide = async (drawing: string): Promise<number> => {
      const page = { ...pageSize, lines: ["The witness is Alexandrova"] };
      const id = await processed(buildPdf({ pages: [page, { ...page, lines: ["Another page"], drawing }] }), {
        access: "public",
      });
      const hidden = (await words(id, 0)).find((word) => word.text === "Alexandrova") as PageWord;
      await send(owner, "POST", `${record(id)}redactions/`, [boxAround(hidden)]);
      await worker.drain();
      return id;
    };
    const shownThere = await hide("BT /F1 14 Tf 72 100 Td (ALEXANDROVA) Tj ET");
    const { results } = (await send(owner, "GET", `${record(shownThere)}receipts/`)).body;
    expect(results.at(-1)).toMatchObject({ step: "redacted", standing: [{ page: 2, seen: 1, unseen: 0 }] });
    expect((await send(null, "GET", record(shownThere))).body.status).toBe("success");
    const hiddenThere = await hide("BT 3 Tr /F1 14 Tf 72 100 Td (Alexandrova) Tj ET");
    expect((await send(owner, "GET", record(hiddenThere))).body.status).toBe("success");
    expect(await found("alexandrova")).toContain(String(hiddenThere));
    const errors = (await send(owner, "GET", `${record(hiddenThere)}errors/`)).body.results;
    expect(errors[0].message).toBe(
      "Hidden content of page 1 can still be found in text that cannot be seen, on page 2: nothing was published",
    );
  });

  it("remove hidden form values from their fields, and leave the other fields", async () => {
    const annotations = [filledIn("Alexandrovna", 160), filledIn("Beekeeping", 60)];
    const lines = [
      { text: "Name:", left: 50, bottom: 165 },
      { text: "Reason:", left: 50, bottom: 65 },
    ];
    const xfa = "<xfa:data><name>Alexandrovna</name></xfa:data>";
    const { height } = pageSize;
    const pagesAfter = ["The second page"];
    const id = await processed(buildFormPdf({ height, lines, annotations, xfa, pagesAfter }));
    expect(await text(id, 0)).toBe("Name: Alexandrovna\nReason: Beekeeping");
    expect(await found("alexandrovna")).toEqual([String(id)]);
    const boxes = (await words(id, 0)).filter((word) => word.text === "Alexandrovna");
    expect(boxes).toHaveLength(1);
    await send(
      owner,
      "POST",
      `${record(id)}redactions/`,
      boxes.map((word) => boxAround(word)),
    );
    await worker.drain();
    expect((await send(owner, "GET", `${record(id)}errors/`)).body.results).toEqual([]);
    expect(takenApart(await asset(id, "minutes.pdf"))).not.toMatch(/Alexandrovna|AcroForm|xfa/);
    expect(await text(id, 0)).not.toContain("Alexandrovna");
    expect(await text(id, 0)).toContain("Beekeeping");
    expect(await found("alexandrovna")).toEqual([]);
    expect((await words(id, 0)).map((word) => word.text)).not.toContain("Alexandrovna");
  });

  it("leave form values on other pages", async () => {
    const id = await processed(
      buildFormPdf({
        height: pageSize.height,
        lines: [{ text: "Name:", left: 50, bottom: 165 }],
        annotations: [filledIn("Alexandrovna", 160), filledIn("Beekeeping", 60)],
        pagesAfter: ["The witness Alexandrovna"],
      }),
    );
    const boxes = [{ x1: 0, x2: 1, y1: 0, y2: 1, page_number: 1 }];
    await send(owner, "POST", `${record(id)}redactions/`, boxes);
    await worker.drain();
    expect((await send(owner, "GET", `${record(id)}errors/`)).body.results).toEqual([]);
    expect(await text(id, 0)).toBe("Name: Alexandrovna\nBeekeeping");
    expect((await words(id, 0)).map((word) => word.text)).toContain("Alexandrovna");
    expect(await text(id, 1)).toBe("");
  });

  it("can hide words that every PDF contains, and parts of longer words that stay", async () => {
    const hidden = "Page 2000 of Type with Font Width Smith Image";
    const id = await processed(plain([[hidden], ["Smithson came in 20001"]]));
    const boxes = [{ x1: 0, x2: 1, y1: 0, y2: 1, page_number: 0 }];
    await send(owner, "POST", `${record(id)}redactions/`, boxes);
    await worker.drain();
    expect((await send(owner, "GET", `${record(id)}errors/`)).body.results).toEqual([]);
    expect((await send(owner, "GET", record(id))).body.status).toBe("success");
    expect([await text(id, 0), await text(id, 1)]).toEqual(["", "Smithson came in 20001"]);
    expect(takenApart(await asset(id, "minutes.pdf"))).not.toMatch(/Smith\b|with Font/);
  });

  it("remove the file that a PDF was made from", async () => {
    const id = await processed(scan, { original_extension: "png" });
    const hidden = (await words(id, 0)).find((word) => word.text === "Alexandrova");
    expect(await app.context.files.stat(`documents/${id}/original/minutes.png`)).not.toBeNull();
    const boxes = [boxAround(hidden as PageWord)];
    expect((await send(owner, "POST", `${record(id)}redactions/`, boxes)).status).toBe(201);
    await worker.drain();
    expect((await send(owner, "GET", record(id))).body).toMatchObject({
      status: "success",
      original_extension: "pdf",
    });
    expect(await app.context.files.stat(`documents/${id}/original/minutes.png`)).toBeNull();
    expect(await text(id, 0)).not.toContain("Alexandrova");
    // The rest takes as long on every engine, and tests nothing more of the engine.
    if (!isInFull(engine)) return;
    // The document is now a scan with recognised words.
    const scanned = (await words(id, 0)).find((word) => word.text === "witness");
    await send(owner, "POST", `${record(id)}redactions/`, [boxAround(scanned as PageWord)]);
    await worker.drain();
    expect((await send(owner, "GET", `${record(id)}receipts/`)).body.results.at(-1)).toMatchObject({
      step: "redacted",
      words: 1,
    });
    expect((await asset(id, "minutes.txt.json")).toString()).not.toContain("witness");
    expect((await words(id, 0)).map((word) => word.text)).not.toContain("witness");
    expect(await found(`witness document:${id}`)).toEqual([]);
    await send(owner, "POST", `${record(id)}process/`, {});
    await worker.drain();
    expect((await send(owner, "GET", record(id))).body.status).toBe("success");
    expect(await text(id, 0)).not.toContain("Alexandrova");
  });

  const everything = [{ x1: 0, x2: 1, y1: 0, y2: 1, page_number: 0 }];

  /** That the document was withheld, or is as it was, and why. */
  async function expectFailure(id: number, message: string, isWithheld = true): Promise<void> {
    const [status, access] = isWithheld ? ["error", "private"] : ["success", "public"];
    expect((await send(owner, "GET", record(id))).body).toMatchObject({ status, access });
    expect((await send(null, "GET", record(id))).status).toBe(isWithheld ? 404 : 200);
    expect(await failures(id)).toMatchObject([{ step: "redacted", outcome: "failed", message }]);
  }

  it("fail if the file that the PDF was made from cannot be removed", async () => {
    const id = await processed(scan, { original_extension: "png", access: "public" });
    const { files } = app.context;
    const remove = files.deleteFolder.bind(files);
    const removing = vi.spyOn(files, "deleteFolder").mockImplementation(async (key) => {
      if (!key.endsWith("/original")) await remove(key);
    });
    await send(owner, "POST", `${record(id)}redactions/`, everything);
    await worker.drain();
    removing.mockRestore();
    await expectFailure(id, "The file that the PDF was made from could not be removed");
    expect((await send(owner, "GET", record(id))).body.original_extension).toBe("png");
    expect(await files.stat(`documents/${id}/original/minutes.png`)).not.toBeNull();
  });

  it("fail if a hidden word is left in the index", async () => {
    const id = await processed(plain([["Alexandrova"]]), { access: "public" });
    const entity = (await send(owner, "POST", "/api/entities/", { wikidata_id: "Q2" })).body.id as number;
    const occurrences = [{ page: 0, offset: 0, page_offset: 0, content: "Alexandrova" }];
    const added = await send(owner, "POST", `${record(id)}entities/`, { entity, occurrences });
    expect(added.status).toBe(201);
    // The occurrence is removed after the page was indexed again, and brings back an entry.
    const [plant, remove] = plantedEntry[engine];
    await app.context.database.write(plant);
    await send(owner, "POST", `${record(id)}redactions/`, everything);
    await worker.drain();
    await app.context.database.write(remove);
    await expectFailure(
      id,
      "Hidden content of page 1 can still be found in the index: nothing was published",
    );
  });

  it("leave no image of the old file, not even one that is stored late", async () => {
    const id = await processed(plain([["The witness is Alexandrova"], ["The second page"]]));
    const { database, files } = app.context;
    const { file_hash } = (await send(owner, "GET", record(id))).body;
    const late = `documents/${id}/images/${file_hash}/p1-large.gif`;
    const clear = database.clearLog.bind(database);
    const clearing = vi.spyOn(database, "clearLog").mockImplementationOnce(async (signal) => {
      await files.put(late, contentOf("late"));
      await clear(signal);
    });
    await send(owner, "POST", `${record(id)}redactions/`, everything);
    await worker.drain();
    expect([clearing.mock.calls.length, await files.stat(late)]).toEqual([1, null]);
    clearing.mockRestore();
    expect((await send(owner, "GET", record(id))).body.status).toBe("success");
    // Neither does a worker that takes over the job of one that died after it had published the result.
    await files.put(late, contentOf("late"));
    await redactDocument(app.context, jobOn(id), new AbortController().signal);
    expect(await Array.fromAsync(files.folders(`documents/${id}/images`))).toEqual([]);
    expect(await text(id, 1)).toBe("The second page");
  });

  it("are refused with all their faults", async () => {
    const id = await processed(plain([["One page"]]));
    const to = `${record(id)}redactions/`;
    const good = { x1: 0.1, x2: 0.2, y1: 0.1, y2: 0.2, page_number: 0 };
    for (const [sent, body] of [
      [good, { non_field_errors: ['Expected a list of items but got type "dict".'] }],
      [[{ ...good, page_number: 1 }], [{ page_number: ["Must be a valid page for the document"] }]],
      [
        [good, { ...good, page_number: -1 }],
        [{}, { page_number: ["Must be a valid page for the document"] }],
      ],
      [[{ ...good, x1: 0.3 }], [{ non_field_errors: ["`x1` must be less than `x2`"] }]],
      [[{ ...good, y1: 0.2 }], [{ non_field_errors: ["`y1` must be less than `y2`"] }]],
      [[{ ...good, x2: 1.1 }], [{ x2: ["Ensure this value is less than or equal to 1.0."] }]],
      [[{ ...good, x1: "a" }], [{ x1: ["A valid number is required."] }]],
      [[{}], [Object.fromEntries(Object.keys(good).map((key) => [key, ["This field is required."]]))]],
    ] as const) {
      expect(await send(owner, "POST", to, sent)).toMatchObject({ status: 400, body });
    }
    expect((await send(owner, "GET", record(id))).body.status).toBe("success");
    // Somebody has replaced the file, or moved its pages, since the boxes were drawn.
    const error = `Document ${id} has another file than the one that was marked: mark this one`;
    for (const target of [to, `${record(id)}redacted_copies/`])
      expect(await send(owner, "POST", target, { redactions: [good], file_hash: "0" })).toMatchObject({
        status: 400,
        body: { error },
      });
    expect((await send(null, "POST", to, [good])).status).toBe(403);
    expect((await send(null, "POST", `${record(99_999)}redactions/`, [good])).status).toBe(403);
    expect((await send(stranger, "POST", to, [good])).status).toBe(404);
    expect((await send(owner, "GET", to)).status).toBe(405);
    await send(owner, "PATCH", record(id), { access: "public" });
    expect(await send(stranger, "POST", to, [good])).toMatchObject({
      status: 403,
      body: { detail: "You may not edit this document" },
    });
    const { body } = await send(owner, "POST", "/api/documents/", { title: "Minutes" });
    expect(await send(owner, "POST", `${record(body.id)}redactions/`, [])).toMatchObject({
      status: 400,
      body: { error: `Document ${body.id} has no PDF to change` },
    });
    await worker.stop();
    expect(await send(owner, "POST", to, [])).toMatchObject({ status: 201, body: [] });
    expect(await send(owner, "POST", to, [good])).toMatchObject({
      status: 400,
      body: { error: "Already processing" },
    });
    worker.start();
    await worker.drain();
    expect((await send(owner, "GET", record(id))).body.status).toBe("success");
    expect(await text(id, 0)).toBe("One page");
  });

  it("are not published if a hidden word is found, and report that without naming it", async () => {
    const id = await processed(plain([["The witness is Alexandrova"]]), { access: "public" });
    const hidden = (await words(id, 0)).find((word) => word.text === "Alexandrova") as PageWord;
    const file = await asset(id, "minutes.pdf");
    await worker.stop();
    await send(owner, "POST", `${record(id)}redactions/`, [boxAround(hidden)]);
    const page = { text: "Alexandrova", words: [hidden], confidence: 90, engine: "tess4" as const };
    const ocr = { ...app.context.ocr, read: () => Promise.resolve(page) };
    const job = jobOn(id);
    const { signal } = new AbortController();
    const failure = await redactDocument({ ...app.context, ocr }, job, signal).catch(
      (error: unknown) => error,
    );
    expect(String(failure)).toMatch(/of page 1 can still be found where it was: nothing was published/);
    expect((await asset(id, "minutes.pdf")).equals(file)).toBe(true);
    await redactingFailed(app.context, job, reasonOf(failure));
    expect((await send(null, "GET", record(id))).body).toMatchObject({ status: "success", access: "public" });
    const errorsFor = async (person: Person | null): Promise<{ message: string }[]> =>
      (await send(person, "GET", `${record(id)}errors/`)).body.results;
    const errors = await errorsFor(owner);
    // Readers do not learn where there is something to hide.
    expect(await errorsFor(null)).toEqual([]);
    expect(errors[0]?.message).toMatch(/^Hidden content of page 1 (?!.*Alexandrova)/);
    worker.start();
    await worker.drain();
  });

  it("that fail after the new file is in place leave a record with its hash, and not with the old one", async () => {
    const id = await processed(plain([["The witness is Alexandrova"]]));
    const hashBefore = (await send(owner, "GET", record(id))).body.file_hash;
    await worker.stop();
    await send(owner, "POST", `${record(id)}redactions/`, [{ x1: 0, x2: 1, y1: 0, y2: 1, page_number: 0 }]);
    const job = jobOn(id);
    const clearing = vi.spyOn(app.context.database, "clearLog").mockRejectedValueOnce(new Error("no room"));
    const { signal } = new AbortController();
    await expect(redactDocument(app.context, job, signal)).rejects.toThrow("no room");
    clearing.mockRestore();
    await redactingFailed(app.context, job, "no room");
    const { file_hash, status } = (await send(owner, "GET", record(id))).body;
    const now = createHash("sha1")
      .update(await asset(id, "minutes.pdf"))
      .digest("hex");
    expect([status, file_hash, file_hash === hashBefore]).toEqual(["error", now, false]);
    worker.start();
    await worker.drain();
  });

  const vocabularyOfTests = [
    ..."harbour council minutes morning company record letter yellow garden bridge".split(" "),
    ..."market window summer doctor police number school family history building".split(" "),
  ];

  it("never leave a word that was entirely under a box, nor change a page without one", async () => {
    const line = fc.array(fc.constantFrom(...vocabularyOfTests), { minLength: 1, maxLength: 5 });
    const page = fc.array(line, { minLength: 1, maxLength: 6 });
    const fraction = fc.integer({ min: 0, max: 20 });
    const box = fc.record({ left: fraction, top: fraction, wide: fraction, high: fraction, page: fc.nat() });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(page, { minLength: 1, maxLength: 3 }),
        fc.array(box, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(0, 0, 90, 180, 270),
        async (pages, drawn, rotate) => {
          run += 1;
          // Every word is unique, so finding it identifies its position.
          let count = 0;
          const marked = pages.map((lines) =>
            lines.map((one) => one.map((word) => `${word}${run}x${(count += 1)}`).join(" ")),
          );
          const id = await processed(plain(marked, rotate, pageSize));
          const boxes = drawn.map(({ left, top, wide, high, page: index }) => ({
            ...turnBox(
              {
                x1: 0.1 + left / 40,
                x2: Math.min(1, 0.11 + left / 40 + wide / 40),
                y1: (63 + 4 * top) / pageSize.height,
                y2: Math.min(1, (79 + 4 * top + 4 * high) / pageSize.height),
              },
              rotate / 90,
            ),
            page_number: index % pages.length,
          }));
          const before = await Promise.all(pages.map((_, index) => words(id, index)));
          const textsBefore = await Promise.all(pages.map((_, index) => text(id, index)));
          await send(owner, "POST", `${record(id)}redactions/`, boxes);
          await worker.drain();
          expect(await failures(id)).toEqual([]);
          expect((await send(owner, "GET", record(id))).body.status).toBe("success");
          const apart = takenApart(await asset(id, "minutes.pdf"));
          const all = (await asset(id, "minutes.txt.json")).toString();
          for (const [index, old] of before.entries()) {
            const ofPage = boxes.filter(({ page_number }) => page_number === index);
            const isFree = ofPage.length === 0;
            expect(isFree ? await text(id, index) : null).toBe(isFree ? textsBefore[index] : null);
            for (const word of old) {
              const isUnder = ofPage.some(
                (one) => one.x1 <= word.x1 && one.x2 >= word.x2 && one.y1 <= word.y1 && one.y2 >= word.y2,
              );
              if (!isUnder) continue;
              expect(all).not.toMatch(new RegExp(`${word.text}\\b`));
              expect(apart).not.toMatch(new RegExp(`${word.text}\\b`));
              expect(await found(word.text)).toEqual([]);
              expect(await vocabulary(word.text)).toBe(0);
            }
          }
        },
      ),
      { numRuns: runsOn(engine, 4), endOnFailure: true },
    );
  });
});
