import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../../testing/factories.ts";
import { type RawAnswer, sendRaw } from "../../testing/raw-http.ts";
import { engines, useApp } from "../../testing/test-app.ts";
import { anyText } from "../../testing/texts.ts";
import { runsOn } from "../../testing/runs.ts";

const percent = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const base64 = (text: string): string => encodeURIComponent(Buffer.from(text).toString("base64"));

/** Any bytes that a header line can contain. */
const headerBytes = fc
  .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 1, max: 0xff })), { maxLength: 60 })
  .map((bytes) => String.fromCharCode(...bytes).replaceAll(/[\r\n]/g, ""));
/** Any bytes that a request target can contain: no white space. */
const targetBytes = headerBytes.map((bytes) => bytes.replaceAll(/[\0-\x20\x7f]/g, ""));

const orderings = ["", "id", "-id", "title", "-page_count", "created_at", "data_a", "-data_a", "x"];
const bytes = fc.uint8Array({ maxLength: 40 });
const position = fc
  .oneof(
    fc.tuple(fc.constantFrom("p", "r", "o"), anyText).map((pair) => pair.join("=")),
    fc.array(fc.constantFrom("p=", "r=1", "o=", "&", "0", "9", "-", "99999999999999999999"), {
      maxLength: 8,
    }),
  )
  .map((text) => (typeof text === "string" ? text : text.join("")));
const part = fc.oneof(fc.maxSafeInteger(), fc.double(), anyText, fc.constant(null), fc.jsonValue());
/** Cursors of orderings: well-formed except for the value, or made of arbitrary parts. */
const ordered = fc
  .constantFrom(...orderings)
  .chain((ordering) =>
    fc
      .oneof(
        fc.tuple(
          fc.constant(ordering),
          fc.constantFrom(0, 1),
          fc.maxSafeInteger(),
          fc.oneof(anyText, fc.maxSafeInteger()),
        ),
        fc.tuple(fc.constantFrom(...orderings), fc.constantFrom<unknown>(0, 1, 2, "1"), part, part),
      )
      .map((parts) => ({ ordering, cursor: base64(JSON.stringify(parts)) })),
  );
const cursor = fc.oneof(
  ordered,
  fc.record({
    ordering: fc.constantFrom(...orderings),
    cursor: fc.oneof(
      bytes.map(percent),
      bytes.map((input) => encodeURIComponent(Buffer.from(input).toString("base64"))),
      position.map(base64),
      targetBytes,
    ),
  }),
);

const names =
  "cursor per_page page format ordering user organization project access status id__in user[] " +
  "created_at__lt created_at__gt page_count page_count__lt page_count__gt";
const value = fc.oneof(
  fc.constantFrom(
    "1",
    "2",
    "0",
    "-1",
    "public",
    "success",
    "2025-01-01",
    "title",
    "data_a",
    "json",
    "api",
    "1,2",
  ),
  fc.constantFrom(
    "1e400",
    "9223372036854775808",
    "-0",
    "NaN",
    "0x7",
    "%00",
    "%F0%9F%98%80",
    "%ED%A0%80",
    "%",
    "%zz",
  ),
  bytes.map(percent),
  targetBytes,
);
const query = fc.oneof(
  targetBytes,
  fc
    .array(
      fc
        .tuple(fc.oneof(fc.constantFrom(...names.split(" ")), targetBytes), value)
        .map((pair) => pair.join("=")),
      {
        maxLength: 5,
      },
    )
    .map((pairs) => pairs.join("&")),
);

const piece = fc.oneof(
  fc.constantFrom(
    "1",
    "2",
    "/",
    "//",
    "..",
    "%2e%2e",
    ".",
    "%2f",
    "%00",
    "%zz",
    "%ff",
    ";",
    "#",
    "?",
    '"',
    "\\",
    "*",
  ),
  fc.constantFrom("9".repeat(15), "9".repeat(99), "9".repeat(200), "search", "1-a"),
  targetBytes,
);
/** Excludes searches, because their results are not a list of records. */
const path = fc
  .array(piece, { maxLength: 5 })
  .map((pieces) => pieces.join(""))
  .filter((input) => !input.startsWith("search"));

describe.each(engines)("hostile requests on %s", (engine) => {
  const usual = { numRuns: runsOn(engine, 100) };
  const app = useApp(engine);
  beforeAll(async () => {
    await addDocuments(
      app.context,
      Array.from({ length: 5 }, (_, index) => ({ title: `${index}`, data: `{"a":["${index % 2}"]}` })),
    );
  });

  const get = (target: string, headers: readonly string[] = [], method = "GET"): Promise<RawAnswer> => {
    const host = headers.some((line) => line.startsWith("Host:")) ? [] : ["Host: a.org"];
    return sendRaw(app.url, [`${method} ${target} HTTP/1.1`, ...host, ...headers]);
  };

  it("with any cursor get a page or the error for an invalid cursor", async () => {
    await fc.assert(
      fc.asyncProperty(cursor, async (input) => {
        const target = `/api/documents/?per_page=2&ordering=${input.ordering}&cursor=${input.cursor}`;
        const answer = await get(target);
        expect(judge(answer)).toBe("well-formed");
        expect(
          answer.status === 200 || answer.body === '{"detail":"Invalid cursor"}' || isNoHttp(answer),
        ).toBe(true);
      }),
      { numRuns: runsOn(engine, 200) },
    );
  });

  it("with any query get a page or an error in the API's format, and the same response when repeated", async () => {
    await fc.assert(
      fc.asyncProperty(query, async (input) => {
        const answer = await get(`/api/documents/?${input}`);
        expect(judge(answer)).toBe("well-formed");
        expect([200, 400, 404]).toContain(answer.status);
        for (let time = 0; time < 2; time++)
          expect(await get(`/api/documents/?${input}`)).toMatchObject({
            status: answer.status,
            body: answer.body,
          });
      }),
      usual,
    );
  });

  it.each(["Accept", "If-None-Match", "Host", "Accept-Encoding", "X-Forwarded-Host", "Range"])(
    "with any %s get a response or an error in the API's format",
    async (name) => {
      const word = fc.constantFrom(
        "*/*",
        "text/html",
        "application/json",
        ";q=",
        "0",
        "W/",
        '"',
        ",",
        "*",
        ":",
        "a.org",
      );
      const header = fc.oneof(
        headerBytes,
        fc.array(word, { maxLength: 8 }).map((words) => words.join("")),
      );
      await fc.assert(
        fc.asyncProperty(header, fc.constantFrom("", "1/", "99/"), async (input, rest) => {
          const answer = await get(`/api/documents/${rest}`, [`${name}: ${input}`]);
          expect(judge(answer)).toBe("well-formed");
          expect([200, 304, 400, 404, 406]).toContain(answer.status);
        }),
        usual,
      );
    },
  );

  it("at any path below the list get a response or 404", async () => {
    await fc.assert(
      fc.asyncProperty(path, fc.constantFrom("", "/"), async (input, end) => {
        const answer = await get(`/api/documents/${input}${end}`);
        expect(judge(answer)).toBe("well-formed");
        expect([200, 301, 404, ...(isNoHttp(answer) ? [400] : [])]).toContain(answer.status);
      }),
      usual,
    );
  });

  it("with any method get a well-formed response", async () => {
    const methods = "HEAD OPTIONS POST PUT PATCH DELETE TRACE PROPFIND QUERY PURGE get X";
    const method = fc.constantFrom(...methods.split(" "));
    await fc.assert(
      fc.asyncProperty(method, fc.constantFrom("", "1/", "99/", "?cursor=bad", "1"), async (input, rest) => {
        const answer = await get(`/api/documents/${rest}`, [], input);
        expect(judge(answer)).toBe("well-formed");
      }),
      usual,
    );
  });

  it("in the request forms of proxies are read like others", async () => {
    const { body } = await get("/api/documents/1/");
    expect(await get("http://a.org/api/documents/1/")).toMatchObject({ status: 200, body });
    expect((await get("*", [], "OPTIONS")).status).toBe(204);
    const old = await sendRaw(app.url, ["GET /api/documents/ HTTP/1.0"]);
    expect(old).toMatchObject({ status: 400, body: '{"detail":"Invalid Host header."}' });
  });
});

/** Node's response to input that is not HTTP, which the application never sees. */
function isNoHttp({ status, body }: RawAnswer): boolean {
  return status === 400 && body === '{"detail":"The request is not HTTP."}';
}

/** Describes the first fault of a response, or returns "well-formed". */
function judge(answer: RawAnswer): string {
  const { status, headers, body } = answer;
  if (!(status >= 200 && status < 500)) return `status ${status}: ${body}`;
  if (isNoHttp(answer)) return isJson(body, () => true) ? "well-formed" : `not JSON: ${body}`;
  if (body === "") return "well-formed";
  if (headers.get("content-type")?.startsWith("text/html")) {
    return body.startsWith("<!doctype html>") ? "well-formed" : `not a page: ${body.slice(0, 99)}`;
  }
  if (headers.get("content-type") !== "application/json") return `type ${headers.get("content-type")}`;
  const isRight = status === 200 ? isListOrRecord : isRefusal;
  return isJson(body, isRight) ? "well-formed" : `${status}: ${body}`;
}

function isJson(text: string, isRight: (value: object) => boolean): boolean {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null && isRight(parsed);
  } catch {
    return false;
  }
}

function isListOrRecord(json: object): boolean {
  if ("results" in json)
    return Object.keys(json).join() === "next,previous,results" && Array.isArray(json.results);
  // A search within a document may find nothing and return an empty object.
  return [0, 27].includes(Object.keys(json).length) || "renders" in json;
}

function isRefusal(json: object): boolean {
  const entries = Object.entries(json as Record<string, unknown>);
  if ("detail" in json) return entries.length === 1 && typeof json.detail === "string";
  return entries.length > 0 && entries.every(([, texts]) => areTexts(texts));
}

function areTexts(texts: unknown): boolean {
  return Array.isArray(texts) && texts.length > 0 && texts.every((text) => typeof text === "string");
}
