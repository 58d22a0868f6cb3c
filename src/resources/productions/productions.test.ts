import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ZipFile, fromBuffer } from "yauzl";
import type { ProducedDocument, Production } from "./shapes.ts";
import type { JobRunner } from "../../jobs/runner.ts";
import { openPdfReader } from "../../processing/pdf/pdf-pages.ts";
import { addDocuments } from "../../testing/factories.ts";
import { buildXlsx } from "../../testing/office.ts";
import { buildBrokenPdf, buildPdf } from "../../testing/pdf.ts";
import type { Reply } from "../../testing/requests.ts";
import { isInFull } from "../../testing/runs.ts";
import { sendFile } from "../../testing/sent-files.ts";
import { engines, useApp } from "../../testing/test-app.ts";
import { makeWorkFolder } from "../../work-folders.ts";
import { buildWorker } from "../../worker.ts";
import { removeEndedProductions } from "./remove-productions.ts";

const page = (line: string) => ({ width: 240, height: 120, lines: [line] });
const pdf = (...lines: string[]): Uint8Array => buildPdf({ pages: lines.map(page) });

const attachment = (name: string, bytes: Uint8Array): string[] => [
  "--x",
  `Content-Disposition: attachment; filename="${name}"`,
  "Content-Transfer-Encoding: base64",
  "",
  Buffer.from(bytes).toString("base64"),
];

const mail = (subject: string, ...attachments: string[][]): Uint8Array =>
  Buffer.from(
    [
      "From: Zoe <zoe@example.org>",
      "To: Adam <adam@example.org>",
      "Cc: Eve <eve@example.org>, fritz@example.org",
      "Date: Mon, 5 Feb 2024 10:20:30 +0100",
      `Subject: ${subject}`,
      'Content-Type: multipart/mixed; boundary="x"',
      "",
      "--x",
      "Content-Type: text/plain; charset=utf-8",
      "",
      "Please find it attached.",
      ...attachments.flat(),
      "--x--",
    ].join("\r\n"),
  );

const numbersOf = (results: ProducedDocument[]) => results.map(({ begin, end }) => [begin, end]);

async function* halfOfIt(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("half of it");
}

/** The files of an archive, by their names. */
async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const archive = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => (error === null ? resolve(zip) : reject(error))),
  );
  for await (const entry of archive.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await archive.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    files.set(entry.fileName, Buffer.concat(chunks));
  }
  return files;
}

/** A DAT file as a program for reviewing reads it. */
function readDat(bytes: Buffer | undefined): Record<string, string>[] {
  const text = String(bytes);
  expect(text.startsWith("\ufeff\u00feBEGBATES\u00fe\u0014")).toBe(true);
  const [head = [], ...lines] = text
    .slice(1)
    .trimEnd()
    .split("\r\n")
    .map((line) => line.slice(1, -1).split("\u00fe\u0014\u00fe"));
  return lines.map((values) => Object.fromEntries(head.map((name, index) => [name, values[index] ?? ""])));
}

/** The images of a document by its first number, as the OPT file has them. */
function readOpt(bytes: Buffer | undefined): Map<string, string[]> {
  const documents = new Map<string, string[]>();
  let images: string[] = [];
  for (const line of String(bytes).trimEnd().split("\r\n")) {
    const [number = "", volume, path = "", isFirst, , , pages] = line.split(",");
    expect(volume).toBe("VOL001");
    if (isFirst === "Y") documents.set(number, (images = []));
    images.push(path.replaceAll("\\", "/"));
    expect(pages !== "").toBe(isFirst === "Y");
  }
  return documents;
}

describe.each(engines)("productions on %s", (engine) => {
  const app = useApp(engine);
  let worker: JobRunner;
  const ada = app.person("ada", { organizations: [1] });
  const bob = app.person("bob", { organizations: [2] });
  beforeAll(async () => {
    worker = buildWorker(app.context);
    await addDocuments(app.context, [
      { id: 7001, user_id: 1, organization_id: 1, access: "organization", page_count: 3, title: "One" },
      { id: 7002, user_id: 1, organization_id: 1, access: "organization", page_count: 40, title: "Two" },
      { id: 7004, user_id: 1, organization_id: 1, access: "organization", status: "pending" },
      { id: 7003, user_id: 1, organization_id: 2, access: "private", title: "Three" },
    ]);
  });
  afterAll(() => worker.stop());

  const { send } = app;
  const make = (values: object): Promise<Reply> => send(ada, "POST", "/api/productions/", values);
  const shown = async (id: number): Promise<Production> =>
    (await send(ada, "GET", `/api/productions/${id}/`)).body as Production;

  it("never give a number of a prefix twice, also when they are made at once", async () => {
    const asked = Array.from({ length: 8 }, (_, index) => ({
      documents: index % 2 === 0 ? [7001, 7002] : [7002],
      prefix: index % 3 === 0 ? "Abc" : "ABC",
      images: "none",
    }));
    const made = await Promise.all(asked.map(make));
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
    const ranges = made
      .map(({ body }) => [body.begin, body.end].map((number: string) => Number(number.slice(3))))
      .toSorted(([one = 0], [other = 0]) => one - other);
    expect(ranges[0]?.[0]).toBe(1);
    for (const [index, [begin]] of ranges.slice(1).entries())
      expect(begin).toBe((ranges[index]?.[1] ?? 0) + 1);
    expect(ranges.at(-1)?.[1]).toBe(4 * 43 + 4 * 40);
    expect((await make({ documents: [7001], prefix: "abc", first: 332, images: "none" })).body).toEqual({
      first: ["The numbers up to abc0000332 have been given: begin with 333 or later."],
    });
    for (const [values, field] of [
      [{ prefix: "A1" }, "prefix"],
      [{ prefix: "X", first: 998, digits: 3 }, "digits"],
      [{ prefix: "X", documents: [7003] }, "documents"],
      [{ prefix: "X", documents: [7004] }, "documents"],
      [{ prefix: "X", query: "one" }, "documents"],
      [{ prefix: "X", volume: "../up" }, "volume"],
    ] as const) {
      const { status, body } = await make({ documents: [7001], ...values });
      expect([status, Object.keys(body)]).toEqual([400, [field]]);
    }
    const [own] = (await send(ada, "GET", "/api/documents/7001/bates/?per_page=1")).body.results;
    expect(own).toMatchObject({ begin: expect.stringMatching(/^abc/i), pages: 3 });
    expect((await send(bob, "GET", "/api/documents/7001/bates/")).status).toBe(404);
    for (const { body } of made) {
      expect((await send(bob, "DELETE", `/api/productions/${body.id}/`)).status).toBe(404);
      expect((await send(ada, "DELETE", `/api/productions/${body.id}/`)).status).toBe(204);
      expect(await shown(body.id)).toMatchObject({
        state: "cancelled",
        begin: body.begin,
        waiting: body.documents,
      });
    }
  });

  if (!isInFull(engine)) return;

  const files = async (id: number): Promise<Map<string, Buffer>> => {
    const answer = await app.fetch(`/api/productions/${id}/zip/`, { headers: ada.headers });
    expect(answer.status).toBe(200);
    return unzip(Buffer.from(await answer.arrayBuffer()));
  };
  const partsOf = async (id: number): Promise<number[]> =>
    (await send(ada, "GET", `/api/documents/${id}/family/`)).body.children.map(
      (child: Reply["body"]) => child.id ?? child.document?.id ?? child.document,
    );

  it("hand over a family, a redacted document and what cannot be read, and nothing that is hidden", async () => {
    worker.start();
    const minutes = pdf("The harbour", "The lighthouse");
    const sheet = buildXlsx("Sheet", '<row r="1"><c r="A1"><v>7</v></c></row>', []);
    const first = await sendFile(app, ada, {
      extension: "eml",
      bytes: mail("The offer", attachment("minutes.pdf", minutes), attachment("list.xlsx", sheet)),
    });
    const secret = pdf("The witness is Alexandrova", "Another page");
    const second = await sendFile(app, ada, {
      extension: "eml",
      bytes: mail("The witness", attachment("statement.pdf", secret)),
    });
    const third = await sendFile(app, ada, { extension: "pdf", bytes: secret }, "Alexandrova speaks");
    const broken = await sendFile(app, ada, { extension: "pdf", bytes: buildBrokenPdf() }, "Broken");
    await worker.drain();
    const box = { x1: 0, x2: 1, y1: 0, y2: 1, page_number: 0 };
    expect((await send(ada, "POST", `/api/documents/${third}/redactions/`, [box])).status).toBe(201);
    const [statement = 0] = await partsOf(second);
    const copied = await send(ada, "POST", `/api/documents/${statement}/redacted_copies/`, {
      redactions: [box],
    });
    expect(copied.status).toBe(201);
    await worker.drain();
    await send(ada, "POST", `/api/documents/${first}/notes/`, {
      title: "Nobody else reads this",
      content: "privileged",
      access: "private",
      page_number: 0,
    });

    const documents = [first, second, third, broken];
    const asked = {
      documents,
      prefix: "QR",
      first: 100,
      digits: 5,
      endorsement: "CONFIDENTIAL",
      name: "To the court",
    };
    const { status, body } = await make(asked);
    expect([status, body.begin, body.documents]).toEqual([201, "QR00100", 7]);
    await worker.drain();
    const production = await shown(body.id);
    expect(production).toMatchObject({
      state: "done",
      documents: 7,
      waiting: 0,
      made: 6,
      slip_sheets: 1,
      withheld: 0,
      left_out: 0,
    });
    const volume = await files(body.id);
    const rows = readDat(volume.get("VOL001/DATA/VOL001.dat"));
    const [offer, pages, list, witness, copy, redacted, unread] = rows;
    expect(rows.map((row) => row["PAGECOUNT"])).toEqual(["1", "2", "1", "1", "2", "2", "1"]);
    let next = 100;
    for (const row of rows) {
      expect(row["BEGBATES"]).toBe(`QR${String(next).padStart(5, "0")}`);
      next += Number(row["PAGECOUNT"]);
      expect(row["ENDBATES"]).toBe(`QR${String(next - 1).padStart(5, "0")}`);
    }
    expect(production.end).toBe(`QR${String(next - 1).padStart(5, "0")}`);
    expect(offer).toMatchObject({
      BEGATTACH: "QR00100",
      ENDATTACH: list?.["ENDBATES"],
      PARENTID: "",
      FROM: "Zoe <zoe@example.org>",
      CC: "Eve <eve@example.org>; fritz@example.org",
      SUBJECT: "The offer",
      DATESENT: "2024-02-05T09:20:30Z",
      REDACTED: "No",
      CONFIDENTIALITY: "CONFIDENTIAL",
    });
    for (const part of [pages, list])
      expect(part).toMatchObject({
        BEGATTACH: "QR00100",
        PARENTID: "QR00100",
        ENDATTACH: list?.["ENDBATES"],
      });
    expect(copy).toMatchObject({
      PARENTID: witness?.["BEGBATES"],
      REDACTED: "Yes",
      TITLE: "",
      NATIVEPATH: "",
    });
    expect(redacted).toMatchObject({
      BEGATTACH: "",
      REDACTED: "Yes",
      TITLE: "",
      NATIVEPATH: "",
      SHA1HASH: "",
    });
    // Its file has the attachment as it was before.
    expect(witness).toMatchObject({ NATIVEPATH: "", SHA1HASH: "" });
    expect(unread).toMatchObject({ REMARK: "It could not be read", TEXTPATH: "" });

    const at = (path = ""): Buffer | undefined => volume.get(path.replaceAll("\\", "/"));
    for (const [row, bytes] of [
      [pages, minutes],
      [list, sheet],
    ] as const) {
      expect(at(row?.["NATIVEPATH"])).toEqual(Buffer.from(bytes));
      expect(row?.["MD5HASH"]).toBe(createHash("md5").update(bytes).digest("hex"));
      expect(row?.["SHA1HASH"]).toBe(createHash("sha1").update(bytes).digest("hex"));
    }
    expect(String(at(pages?.["TEXTPATH"]))).toMatch(/The harbour[^]*\fThe lighthouse/);
    expect(String(at(redacted?.["TEXTPATH"]))).toContain("Another page");

    const images = readOpt(volume.get("VOL001/DATA/VOL001.opt"));
    expect([...images].map(([number, paths]) => [number, String(paths.length)])).toEqual(
      rows.map((row) => [row["BEGBATES"], row["PAGECOUNT"]]),
    );
    for (const path of [...images.values()].flat()) {
      const bytes = volume.get(path) ?? Buffer.alloc(0);
      const { format, width, density, bitsPerSample } = await sharp(bytes).metadata();
      expect([path.slice(-4), format, bitsPerSample, density]).toEqual([".tif", "tiff", 1, 300]);
      // Compression 4 is that of Group 4 faxes.
      expect(bytes.includes(Buffer.from([0x03, 0x01, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00, 0x04, 0x00]))).toBe(
        true,
      );
      expect(width).toBeGreaterThan(900);
    }
    const paths = new Set([...volume.keys()].filter((path) => !path.includes("/DATA/")));
    const named = rows.flatMap((row) => [row["TEXTPATH"], row["NATIVEPATH"]]).filter((path) => path !== "");
    expect(paths).toEqual(
      new Set([...named.map((path) => path?.replaceAll("\\", "/")), ...[...images.values()].flat()]),
    );
    for (const [name, bytes] of volume)
      for (const word of ["Alexandrova", "privileged", "Nobody else", Buffer.from(secret).toString("base64")])
        expect([name, bytes.includes(word)]).toEqual([name, false]);

    const { results } = (await send(ada, "GET", `/api/productions/${body.id}/documents/`)).body;
    expect(results.map((one: ProducedDocument) => [one.begin, one.end])).toEqual(
      rows.map((row) => [row["BEGBATES"], row["ENDBATES"]]),
    );
    expect((await app.fetch(`/api/productions/${body.id}/zip/`, { headers: bob.headers })).status).toBe(404);

    // What is hidden later is not handed over any more; the numbers stay.
    const redaction = await send(ada, "POST", `/api/documents/${third}/redactions/`, [
      { ...box, page_number: 1 },
    ]);
    expect(redaction.status).toBe(201);
    await worker.drain();
    expect((await shown(body.id)).state).toBe("withdrawn");
    expect((await app.fetch(`/api/productions/${body.id}/zip/`, { headers: ada.headers })).status).toBe(400);
    await removeEndedProductions(app.context);
    expect(await Array.fromAsync(app.context.files.list(`productions/${body.id}`))).toEqual([]);
    const numbers = (await send(ada, "GET", `/api/documents/${third}/bates/`)).body.results;
    expect(numbers).toMatchObject([{ begin: redacted?.["BEGBATES"], end: redacted?.["ENDBATES"] }]);
  });

  it("are PDFs with their numbers, and go on where a killed worker stopped, with the same numbers", async () => {
    const colored = await sendFile(
      app,
      ada,
      { extension: "pdf", bytes: pdf("The square", "The market") },
      "Kept",
    );
    const hidden = await sendFile(app, ada, { extension: "pdf", bytes: pdf("Not any more") }, "Hidden");
    await worker.drain();
    await worker.stop();
    const { body } = await make({
      documents: [colored, hidden],
      prefix: "PDF-",
      images: "pdf",
      natives: false,
    });
    const before = (await send(ada, "GET", `/api/productions/${body.id}/documents/`)).body.results;
    // As a worker leaves it that is killed after the first document was stored, and before its row was written.
    await app.context.files.put(`productions/${body.id}/1`, halfOfIt());
    await app.context.database.write((writer) =>
      writer
        .updateTable("jobs")
        .set({ attempts: 1, lease: "gone", due_at: "2020-01-01T00:00:00.000000Z" })
        .where("kind", "=", "make production")
        .execute(),
    );
    expect((await send(ada, "DELETE", `/api/documents/${hidden}/`)).status).toBe(204);
    worker = buildWorker(app.context);
    worker.start();
    await worker.drain();
    expect(await shown(body.id)).toMatchObject({ state: "done", made: 1, withheld: 1, waiting: 0 });
    const after = (await send(ada, "GET", `/api/productions/${body.id}/documents/`)).body.results;
    expect(numbersOf(after)).toEqual(numbersOf(before));
    const volume = await files(body.id);
    expect([...volume.keys()].toSorted()).toEqual([
      "VOL001/DATA/VOL001.dat",
      "VOL001/DATA/VOL001.opt",
      "VOL001/IMAGES/0001/PDF-0000001.pdf",
      "VOL001/IMAGES/0001/PDF-0000003.tif",
      "VOL001/TEXT/0001/PDF-0000001.txt",
    ]);
    const pdfs = openPdfReader({ timeLimitSeconds: 60, memoryLimitMb: 512 });
    await using folder = await makeWorkFolder("production");
    await writeFile(folder.file("a.pdf"), volume.get("VOL001/IMAGES/0001/PDF-0000001.pdf") ?? "");
    await using opened = await pdfs.open(folder.file("a.pdf"));
    expect(opened.facts.pageSizes).toEqual([
      { width: "240.00", height: "146.00" },
      { width: "240.00", height: "146.00" },
    ]);
    for (const [index, line] of ["The square", "The market"].entries()) {
      const { text } = await opened.text(index);
      expect(text).toContain(line);
      expect(text).toContain(`PDF-000000${index + 1}`);
    }
    await pdfs.close();
  });
});
