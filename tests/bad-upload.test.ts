import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { bodiesOf } from "../src/testing/bodies.ts";
import { processorTimer } from "../src/testing/processor-time.ts";
import { Published, type Shape } from "../src/testing/published.ts";
import { isRefusal } from "../src/testing/refusals.ts";
import { fileTables, stateOf } from "../src/testing/state.ts";
import { addReadDocuments } from "../src/testing/read-documents.ts";
import { engines, useApp } from "../src/testing/test-app.ts";
import { anyText } from "../src/testing/texts.ts";
import { runsOn } from "../src/testing/runs.ts";

/*
 * Invalid requests to the addresses that receive and process files are refused with a reason and change nothing.
 * Generated requests that happen to be valid are carried out.
 */

const published = await Published.read();

const patienceMilliseconds = 3000;
const pageCount = 3;

const numbers = fc.oneof(
  fc.constantFrom(
    ..."0 1 2 3 -1 -0 0.5 0.999999 1.000001 1e400 -1e400 1e-400 9007199254740993 99999999999999999999 1.5 true null".split(
      " ",
    ),
    ...'"0" "1" "0.5" "NaN" "Infinity" "-1" "0x1" "٣" "" " 1 " [] [0] {} {"a":1}'.split(/ (?=[["{])/),
  ),
  fc.double().map((number) => JSON.stringify(number)),
);
const pageSpecs = fc
  .oneof(
    fc.constantFrom(
      ..."0 1 2 3 -1 0-1 1-0 0-0 0-2 0-3 0- -0 0-1-2 0,,0 , 0,0 +0 ++0 0x0 1e0 1.0 NaN ٠ ０ 0;1 0-1,0-1 0-99999999999999999999 x".split(
        " ",
      ),
      "",
      " ",
      " 0 , 1 ",
      "0\u0000",
      "\u{d800}",
      "0-1,".repeat(9000),
      "0,".repeat(30_000) + "0",
      "9".repeat(90_000),
    ),
    anyText,
  )
  .map((spec) => JSON.stringify(spec));
const turnings = fc.constantFrom(
  ..."null [] {} 1 [1] [{}] [[]] [null]".split(" "),
  '[{"type":"rotate"}]',
  '[{"type":"rotate","angle":"cc"}]',
  '[{"type":"rotate","angle":"cc"},{"type":"rotate","angle":"hw"}]',
  '[{"type":"rotate","angle":90}]',
  '[{"type":"toString","angle":"__proto__"}]',
  '[{"angle":"cc","type":["rotate"],"x":{}}]',
  `[${"{},".repeat(5000)}{}]`,
);
const words = fc.oneof(
  fc.constantFrom(
    "null",
    "[]",
    "{}",
    "1",
    '"x"',
    "[1]",
    "[[]]",
    "[{}]",
    '[{"text":"x"}]',
    `[${"1,".repeat(20_000)}1]`,
  ),
  fc
    .tuple(numbers, numbers, numbers, numbers)
    .map(([x1, x2, y1, y2]) => `[{"text":"x","x1":${x1},"x2":${x2},"y1":${y1},"y2":${y2}}]`),
);
const texts = fc.oneof(
  fc.constantFrom("null", "1", "[]", "{}", '"\\u0000"', '"\\ud800"', '""', `"${"x".repeat(500_000)}"`),
  anyText.map((text) => JSON.stringify(text)),
);
/** Values of the members that say where something is in a file: the right one more often than not. */
const mostly = (right: string, ...others: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.oneof({ arbitrary: fc.constant(right), weight: 4 }, ...others);
const placing: Readonly<Record<string, fc.Arbitrary<string>>> = {
  x1: mostly("0.1", numbers),
  x2: mostly("0.2", numbers),
  y1: mostly("0.1", numbers),
  y2: mostly("0.2", numbers),
  page_number: mostly("1", numbers),
  page: mostly('"0"', fc.constantFrom('"0-1"', '"2,0-1"'), pageSpecs, pageSpecs, numbers),
  modifications: mostly("[]", turnings, turnings),
  positions: mostly("[]", words),
  text: mostly('"x"', texts),
  ocr: mostly('"tess4"', texts),
};

/** Whether a schema has such a member, on any level. */
function hasPosition(shape: Shape): boolean {
  const { properties = {}, items, oneOf = [] } = published.resolve(shape);
  const within = [...Object.values(properties), ...oneOf, ...(items === undefined ? [] : [items])];
  return Object.keys(properties).some((name) => name in placing) || within.some(hasPosition);
}

/** The operations about positions in the file of a document. */
const placingOperations = published
  .written()
  .filter(({ path, shape }) => path.startsWith("/api/documents/{id}/") && hasPosition(shape));

/** The operations whose forms may bring a file. */
const formsWithFiles = published.operations.flatMap(({ name, method, path, operation }) => {
  const form = published.form({ name, method, path, operation });
  return form === null || form.files.length === 0 ? [] : [{ name, method, path, ...form }];
});

const listOf = (item: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.array(item, { maxLength: 4 }).map((all) => `[${all.join()}]`) },
    // The same item twice, without a list, or in a nested list.
    { weight: 2, arbitrary: item.map((one) => `[${one},${one}]`) },
    { weight: 1, arbitrary: item },
    { weight: 1, arbitrary: item.map((one) => `[[${one}]]`) },
  );

/** Invalid bodies ten times as long as any that a client would send on purpose. */
const floods: readonly (readonly [what: string, method: string, path: string, body: string])[] = [
  ["boxes", "POST", "redactions/", `[${"1,".repeat(400_000)}1]`],
  [
    "good boxes",
    "POST",
    "redactions/",
    `[${'{"x1":0,"x2":1,"y1":0,"y2":1,"page_number":9},'.repeat(20_000)}1]`,
  ],
  ["items", "POST", "modifications/", `[${"{},".repeat(300_000)}1]`],
  ["turnings", "POST", "modifications/", `[{"page":"0","modifications":[${"1,".repeat(400_000)}1]}]`],
  [
    "turnings of many",
    "POST",
    "modifications/",
    `[${'{"page":"0","modifications":[1,1,1,1,1,1,1]},'.repeat(20_000)}1]`,
  ],
  [
    "documents",
    "POST",
    "modifications/",
    `[${Array.from({ length: 40_000 }, (_, id) => `{"page":"0","id":${id}}`).join()}]`,
  ],
  ["pages", "PATCH", "", `{"pages":[${"1,".repeat(400_000)}1]}`],
  [
    "positions",
    "PATCH",
    "",
    `{"pages":[${Array.from({ length: 45 }, (_, page) => `{"page_number":${page},"text":"","positions":[${"1,".repeat(9000)}1]}`).join()}]}`,
  ],
];

const isPage = (page: unknown): boolean => [0, 1, 2].includes(page as number);

/** Whether all boxes are on a page of the document. */
function areBoxes(said: unknown): boolean {
  return (said as Record<string, number>[]).every(
    ({ x1 = -1, x2 = -1, y1 = -1, y2 = -1, page_number }) =>
      isPage(page_number) && 0 <= x1 && x1 < x2 && x2 <= 1 && 0 <= y1 && y1 < y2 && y2 <= 1,
  );
}

/** Whether all runs consist of existing pages. */
function areRuns(said: unknown): boolean {
  const { data } = said as { data: { page_spec: unknown[]; page_length: number }[] };
  return data.every(({ page_spec, page_length }) => {
    const areThere = page_spec.flat().every(isPage);
    const lengths = page_spec.map((run) => (Array.isArray(run) ? run[1] - run[0] + 1 : 1));
    return areThere && lengths.reduce((sum, length) => sum + length, 0) === page_length;
  });
}

describe.each(engines)("an invalid request about files, on %s", (engine) => {
  const app = useApp(engine);
  let document = 0;
  let waiting = 0;
  let before = "";
  const owner = app.person("owner", { organizations: [1] });
  beforeAll(async () => {
    await makeAgain();
  });

  /** One document of three pages, and one that waits for its file. */
  async function makeAgain(): Promise<void> {
    const { database, uploads } = app.context;
    for (const name of await uploads.list()) await uploads.remove(name);
    await database.write(async (writer) => {
      for (const table of ["documents", "jobs"] as const) await writer.deleteFrom(table).execute();
    });
    const mine = { user_id: owner.id, access: "private" };
    [document = 0, waiting = 0] = await addReadDocuments(app.context, [
      { ...mine, pages: Array<string>(pageCount).fill(""), pdf: "%PDF-" },
      { ...mine, status: "nofile", page_count: pageCount },
    ]);
    before = await state();
  }

  const state = (): Promise<string> => stateOf(app, fileTables);

  /** Describes what is wrong with the answer to a request, if anything. */
  async function judged(
    method: string,
    target: string,
    init: RequestInit,
    isMeant: (said: unknown) => boolean = () => true,
  ): Promise<string> {
    const spent = processorTimer();
    const headers = { ...owner.headers, ...(init.headers as Record<string, string> | undefined) };
    const answer = await app.fetch(target, { method, redirect: "manual", ...init, headers });
    const text = await answer.text();
    const took = spent();
    if (took > patienceMilliseconds) return `took ${took} ms of processor time`;
    if (answer.status >= 500) return `${answer.status}: ${text}`;
    if (answer.status < 300) {
      await makeAgain();
      return text === "" || isMeant(JSON.parse(text)) ? "fine" : `${answer.status}: ${text.slice(0, 500)}`;
    }
    if (method !== "HEAD" && !isRefusal(text)) return `${answer.status}: ${text.slice(0, 500)}`;
    if ((await state()) !== before) return `${answer.status}, but something changed: ${text.slice(0, 500)}`;
    return "fine";
  }

  const sendText = (
    method: string,
    path: string,
    body: string,
    isMeant?: (said: unknown) => boolean,
  ): Promise<string> => {
    const init = { body, headers: { "content-type": "application/json" } };
    return judged(method, `/api/documents/${document}/${path}`, init, isMeant);
  };

  const meant: Readonly<Record<string, (said: unknown) => boolean>> = {
    "POST /api/documents/{id}/redactions/": areBoxes,
    "POST /api/documents/{id}/modifications/": areRuns,
  };

  it.each(placingOperations)("is refused with a reason, or accepted, to $name", async (operation) => {
    const { name, method, path, isList, shape } = operation;
    const item = bodiesOf(published, shape, placing);
    await fc.assert(
      fc.asyncProperty(isList ? listOf(item) : item, async (body) => {
        const to = path.slice("/api/documents/{id}/".length).replaceAll(/\{\w+\}/g, "1");
        expect(await sendText(method, to, body, meant[name])).toBe("fine");
      }),
      { numRuns: runsOn(engine, isList ? 100 : 30) },
    );
  });

  it.each(floods)("is refused quickly if it is a flood of %s", async (_, method, path, body) => {
    expect(body.length).toBeLessThan(1024 * 1024);
    expect(await sendText(method, path, body)).toBe("fine");
  });

  const oddHeader = fc.oneof(
    fc.constantFrom(
      ..."0 1 5 -1 0.5 1e3 0x5 NaN Infinity 9007199254740993 99999999999999999999 x 1.0.0 0.2.2 1 true".split(
        " ",
      ),
      "",
      " ",
      "5, 5",
    ),
    fc.string({ maxLength: 12 }).map((text) => text.replaceAll(/[^\x20-\x7e]/g, "").trim()),
  );
  const base64 = fc.oneof(
    fc.constantFrom("", "x", "=", "%%%", "====", "AA==", "7aCA", "MQ", "LTE=", "MWU0MDA="),
    anyText.map((text) => Buffer.from(text).toString("base64")),
    fc.nat({ max: 20 }).map((id) => Buffer.from(String(id)).toString("base64")),
  );
  const metadata = fc.oneof(
    fc
      .array(
        fc.tuple(
          fc.constantFrom(
            ..."filename title document access projects pages data __proto__ force_ocr x publish_at".split(
              " ",
            ),
          ),
          fc.constantFrom(" ", "", "  ", "="),
          base64,
        ),
        { maxLength: 4 },
      )
      .map((pairs) => pairs.map((pair) => pair.join("")).join()),
    fc.constantFrom(",", ", ,", "filename", "filename AA==,filename AA==", `filename ${"A".repeat(9000)}`),
  );

  it("is refused with a reason, or accepted, as the headers that begin a resumable upload", async () => {
    const odd = fc.oneof(
      fc.tuple(fc.constantFrom("tus-resumable", "upload-length", "upload-defer-length"), oddHeader),
      fc.tuple(fc.constant("upload-offset"), oddHeader),
      fc.tuple(fc.constant("upload-metadata"), metadata),
      fc.tuple(fc.constant("upload-concat"), fc.constantFrom("partial", "final;/uploads/tus/x /y", "x", "")),
      fc.tuple(
        fc.constant("content-type"),
        fc.constantFrom("application/offset+octet-stream", "text/plain", ";"),
      ),
    );
    const some = fc
      .array(odd, { maxLength: 2 })
      .map((pairs): Record<string, string> => Object.fromEntries(pairs));
    const right = { "tus-resumable": "1.0.0", "upload-length": "5" };
    const headers = fc.oneof(
      {
        weight: 3,
        arbitrary: some.map((more) => ({ ...right, "upload-metadata": "filename eC5wZGY=", ...more })),
      },
      { weight: 1, arbitrary: some },
      { weight: 1, arbitrary: metadata.map((all) => Object.assign({ "upload-metadata": all }, right)) },
    );
    await fc.assert(
      fc.asyncProperty(headers, fc.constantFrom("", "%PDF-", "x"), async (given, bytes) => {
        // Bytes, because `fetch` would add a content type to a string.
        const body = Buffer.from(bytes);
        expect(await judged("POST", "/uploads/tus/", { headers: given, body })).toBe("fine");
      }),
      { numRuns: runsOn(engine, 150) },
    );
  });

  it("is refused with a reason as the continuation of a resumable upload, which can then continue", async () => {
    const protocol = { "tus-resumable": "1.0.0", "content-type": "application/offset+octet-stream" };
    const begun = await app.fetch("/uploads/tus/", {
      method: "POST",
      headers: {
        ...owner.headers,
        ...protocol,
        "upload-length": "5",
        "upload-metadata": "filename eC5wZGY=",
      },
    });
    const { pathname } = new URL(begun.headers.get("location") ?? "");
    before = await state();
    const offsets = oddHeader.filter((text) => text.trim() !== "0");
    const wrong = fc.oneof(
      offsets.map((offset) => Object.assign({ "upload-offset": offset }, protocol)),
      fc.record({ "tus-resumable": fc.constantFrom("0.2.2", "x", ""), "upload-offset": oddHeader }),
      fc
        .record({ "content-type": fc.constantFrom("text/plain", ";", "") })
        .map((one) => Object.assign({}, protocol, one)),
    );
    const name = fc.oneof(
      fc.constant(pathname),
      fc
        .constantFrom(
          "x",
          "..",
          "%2e%2e%2fx",
          `${owner.id}-`,
          `${owner.id}-..%2f..%2fx`,
          "%00",
          "9".repeat(500),
        )
        .map((one) => `/uploads/tus/${one}`),
    );
    await fc.assert(
      fc.asyncProperty(
        name,
        wrong,
        fc.constantFrom("", "%PDF-", "%PDF-%PDF-"),
        async (target, headers, bytes) => {
          const body = Buffer.from(bytes);
          expect([target, await judged("PATCH", target, { headers, body })]).toEqual([target, "fine"]);
        },
      ),
      { numRuns: runsOn(engine, 100) },
    );
    const head = { method: "HEAD", headers: { ...owner.headers, ...protocol } };
    expect((await app.fetch(pathname, head)).headers.get("upload-offset")).toBe("0");
    await makeAgain();
  });

  it.each(formsWithFiles)(
    "is refused with a reason, or accepted, as a form with files to $name",
    async (form) => {
      const part = fc.tuple(
        fc.constantFrom(
          ...form.files,
          ...form.files,
          ...form.files,
          "files",
          "file[]",
          "__proto__",
          "",
          ...form.names,
        ),
        fc.constantFrom(
          "x.pdf",
          "x.PDF",
          "x",
          ".pdf",
          "",
          "../../x.pdf",
          "a\\b.pdf",
          "x.exe",
          "\u{202e}fdp.x",
          "x".repeat(300) + ".pdf",
          "\0.pdf",
          "x.pdf\r\ny: z",
        ),
        fc.constantFrom("", "%PDF-1.7", "MZ", "\0", "{}"),
        fc.constantFrom("application/pdf", "text/html", "", "x", "multipart/mixed; boundary=y"),
      );
      const field = fc.tuple(
        fc.constantFrom(...form.names),
        fc.oneof(
          anyText,
          fc.constantFrom(
            "",
            "x",
            "public",
            "[]",
            "1",
            "-1",
            "NaN",
            "tess4",
            "docx",
            "null",
            "http://127.0.0.1/",
          ),
        ),
      );
      const bodies = fc.tuple(
        fc.array(part, { maxLength: 3 }),
        fc.array(field, { maxLength: 3 }),
        fc.boolean(),
      );
      await fc.assert(
        fc.asyncProperty(bodies, async ([parts, fields, areFilesFirst]) => {
          const data = new FormData();
          const addFields = (): void => {
            for (const [name, value] of fields) data.append(name, value);
          };
          if (!areFilesFirst) addFields();
          for (const [name, fileName, bytes, type] of parts)
            data.append(name, new Blob([bytes], { type }), fileName);
          if (areFilesFirst) addFields();
          const target = form.path.replace("{id}", String(document));
          expect(await judged(form.method, target, { body: data })).toBe("fine");
        }),
        { numRuns: runsOn(engine, 80) },
      );
    },
  );

  it("is refused with a reason at the address of an upload", async () => {
    const record = await app.fetch(`/api/documents/${waiting}/`, { headers: owner.headers });
    const { presigned_url: address } = (await record.json()) as { presigned_url: string };
    const good = new URL(address);
    const value = fc.oneof(oddHeader, anyText, fc.constantFrom("9".repeat(400), "\0", "x".repeat(43)));
    const query = fc.array(fc.tuple(fc.constantFrom("expires", "signature", "x", "__proto__"), value), {
      minLength: 1,
      maxLength: 3,
    });
    const paths = fc.constantFrom(
      good.pathname,
      "/uploads/documents/0/x",
      "/uploads/documents/x/y",
      "/uploads/documents/1e3/%00",
      `/uploads/documents/${"9".repeat(30)}/a.pdf`,
    );
    await fc.assert(
      fc.asyncProperty(paths, query, async (path, given) => {
        const search = new URLSearchParams(given.map(([name, one]): [string, string] => [name, one]));
        const target = `${path}?${search.toString()}`;
        expect([target, await judged("PUT", target, { body: "%PDF-" })]).toEqual([target, "fine"]);
      }),
      { numRuns: runsOn(engine, 80) },
    );
    const empty = await judged("PUT", `${good.pathname}${good.search}`, { body: "" });
    expect(empty).toBe("fine");
  });

  it("is 404, or another page, at the addresses of frames and files", async () => {
    const value = fc.oneof(
      anyText.map((text) => encodeURIComponent(text.toWellFormed())),
      fc.constantFrom(
        ..."0 -1 1 2 4 1.5 1e400 NaN 99999999999999999999 % %00 %ED%A0%80 .. %2e%2e %2f".split(" "),
      ),
    );
    const paths = fc.constantFrom(
      "/embed/documents/D/?page=V",
      "/embed/documents/V/",
      "/documents/D/pages/V/",
      "/documents/V/pages/1/",
      "/documents/D/annotations/V/",
      "/projects/V/?embed=1",
      "/files/documents/D/V",
      "/files/documents/V/a-document.pdf",
      "/files/documents/D/pages/V",
      "/files/documents/D/pages/a-document-pV.txt",
      "/files/documents/D/pages/a-document-pV-large.gif",
      "/files/documents/D/pages/a-document-pV.position.json",
      "/files/documents/D/pages/a-document-p1-V.gif",
      "/files/documents/D/a-document.pdf?viewer=V&expires=V&signature=V",
      "/api/oembed/?url=V&maxwidth=V&maxheight=V",
      "/api/quotations/?quote=V&document=D&page_number=V",
      "/quotations/?quote=V&document=V",
    );
    await fc.assert(
      fc.asyncProperty(
        paths,
        value,
        fc.constantFrom("text/html", "application/json", "*/*"),
        async (path, one, accept) => {
          const target = path.replaceAll("D", () => String(document)).replaceAll("V", () => one);
          const answer = await app.fetch(target, {
            headers: { ...owner.headers, accept },
            redirect: "manual",
          });
          await answer.arrayBuffer();
          expect([target, answer.status < 500]).toEqual([target, true]);
        },
      ),
      { numRuns: runsOn(engine, 250) },
    );
    expect(await state()).toBe(before);
  });
});
